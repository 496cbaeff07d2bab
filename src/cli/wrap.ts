import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** Narrower than this nothing is laid out: a word a line helps nobody. */
const LEAST_COLUMNS = 30;
/** What continues an entry of a list stands so much further in than its beginning. */
const STEP = 2;
/** A first cell wider than this share of the line leaves too little room beside it. */
const HEAD_SHARE = 0.65;

/**
 * Breaks the lines of a text between words where a terminal would break them in the middle of one. What continues a line stands
 * under its text: below a mark, a time, or the first cell of a table. A word that is longer than a line, such as a path, stays whole.
 *
 * @param columns of the terminal; null, where nobody reads along, leaves the text as it is.
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

/** What stands before the text of a line, and how far in the text goes on below it. */
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
/** Cells are at least two blanks apart. */
const CELL = /^ *\S+(?: \S+)* {2,}/;
