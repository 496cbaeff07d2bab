import type { QueryOutput } from '../../../contract/contract';
import {
  BENCHMARK_IDS,
  type BenchmarkId,
  type BenchmarkValue,
  normalized,
  ownUnit,
  type RankAnswer,
  type RankedRow,
} from '../contract/ranking';

export type HeatRow = Readonly<{
  model: string;
  record: string | null;
  values: ReadonlyMap<BenchmarkId, BenchmarkValue>;
  ranked: RankedRow | null;
}>;

export type Cell = Readonly<{ row: HeatRow; benchmark: BenchmarkId }>;

export function heatRows(values: QueryOutput<'rank.values'>, answer: RankAnswer): readonly HeatRow[] {
  const ranked = new Map(answer.proposal?.models.map((row, place) => [row.model, { row, place }]) ?? []);
  const placeOf = ({ model }: HeatRow): number => ranked.get(model)?.place ?? Number.POSITIVE_INFINITY;
  return values
    .map(({ model, record, values: own }) => ({
      model,
      record,
      ranked: ranked.get(model)?.row ?? null,
      values: new Map(own.map((value) => [value.benchmark, value])),
    }))
    .toSorted((one, other) => placeOf(one) - placeOf(other) || (one.model < other.model ? -1 : 1));
}

export function countedIn(formula: RankAnswer['formula']): readonly BenchmarkId[] {
  const weightOf = (benchmark: BenchmarkId): number => formula?.weights?.[benchmark] ?? 0;
  return (formula?.benchmarks ?? []).toSorted((one, other) => weightOf(other) - weightOf(one));
}

export const columnsOf = (counted: readonly BenchmarkId[], isAll: boolean): readonly BenchmarkId[] =>
  isAll || counted.length === 0
    ? [...counted, ...BENCHMARK_IDS.filter((benchmark) => !counted.includes(benchmark))]
    : counted;

/** Null if not comparable. */
export function shareIn(value: BenchmarkValue): number | null {
  const own = ownUnit(value);
  return own === null ? null : normalized(value.benchmark, own);
}

const SHADES = 5;

/** Shade of a value in its column, from 0 for the lowest to 4. */
export function shadesOf(rows: readonly HeatRow[], column: BenchmarkId): (value: BenchmarkValue) => number {
  const shares = rows.flatMap(({ values }) => {
    const value = values.get(column);
    const share = value && shareIn(value);
    return share == null ? [] : [share];
  });
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  return (value) => {
    const share = shareIn(value) ?? low;
    if (high <= low) return Math.floor(SHADES / 2);
    return Math.min(SHADES - 1, Math.floor((SHADES * (share - low)) / (high - low)));
  };
}
