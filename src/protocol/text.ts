import * as z from 'zod';

// Control characters and bidirectional overrides could falsify a log line or a panel row.
// biome-ignore lint/suspicious/noControlCharactersInRegex: naming the control characters is the point
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text from an untrusted peer, without control and bidirectional characters; longer text is invalid. */
export const safeText = (max: number) =>
  z
    .string()
    .max(max)
    .overwrite((text) => text.replace(UNSAFE, ''));

export const Id = safeText(200).min(1);

/** `provider/model`. */
export const ModelRef = safeText(300).regex(/^[^/]+\/.+$/, 'expected "provider/model"');

export const Directory = safeText(4096);

export const isModelRef = (text: string): boolean => ModelRef.safeParse(text).success;

export const AgentName = safeText(100);
/** Name of another machine; the same rule as for this one. */
export const MachineName = z.lazy(() => z.string().regex(/^[\w.-]{1,60}$/));
export const isAgentName = (text: string): boolean => AgentName.safeParse(text).success;

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // silent: a peer may send any text, and undefined is never JSON
    return undefined;
  }
}
