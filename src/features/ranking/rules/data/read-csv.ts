import { hiddenAgain } from '../../../../engine/tools';
import { BENCHMARKS } from '../base/benchmarks';
import { type CsvRow, csvRows } from './csv-rows';
import { shown } from './problem';
import { benchmarkNamed, countStranger, emptyTable, type RawReading, type RawTable } from './raw-value';

const SEPARATORS = [',', ';', '\t'];
const BESIDE = ['source', 'date', 'kind', 'note'];
/** An export adds a `'` before text that a spreadsheet would run. */
const GUARDED = /^'+[=+\-@\t\r]/;

/** One benchmark per column, or one value per row. */
export function readCsv(text: string): RawReading {
  for (const separator of SEPARATORS) {
    const [head, ...rows] = csvRows(text, separator);
    const columns = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
    if (!columns.includes('model')) continue;
    if (columns.includes('benchmark') && columns.includes('value')) return { ok: true, table: ofLong(columns, rows) };
    if (columns.some((column) => benchmarkNamed(column) !== null)) return { ok: true, table: ofWide(columns, rows) };
  }
  return { ok: false, reason: 'The text is neither JSON nor a table with “model” and benchmarks in its first line.' };
}

function ofLong(columns: readonly string[], rows: readonly CsvRow[]): RawTable {
  const table = emptyTable();
  const columnNames = ['model', 'benchmark', 'value', 'unit', ...BESIDE];
  for (const column of columns) if (column !== '' && !columnNames.includes(column)) countStranger(table, column);
  for (const { line, said } of saidIn(columns, rows, table)) {
    const [record, name] = [said.get('model') ?? '', said.get('benchmark') ?? ''];
    const benchmark = benchmarkNamed(name);
    if (benchmark === null) countStranger(table, name);
    else {
      const place = `${shown(record)}, ${name}`;
      const [value, unit] = [said.get('value'), said.get('unit')];
      table.values.push({ line, place, record, benchmark, value, unit, formUnit: null, ...beside(said) });
    }
  }
  return table;
}

/** Like the published `model_benchmarks.json`, one unit per benchmark. */
function ofWide(columns: readonly string[], rows: readonly CsvRow[]): RawTable {
  const table = emptyTable();
  const columnNames = ['', 'model', ...BESIDE];
  for (const column of columns) {
    if (!columnNames.includes(column) && benchmarkNamed(column) === null) countStranger(table, column);
  }
  for (const { line, said } of saidIn(columns, rows, table)) {
    const record = said.get('model') ?? '';
    for (const [column, value] of said) {
      const benchmark = benchmarkNamed(column);
      if (benchmark === null) continue;
      const formUnit = BENCHMARKS[benchmark].unit;
      const place = `${shown(record)}, ${column}`;
      table.values.push({ line, place, record, benchmark, value, formUnit, ...beside(said) });
    }
  }
  return table;
}

type Said = ReadonlyMap<string, string>;

const beside = (cells: Said) => Object.fromEntries(BESIDE.map((column) => [column, cells.get(column)]));

function* saidIn(columns: readonly string[], rows: readonly CsvRow[], { problems }: RawTable) {
  for (const row of rows) {
    const problem = rowProblem(row, columns.length);
    if (problem !== null) {
      problems.push({ line: row.line, message: problem });
      continue;
    }
    const cells = new Map<string, string>();
    for (const [index, cell] of row.cells.entries()) {
      const column = columns[index];
      if (column !== undefined && cell !== '')
        cells.set(column, hiddenAgain(GUARDED.test(cell.normalize('NFKC')) ? cell.slice(1) : cell));
    }
    yield { line: row.line, said: cells };
  }
}

/** A row that is too long has shifted cells, as when 43,2 becomes two. */
function rowProblem({ cells, isBroken }: CsvRow, width: number): string | null {
  if (isBroken) return 'a quotation mark is not closed';
  if (cells.length <= width) return null;
  return `it has ${cells.length} cells instead of ${width}: write 43.2 for 43,2, and put texts in quotation marks`;
}
