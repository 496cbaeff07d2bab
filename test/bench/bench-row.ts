/** One line of the bench's table. */
export type BenchRow = Readonly<{
  name: string;
  unit: 'ms' | 'µs' | 'ns';
  median: number;
  p95: number;
  /** Samples behind the figures. */
  runs: number;
  note?: string;
}>;

/** Median and 95th percentile (nearest rank) of samples, as a row. */
export function rowOf(name: string, unit: BenchRow['unit'], samples: readonly number[], note?: string): BenchRow {
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  const row = { name, unit, median: rank(0.5), p95: rank(0.95), runs: samples.length };
  return note === undefined ? row : { ...row, note };
}
