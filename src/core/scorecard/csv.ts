import { visible } from '../../engine/tools';
import type { AttemptExport } from '../base/store-rows';

const COLUMNS = [
  'at',
  'session',
  'turn',
  'agent',
  'model',
  'position',
  'purpose',
  'outcome',
  'kind',
  'status',
  'durationMs',
  'firstTokenMs',
] as const satisfies readonly (keyof AttemptExport)[];

/** A spreadsheet would run what begins like this. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Attempts as RFC 4180, line by line, the names of the columns first. A text that looks like a formula begins with `'`. */
export function* csvLines(attempts: Iterable<AttemptExport>): Generator<string> {
  yield csvLine(COLUMNS);
  for (const attempt of attempts) {
    yield csvLine(COLUMNS.map((column) => cellIn(attempt, column)));
  }
}

/** Positions count from 1, the primary, as everywhere else. */
function cellIn(attempt: AttemptExport, column: (typeof COLUMNS)[number]): string | number | null {
  if (column === 'at') return new Date(attempt.at).toISOString();
  if (column === 'position') return attempt.position === null ? null : attempt.position + 1;
  return attempt[column];
}

/** One line of RFC 4180. A text that looks like a formula begins with `'`. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const shown = visible(value);
  // NFKC: the forms in full width and the small ones count as well.
  const text = FORMULA.test(shown.normalize('NFKC')) ? `'${shown}` : shown;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
