/** `line` counts from 1. `isBroken`: an opened quote is not closed. */
export type CsvRow = Readonly<{ line: number; cells: readonly string[]; isBroken: boolean }>;

const LINE_END = /\r\n|\r|\n/g;

/**
 * Rows of an RFC 4180 table with another separator, without empty ones. An unclosed quote counts as a character, so
 * that it spoils only its row.
 */
export function* csvRows(text: string, separator: string): Generator<CsvRow> {
  const plain = new RegExp(`[^${separator}\r\n]*`, 'y');
  let [at, line] = [0, 1];
  while (at < text.length) {
    const cells: string[] = [];
    const began = line;
    let isBroken = false;
    do {
      if (cells.length > 0) at += 1;
      const quoted = quotedAt(text, at, separator);
      plain.lastIndex = at;
      const cell = quoted?.cell ?? plain.exec(text)?.[0] ?? '';
      at = quoted?.after ?? plain.lastIndex;
      line += quoted === null ? 0 : (quoted.cell.match(LINE_END)?.length ?? 0);
      cells.push(quoted === null ? cell.trim() : cell);
      isBroken ||= quoted === null && /^ *"/.test(cell);
    } while (text[at] === separator);
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    if (cells.some((cell) => cell !== '')) yield { line: began, cells, isBroken };
  }
}

function quotedAt(text: string, at: number, separator: string): Readonly<{ cell: string; after: number }> | null {
  let open = at;
  while (text[open] === ' ') open += 1;
  if (text[open] !== '"') return null;
  let close = text.indexOf('"', open + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) return null;
  let after = close + 1;
  while (text[after] === ' ') after += 1;
  if (after < text.length && !`${separator}\r\n`.includes(text.charAt(after))) return null;
  return { cell: text.slice(open + 1, close).replaceAll('""', '"'), after };
}
