import { visible, visibleJson } from '../../../../engine/tools';
import { BENCHMARK_IDS } from '../base/benchmarks';
import type { BenchmarkValue } from '../base/values';
import { EXPORT_MARK } from './read-json';

const COLUMNS = ['model', 'benchmark', 'value', 'unit', 'source', 'date', 'kind', 'note'];
/**
 * A spreadsheet would run a cell that begins like this; our `'` before it must stay distinguishable from the text's
 * own.
 */
const FORMULA = /^'*[=+\-@\t\r]/;
/** Includes space at an end, which reading would trim. */
const NEEDS_QUOTES = /[",;\r\n\t]|^\s|\s$/;

/** JSON that `readValues` reads back unchanged; the same bytes for any input order. */
export function exportValues(values: Iterable<BenchmarkValue>): string {
  const { understudy, version } = EXPORT_MARK;
  const lines = inOrder(values).map(({ line }) => `\n    ${line}`);
  const about = `"understudy": "${understudy}",\n  "version": ${version}`;
  return `{\n  ${about},\n  "values": [${lines.join(',')}\n  ]\n}\n`;
}

/** CSV in the same order. It omits the origin: reading it again is an import. */
export function exportCsv(values: Iterable<BenchmarkValue>): string {
  const rows = inOrder(values).map(({ value: { record, benchmark, value, unit, source, date, kind, note } }) =>
    [record, benchmark, String(value), unit, source, date ?? '', kind, note ?? ''].map(cellOf),
  );
  return [COLUMNS, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function cellOf(text: string): string {
  const shown = visible(text);
  const safe = FORMULA.test(shown.normalize('NFKC')) ? `'${shown}` : shown;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function inOrder(values: Iterable<BenchmarkValue>): readonly Readonly<{ value: BenchmarkValue; line: string }>[] {
  const lines = [...values].map((value) => ({ value, line: lineOf(value) }));
  return lines.sort(
    (one, other) =>
      order(one.value.record, other.value.record) ||
      BENCHMARK_IDS.indexOf(one.value.benchmark) - BENCHMARK_IDS.indexOf(other.value.benchmark) ||
      order(one.line, other.line),
  );
}

const order = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const lineOf = ({ record, benchmark, value, unit, source, date, kind, origin, note }: BenchmarkValue): string =>
  visibleJson({ record, benchmark, value, unit, source, date, kind, origin, note }, 0);
