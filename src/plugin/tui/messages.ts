import { parseJson } from '../../contract/parse-json';
import type { Notice } from '../runtime/episodes';

/**
 * What the part of Understudy in OpenCode 1's terminal interface and the companion say to each other: commands on OpenCode's
 * own bus, which both may send, which reach an interface on another machine too, and which OpenCode passes over when it
 * does not know them.
 */
export const TUI_HELLO = 'understudy.tui.hello';
/** The status follows as JSON. */
export const TUI_STATUS = 'understudy.tui.status ';

const TONES = ['well', 'away', 'out'] as const;

/** One line, and how it is meant: all is well, somebody stands in, or nobody can speak. */
export type TuiLine = Readonly<{
  text: string;
  tone: (typeof TONES)[number];
  /** Unix ms from which the terminal counts up behind the text. */
  since?: number | undefined;
}>;

/** What is shown before a session is open, and in each session. */
export type TuiStatus = Readonly<{ home: TuiLine | null; sessions: Readonly<Record<string, TuiLine>> }>;

/**
 * The same on OpenCode 2, which carries questions and news between the two parts of a plugin: the names of both, as either
 * side has to give them. Events come to every terminal, of every project.
 */
export const TUI_RPC = { id: 'understudy', status: 'status', notice: 'notice' } as const;

const TEXT_MAX_CHARS = 200;
const NOTICE_MAX_CHARS = 1_000;

/** The status in a command; null for anything else. Others may send on the bus as well: nothing in it is trusted. */
export function readStatus(command: unknown): TuiStatus | null {
  if (typeof command !== 'string' || !command.startsWith(TUI_STATUS)) return null;
  return statusIn(parseJson(command.slice(TUI_STATUS.length)));
}

export function statusIn(value: unknown): TuiStatus | null {
  if (typeof value !== 'object' || value === null) return null;
  try {
    const { home, sessions } = value as Partial<Record<string, unknown>>;
    const lines = Object.entries(sessions ?? {}).flatMap(([session, line]) => {
      const read = readLine(line);
      return read ? [[session, read] as const] : [];
    });
    return { home: readLine(home), sessions: Object.fromEntries(lines) };
  } catch {
    // silent: another plugin may send any value on the bus
    return null;
  }
}

function readLine(value: unknown): TuiLine | null {
  const { text, tone, since } = (value ?? {}) as Partial<Record<keyof TuiLine, unknown>>;
  const known = TONES.find((other) => other === tone);
  // A control character could redraw the screen.
  if (typeof text !== 'string' || !known) return null;
  return { text: safe(text, TEXT_MAX_CHARS), tone: known, ...(typeof since === 'number' ? { since } : {}) };
}

const safe = (text: string, max: number): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, max);

const VARIANTS = ['info', 'success', 'warning', 'error'] as const;

export function noticeIn(value: unknown): Notice | null {
  const { message, variant } = (value ?? {}) as Partial<Record<keyof Notice, unknown>>;
  const known = VARIANTS.find((other) => other === variant);
  if (typeof message !== 'string' || !known) return null;
  const lines = message.split('\n').map((line) => safe(line, NOTICE_MAX_CHARS));
  return { message: lines.join('\n').slice(0, NOTICE_MAX_CHARS), variant: known };
}
