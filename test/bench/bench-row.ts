export type Unit = 'ms' | 'µs' | 'ns' | 'B' | 'kB' | 'MiB' | 'timers' | 'tasks' | 'times' | '%';

/** One line of the bench's table. */
export type BenchRow = Measured | Unmeasured;

export type Measured = Readonly<{
  name: string;
  unit: Unit;
  median: number;
  p95: number;
  /** Samples behind the figures. */
  runs: number;
  /** The most the median may be, in `unit`. */
  target?: number;
  note?: string;
}>;

/** What could not be measured here, and why. */
export type Unmeasured = Readonly<{ name: string; why: string }>;

type Remarks = Readonly<{ target?: number; note?: string }>;

/** Median and 95th percentile (nearest rank) of samples, as a row. */
export function rowOf(name: string, unit: Unit, samples: readonly number[], remarks: Remarks = {}): Measured {
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { name, unit, median: rank(0.5), p95: rank(0.95), runs: samples.length, ...remarks };
}

const figure = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

const HEAD = ['', 'median', 'p95', 'runs', 'target'] as const;

function cellsOf(row: BenchRow): readonly string[] {
  if ('why' in row) return [row.name, `not measured: ${row.why}`];
  const { name, unit, median, p95, runs, target, note = '' } = row;
  const verdict = target === undefined ? '' : `${target} ${unit}, ${median <= target ? 'met' : 'missed'}`;
  return [name, `${figure(median)} ${unit}`, `${figure(p95)} ${unit}`, String(runs), verdict, note];
}

/** The rows of one part of the bench as lines of text. */
export function tableOf(title: string, rows: readonly BenchRow[]): string {
  const table = [[title, ...HEAD.slice(1)], ...rows.map(cellsOf)];
  const measured = table.filter((cells) => cells.length > 2);
  const widths = HEAD.map((_, column) => Math.max(...measured.map((cells) => cells[column]?.length ?? 0)));
  widths[0] = Math.max(...table.map(([name = '']) => name.length));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column > 0 && column < 4 && cells.length > 2
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return table.map(line).join('\n');
}
