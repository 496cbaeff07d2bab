import { BENCHMARKS, type BenchmarkId, CONSTANTS, inUnitOf, isBenchmark, UNITS, type Unit } from '../base/benchmarks';
import { BenchmarkValue, VALUE_KINDS } from '../base/values';
import { readNumber, type WrittenNumber } from './number-text';
import { type Problem, shown } from './problem';

/** An unchecked value from a text; absent fields are undefined. */
export type RawValue = Readonly<{
  line: number | null;
  place: string;
  record: unknown;
  benchmark: BenchmarkId;
  value: unknown;
  unit?: unknown;
  /** Of a bare number; null if the format declares none. */
  formUnit: Unit | null;
  source?: unknown;
  date?: unknown;
  kind?: unknown;
  origin?: unknown;
  note?: unknown;
}>;

export type RawTable = Readonly<{
  values: RawValue[];
  strangers: Map<string, number>;
  problems: Problem[];
}>;

export type RawReading = Readonly<{ ok: true; table: RawTable }> | Readonly<{ ok: false; reason: string }>;

export const emptyTable = (): RawTable => ({ values: [], strangers: new Map(), problems: [] });

export const countStranger = ({ strangers }: RawTable, name: string): unknown =>
  strangers.set(name, (strangers.get(name) ?? 0) + 1);

export type Defaults = Readonly<{ source: string; date: string | null }>;

const MOST: Readonly<Record<Unit, number>> = {
  fraction: 1,
  percent: CONSTANTS.MAX_PERCENT_SCORE,
  index: CONSTANTS.MAX_INDEX_SCORE,
  elo: Number.POSITIVE_INFINITY,
  tokens: Number.POSITIVE_INFINITY,
};

const RULES: Readonly<Record<string, string>> = {
  record: 'a model name must have 1 to 300 characters',
  source: 'a source must have 1 to 500 characters',
  date: 'a date must be a day such as 2026-01-31',
  kind: `a kind must be one of ${VALUE_KINDS.join(', ')}`,
  origin: 'its origin is unknown',
  note: 'a note must have at most 500 characters',
};

/** Matches ids with other separators and capitals, as in `SWE_bench_Pro` and `GDPval-AA ELO`. */
export function benchmarkNamed(name: string): BenchmarkId | null {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const id = words.join('_');
  return isBenchmark(id) ? id : null;
}

/** @returns null if missing; a message for the user if invalid. */
export function readValue(raw: RawValue, defaults: Defaults): BenchmarkValue | string | null {
  const number = readNumber(raw.value);
  if (number === null || typeof number === 'string') return number;
  const unit = unitOf(raw, number);
  if (unit.isRefused) return unit.reason;
  const problem = rangeProblem(raw.benchmark, number, unit.unit);
  if (problem !== null) return problem;
  const value = BenchmarkValue.safeParse({
    record: raw.record,
    benchmark: raw.benchmark,
    value: number.value,
    unit: unit.unit,
    source: raw.source ?? defaults.source,
    date: raw.date === undefined ? defaults.date : raw.date,
    kind: raw.kind ?? 'published',
    origin: raw.origin ?? 'import',
    note: raw.note ?? number.note,
  });
  return value.success ? value.data : (RULES[String(value.error.issues[0]?.path[0])] ?? 'it is not a valid value');
}

type UnitOf = Readonly<{ isRefused: false; unit: Unit }> | Readonly<{ isRefused: true; reason: string }>;

function unitOf({ unit, formUnit }: RawValue, number: WrittenNumber): UnitOf {
  const named = UNITS.find((candidate) => candidate === unit);
  if (named === undefined && unit !== undefined && unit !== null) {
    const name = typeof unit === 'string' ? shown(unit) : 'what stands there';
    return { isRefused: true, reason: `${name} is not one of the units ${UNITS.join(', ')}` };
  }
  if (named !== undefined && number.unit !== null && named !== number.unit)
    return { isRefused: true, reason: `${number.text} does not fit the unit ${named}` };
  const declared = number.unit ?? named ?? formUnit;
  return declared === null
    ? { isRefused: true, reason: `${number.text} has no unit: add one, or write 43 % or 12/15` }
    : { isRefused: false, unit: declared };
}

/** Returns a message for the user; null if the number is valid. */
export function rangeProblem(
  benchmark: BenchmarkId,
  { value, text }: Pick<WrittenNumber, 'value' | 'text'>,
  unit: Unit,
): string | null {
  if (inUnitOf(benchmark, value, unit) === null)
    return `${text} has the unit ${unit}, which cannot be converted to ${BENCHMARKS[benchmark].unit}, the unit of ${benchmark}`;
  if (value <= MOST[unit]) return null;
  if (unit !== 'fraction') return `${text} is more than 100, the maximum of ${benchmark}`;
  const asPercent = value <= MOST.percent ? `: write ${text} % or ${asFraction(value)}` : '';
  return `${text} is more than 1, the maximum of a fraction${asPercent}`;
}

/** Twelve digits: 58.7 / 100 must not become 0.5870000000000001. */
const asFraction = (percent: number): number => Number((percent / CONSTANTS.MAX_PERCENT_SCORE).toPrecision(12));
