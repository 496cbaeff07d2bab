import type { StoryLine, Tone } from './narration';

export type TerminalStyle = Readonly<{ isColored: boolean; columns: number }>;

const INDENT = '  ';
const LABEL_COLUMNS = 12;
const MAX_COLUMNS = 110;
const MIN_TEXT_COLUMNS = 24;
/** Colours of the terminal's palette fit light and dark themes. */
const SGR: Readonly<Record<Tone, string>> = { plain: '', bad: '31', good: '32', quiet: '2' };
const BOLD = '1';

export function formatLine({ label, text, tone }: StoryLine, { isColored, columns }: TerminalStyle): string {
  const hanging = ' '.repeat(INDENT.length + LABEL_COLUMNS);
  const room = Math.max(MIN_TEXT_COLUMNS, Math.min(columns, MAX_COLUMNS) - hanging.length);
  const [first = '', ...rest] = wrap(plain(text), room);
  // A quiet line is dimmed whole; otherwise only the label has a colour.
  const textCode = tone === 'quiet' ? SGR.quiet : '';
  const coloured = (part: string, code: string): string => paint(part, code, isColored);
  const head = `${INDENT}${coloured(label, SGR[tone])}${' '.repeat(Math.max(1, LABEL_COLUMNS - label.length))}`;
  return [`${head}${coloured(first, textCode)}`, ...rest.map((part) => `${hanging}${coloured(part, textCode)}`)].join(
    '\n',
  );
}

export function formatTitle(text: string, { isColored }: TerminalStyle): string {
  return paint(text, BOLD, isColored);
}

/** True for a terminal with colours whose user has not disabled them (no-color.org). */
export function wantsColor(stream: Readonly<{ isTTY?: boolean }>, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

function paint(text: string, code: string, isColored: boolean): string {
  return isColored && code !== '' ? `\u001b[${code}m${text}\u001b[0m` : text;
}

/** Breaks at spaces; longer words, such as addresses, stay whole for copying. */
function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

// Texts come from other processes: an escape sequence could rewrite the terminal.
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
