import { BENCHMARKS, type BenchmarkId, maximumOf } from '../../src/features/ranking/rules/base/benchmarks';
import type { BenchmarkValue, ModelValues } from '../../src/features/ranking/rules/base/values';

/** Share of the maximum per benchmark. */
export type Shares = Readonly<Partial<Record<BenchmarkId, number>>>;

export function madeUpValues(record: string, shares: Shares, more: Partial<BenchmarkValue> = {}): ModelValues {
  const values: Partial<Record<BenchmarkId, BenchmarkValue>> = {};
  for (const [name, share] of Object.entries(shares)) {
    const benchmark = name as BenchmarkId;
    values[benchmark] = {
      ...{ record, benchmark, value: share * maximumOf(benchmark), unit: BENCHMARKS[benchmark].unit },
      ...{ source: 'invented', date: null, kind: 'published', origin: 'import', note: null },
      ...more,
    };
  }
  return values;
}

export const madeUpRecords = (models: Readonly<Record<string, Shares>>): ReadonlyMap<string, ModelValues> =>
  new Map(Object.entries(models).map(([record, shares]) => [record, madeUpValues(record, shares)]));
