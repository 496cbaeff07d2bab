import * as z from 'zod';
import { BENCHMARK_IDS, type BenchmarkId, inUnitOf, UNITS } from './benchmarks';

/** `measured`: on this machine. `published`: by whoever made or tests the model. `estimated`: worked out from other values. */
export const VALUE_KINDS = ['measured', 'published', 'estimated'] as const;

/** Which way a value came here; of two for the same benchmark of the same model the earlier way counts. */
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
/** Room for an address, and for a sentence that stands in its place. */
const SOURCE_MAX_CHARS = 500;

/** Under which name a model's values are kept: a published id such as `anthropic/claude-opus-4-6`, or a name from a source. */
export const RecordId = z.string().min(1).max(300);

/** One number that says how well a model did, with everything that says whether to believe it. */
export const BenchmarkValue = z.object({
  record: RecordId,
  benchmark: z.enum(BENCHMARK_IDS),
  /** As its source gave it, in `unit`. */
  value: z.number().nonnegative(),
  unit: z.enum(UNITS),
  /** The address it stands at, or in words where it comes from. */
  source: z.string().min(1).max(SOURCE_MAX_CHARS),
  /** The day its source gives it; null where the source gives none. */
  date: z.string().regex(DATE, 'must be a day such as 2026-01-31').nullable(),
  kind: z.enum(VALUE_KINDS),
  origin: z.enum(ORIGINS),
  note: z.string().max(SOURCE_MAX_CHARS).nullable(),
});
export type BenchmarkValue = z.infer<typeof BenchmarkValue>;

export type ModelValues = Readonly<Partial<Record<BenchmarkId, BenchmarkValue>>>;

/** A value in the unit of its benchmark; null where its own unit has no common measure with that. */
export const ownUnit = ({ benchmark, value, unit }: BenchmarkValue): number | null => inUnitOf(benchmark, value, unit);

/**
 * The value that counts of each benchmark of each record: by the way it came, then the newest, then by source, so that the
 * same values give the same answer in whatever order they come.
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
