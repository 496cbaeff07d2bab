import * as z from 'zod';

// Control characters and bidirectional overrides could make a log line or a panel row say something it does not.
// biome-ignore lint/suspicious/noControlCharactersInRegex: naming the control characters is the point
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text from an untrusted peer: capped at `max` characters, control and bidirectional characters removed. */
export const safeText = (max: number) =>
  z
    .string()
    .max(max)
    .overwrite((text) => text.replace(UNSAFE, ''));

/** An identifier from an untrusted peer: 1 to 200 safe characters. */
export const Id = safeText(200).min(1);

/** `provider/model`. */
export const ModelRef = safeText(300).regex(/^[^/]+\/.+$/, 'expected "provider/model"');

/** A folder's path. */
export const Directory = safeText(4096);

/** Whether a message can name this model. */
export const isModelRef = (text: string): boolean => ModelRef.safeParse(text).success;

export const AgentName = safeText(100);
/** What the user has called another machine of the fleet: what may be chosen for one's own. */
export const MachineName = z.lazy(() => z.string().regex(/^[\w.-]{1,60}$/));
export const isAgentName = (text: string): boolean => AgentName.safeParse(text).success;

/** Reads a line from a peer as JSON; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // silent: a peer may send any text, and undefined is never JSON
    return undefined;
  }
}
