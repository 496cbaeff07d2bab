/**
 * What the part of Understudy in OpenCode's terminal interface and the companion say to each other: commands on OpenCode's
 * own bus, which both may send, which reach an interface on another machine too, and which OpenCode passes over when it
 * does not know them.
 */
export const TUI_HELLO = 'understudy.tui.hello';
/** The status follows as JSON. */
export const TUI_STATUS = 'understudy.tui.status ';

const TONES = ['well', 'away', 'out'] as const;

/** One line, and how it is meant: all is well, somebody stands in, or nobody can speak. */
export type TuiLine = Readonly<{ text: string; tone: (typeof TONES)[number] }>;

/** What is shown before a session is open, and in each session. */
export type TuiStatus = Readonly<{ home: TuiLine | null; sessions: Readonly<Record<string, TuiLine>> }>;

/** What a line may have room for, in characters. */
const TEXT_MAX_CHARS = 120;

/** The status in a command; null for anything else. Others may send on the bus as well: nothing in it is trusted. */
export function readStatus(command: unknown): TuiStatus | null {
  if (typeof command !== 'string' || !command.startsWith(TUI_STATUS)) return null;
  try {
    const { home, sessions } = JSON.parse(command.slice(TUI_STATUS.length)) as Partial<Record<string, unknown>>;
    const lines = Object.entries(sessions ?? {}).flatMap(([session, line]) => {
      const read = readLine(line);
      return read ? [[session, read] as const] : [];
    });
    return { home: readLine(home), sessions: Object.fromEntries(lines) };
  } catch {
    return null;
  }
}

function readLine(value: unknown): TuiLine | null {
  const { text, tone } = (value ?? {}) as Partial<Record<keyof TuiLine, unknown>>;
  const known = TONES.find((other) => other === tone);
  // A control character could redraw the screen.
  return typeof text === 'string' && known
    ? { text: text.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, TEXT_MAX_CHARS), tone: known }
    : null;
}
