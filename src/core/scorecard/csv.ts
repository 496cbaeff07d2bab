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

/** Spreadsheets run a text that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** RFC 4180 with a header. A text that looks like a formula is prefixed with `'`. */
export function* csvLines(attempts: Iterable<AttemptExport>): Generator<string> {
  yield csvLine(COLUMNS);
  for (const attempt of attempts) {
    yield csvLine(COLUMNS.map((column) => cellIn(attempt, column)));
  }
}

/** Positions count from 1, the primary, as in the whole interface. */
function cellIn(attempt: AttemptExport, column: (typeof COLUMNS)[number]): string | number | null {
  if (column === 'at') return new Date(attempt.at).toISOString();
  if (column === 'position') return attempt.position === null ? null : attempt.position + 1;
  return attempt[column];
}

export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const shown = visible(value);
  // NFKC also catches full-width and small forms.
  const text = FORMULA.test(shown.normalize('NFKC')) ? `'${shown}` : shown;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
