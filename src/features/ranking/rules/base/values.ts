import * as z from 'zod';
import { BENCHMARK_IDS, type BenchmarkId, inUnitOf, UNITS } from './benchmarks';

/** `measured`: here. `published`: by the model's maker or a tester. `estimated`: calculated from other values. */
export const VALUE_KINDS = ['measured', 'published', 'estimated'] as const;

/** For duplicates the origin listed earlier counts. */
export const ORIGINS = [
  'hand',
  'lm_eval',
  'import',
  'opencode',
  'research',
  'artificial_analysis',
  'starter',
  'estimate',
] as const;
export type Origin = (typeof ORIGINS)[number];

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const SOURCE_MAX_CHARS = 500;

/** A published id such as `anthropic/claude-opus-4-6`, or a source's name of a model. */
export const RecordId = z.string().min(1).max(300);

export const BenchmarkValue = z.object({
  record: RecordId,
  benchmark: z.enum(BENCHMARK_IDS),
  value: z.number().nonnegative(),
  unit: z.enum(UNITS),
  source: z.string().min(1).max(SOURCE_MAX_CHARS),
  /** As its source states it; null without one. */
  date: z.string().regex(DATE, 'must be a day such as 2026-01-31').nullable(),
  kind: z.enum(VALUE_KINDS),
  origin: z.enum(ORIGINS),
  note: z.string().max(SOURCE_MAX_CHARS).nullable(),
});
export type BenchmarkValue = z.infer<typeof BenchmarkValue>;

export type ModelValues = Readonly<Partial<Record<BenchmarkId, BenchmarkValue>>>;

/** Null if the units have no common measure. */
export const ownUnit = ({ benchmark, value, unit }: BenchmarkValue): number | null => inUnitOf(benchmark, value, unit);

/** Prefers by origin, then the newest, then by source, whatever the input order. */
export function valuesByRecord(values: Iterable<BenchmarkValue>): ReadonlyMap<string, ModelValues> {
  const records = new Map<string, Partial<Record<BenchmarkId, BenchmarkValue>>>();
  for (const value of values) {
    if (ownUnit(value) === null) continue;
    const existing = records.get(value.record) ?? {};
    const rival = existing[value.benchmark];
    if (rival === undefined || isBefore(value, rival)) existing[value.benchmark] = value;
    records.set(value.record, existing);
  }
  return records;
}

function isBefore(one: BenchmarkValue, other: BenchmarkValue): boolean {
  const byOrigin = ORIGINS.indexOf(one.origin) - ORIGINS.indexOf(other.origin);
  if (byOrigin !== 0) return byOrigin < 0;
  const [day, otherDay] = [one.date ?? '', other.date ?? ''];
  if (day !== otherDay) return day > otherDay;
  if (one.source !== other.source) return one.source < other.source;
  return one.value < other.value;
}
