import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** Narrower terminals get no layout. */
const LEAST_COLUMNS = 30;
const STEP = 2;
/** A wider first cell leaves too little space. */
const HEAD_SHARE = 0.65;

/**
 * Breaks long lines between words. Continued text is indented below its text: after a mark, a time or the first table
 * cell. Longer words, such as paths, stay whole.
 * @param columns of the terminal; null leaves the text unchanged.
 */
export function wrapText(text: string, columns: number | null): string {
  if (columns === null || columns < LEAST_COLUMNS) return text;
  return text
    .split('\n')
    .map((line) => (stringWidth(line) <= columns ? line : wrapLine(line, columns)))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  const { head, rest, hang } = split(line, columns);
  const [first = '', ...others] = wrapAnsi(rest, columns - hang, { hard: false, trim: true }).split('\n');
  return [head + first, ...others.map((other) => ' '.repeat(hang) + other)].join('\n');
}

type Split = Readonly<{ head: string; rest: string; hang: number }>;

function split(line: string, columns: number): Split {
  const [head = ''] = MARKED.exec(line) ?? CELL.exec(line) ?? [];
  const hang = stringWidth(head);
  if (hang > 0 && hang <= columns * HEAD_SHARE) return { head, rest: line.slice(head.length), hang };
  const [indent = ''] = /^ */.exec(line) ?? [];
  const step = indent === '' && !CELL.test(line) ? 0 : STEP;
  return { head: indent, rest: line.slice(indent.length), hang: indent.length + step };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const MARKED = /^ *(?:\u001b\[\d+m)*(?:[✓✗!]|Do:)(?:\u001b\[\d+m)* +/;
/** Cells are at least two spaces apart. */
const CELL = /^ *\S+(?: \S+)* {2,}/;
