import { parseJson } from '../../contract/parse-json';
import type { Notice } from '../runtime/episodes';

/**
 * Commands on OpenCode 1's bus: both parts may send them, a remote interface receives them, and OpenCode ignores
 * unknown ones.
 */
export const TUI_HELLO = 'understudy.tui.hello';
/** Followed by the status as JSON. */
export const TUI_STATUS = 'understudy.tui.status ';

const TONES = ['well', 'away', 'out'] as const;

/** `away`: on fallback or waiting; `out`: the agent cannot work now. */
export type TuiLine = Readonly<{
  text: string;
  tone: (typeof TONES)[number];
  /** Unix ms from which the terminal counts up. */
  since?: number | undefined;
}>;

export type TuiStatus = Readonly<{ home: TuiLine | null; sessions: Readonly<Record<string, TuiLine>> }>;

/** Names for OpenCode 2's RPC. Every terminal of every project gets the events. */
export const TUI_RPC = { id: 'understudy', status: 'status', notice: 'notice' } as const;

const TEXT_MAX_CHARS = 200;
const NOTICE_MAX_CHARS = 1_000;

/** Untrusted: other plugins may send on the bus. */
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
  const knownTone = TONES.find((other) => other === tone);
  // A control character could redraw the screen.
  if (typeof text !== 'string' || !knownTone) return null;
  return { text: safe(text, TEXT_MAX_CHARS), tone: knownTone, ...(typeof since === 'number' ? { since } : {}) };
}

const safe = (text: string, max: number): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, max);

const VARIANTS = ['info', 'success', 'warning', 'error'] as const;

export function noticeIn(value: unknown): Notice | null {
  const { message, variant } = (value ?? {}) as Partial<Record<keyof Notice, unknown>>;
  const knownVariant = VARIANTS.find((other) => other === variant);
  if (typeof message !== 'string' || !knownVariant) return null;
  const lines = message.split('\n').map((line) => safe(line, NOTICE_MAX_CHARS));
  return { message: lines.join('\n').slice(0, NOTICE_MAX_CHARS), variant: knownVariant };
}
