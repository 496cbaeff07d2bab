import * as z from 'zod';
import { BENCHMARK_IDS, type BenchmarkId, inUnitOf, UNITS } from './benchmarks';

/**
 * `measured`: on this machine. `published`: by the model's maker or a tester. `estimated`: calculated from other
 * values.
 */
export const VALUE_KINDS = ['measured', 'published', 'estimated'] as const;

/** Origins of values; of two for the same benchmark and model the earlier origin in this list counts. */
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
/** Room for an address, or for a sentence instead. */
const SOURCE_MAX_CHARS = 500;

/** Record of a model's values: a published id such as `anthropic/claude-opus-4-6`, or a source's name. */
export const RecordId = z.string().min(1).max(300);

/** One benchmark result with its provenance. */
export const BenchmarkValue = z.object({
  record: RecordId,
  benchmark: z.enum(BENCHMARK_IDS),
  /** As its source reported it, in `unit`. */
  value: z.number().nonnegative(),
  unit: z.enum(UNITS),
  /** Its address, or a description of its origin. */
  source: z.string().min(1).max(SOURCE_MAX_CHARS),
  /** The date that its source states; null without one. */
  date: z.string().regex(DATE, 'must be a day such as 2026-01-31').nullable(),
  kind: z.enum(VALUE_KINDS),
  origin: z.enum(ORIGINS),
  note: z.string().max(SOURCE_MAX_CHARS).nullable(),
});
export type BenchmarkValue = z.infer<typeof BenchmarkValue>;

export type ModelValues = Readonly<Partial<Record<BenchmarkId, BenchmarkValue>>>;

/** The value in the unit of its benchmark; null if the units have no common measure. */
export const ownUnit = ({ benchmark, value, unit }: BenchmarkValue): number | null => inUnitOf(benchmark, value, unit);

/**
 * The value that counts for each benchmark of each record: by origin, then the newest, then by source, so that the
 * order of the input does not matter.
 */
export function valuesByRecord(values: Iterable<BenchmarkValue>): ReadonlyMap<string, ModelValues> {
  const records = new Map<string, Partial<Record<BenchmarkId, BenchmarkValue>>>();
  for (const value of values) {
    if (ownUnit(value) === null) continue;
    const known = records.get(value.record) ?? {};
    const rival = known[value.benchmark];
    if (rival === undefined || isBefore(value, rival)) known[value.benchmark] = value;
    records.set(value.record, known);
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
