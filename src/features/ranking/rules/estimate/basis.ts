import { BENCHMARK_IDS, type BenchmarkId, normalized } from '../base/benchmarks';
import { type ModelValues, ownUnit } from '../base/values';

export const TARGET = 'swe_bench_pro';

/**
 * Minimum of models with a known target, and of features that each shares with the model. Source: the specification.
 */
export const ANCHORS_MIN = 8;
export const FEATURES_MIN = 3;

/** Closer numbers are equal: far below the last digit of any source. */
export const SAME = 1e-9;

/**
 * Anchors per feature: with two a linear fit holds. Source: Austin, Steyerberg, J. Clin. Epidemiol. 68 (2015) 627-636.
 */
const ANCHORS_PER_FEATURE = 2;

/**
 * Excludes the context window: it is no test result, alike in most models and known of all, so two tests would pass
 * for three.
 */
const FEATURES = BENCHMARK_IDS.filter((benchmark) => benchmark !== TARGET && benchmark !== 'context_length');

export type Basis = Readonly<{
  features: readonly BenchmarkId[];
  row: readonly number[];
  anchors: readonly Readonly<{ row: readonly number[]; target: number }>[];
}>;

/** Why no estimate is possible: usable features of the model, or anchors that share enough. */
export type NoBasis =
  | Readonly<{ code: 'features.few'; features: number }>
  | Readonly<{ code: 'anchors.few'; anchors: number }>;

type Shares = ReadonlyMap<BenchmarkId, number>;

/**
 * Selects features and anchors for an estimate. Only complete rows count; estimates count as missing.
 * Takes the largest complete table: anchors times features, with features up to half the anchors; then the most
 * anchors, then the order of the benchmarks. It ignores the targets: a set selected for its small error would promise
 * too much.
 */
export function basisFor(record: string, records: ReadonlyMap<string, ModelValues>): Basis | NoBasis {
  const own = sharesOf(records.get(record) ?? {});
  const present = FEATURES.filter((feature) => own.has(feature));
  if (present.length < FEATURES_MIN) return { code: 'features.few', features: present.length };
  const anchors = anchorsBeside(record, records);
  const sets = setsOf(present, anchors);
  const most = Math.max(0, ...sets.map((set) => set.anchors));
  if (most < ANCHORS_MIN) return { code: 'anchors.few', anchors: most };
  let widest = 0;
  for (const set of sets.filter((one) => one.anchors >= ANCHORS_MIN).toSorted(largerFirst)) {
    const used = present.filter((_, at) => (set.mask & (1 << at)) !== 0);
    const sharing = anchors.filter(({ shares }) => used.every((feature) => shares.has(feature)));
    const features = varyingIn(used, sharing);
    if (features.length >= FEATURES_MIN) return basisOf(features, own, sharing);
    widest = Math.max(widest, features.length);
  }
  return { code: 'features.few', features: widest };
}

function basisOf(features: readonly BenchmarkId[], own: Shares, anchors: readonly Anchor[]): Basis {
  const rowOf = (shares: Shares) => features.map((feature) => shares.get(feature) ?? 0);
  return { features, row: rowOf(own), anchors: anchors.map(({ shares, target }) => ({ row: rowOf(shares), target })) };
}

function sharesOf(values: ModelValues): Shares {
  const shares = new Map<BenchmarkId, number>();
  for (const benchmark of BENCHMARK_IDS) {
    const value = values[benchmark];
    const number = value === undefined || value.kind === 'estimated' ? null : ownUnit(value);
    if (number !== null) shares.set(benchmark, normalized(benchmark, number));
  }
  return shares;
}

type Anchor = Readonly<{ shares: Shares; target: number }>;

/** Other records with a known target, sorted so that sums are equal to the last bit. */
function anchorsBeside(record: string, records: ReadonlyMap<string, ModelValues>): readonly Anchor[] {
  const names = [...records.keys()].filter((name) => name !== record).toSorted();
  return names.flatMap((name) => {
    const shares = sharesOf(records.get(name) ?? {});
    const target = shares.get(TARGET);
    return target === undefined ? [] : [{ shares, target }];
  });
}

type FeatureSet = Readonly<{ mask: number; features: number; anchors: number }>;

/**
 * Feature sets that some anchors share with the model and each other; any other set has the same anchors and fewer
 * features.
 */
function setsOf(benchmarks: readonly BenchmarkId[], anchors: readonly Anchor[]): readonly FeatureSet[] {
  const counts = new Map<number, number>();
  for (const { shares } of anchors) {
    const mask = benchmarks.reduce((bits, feature, at) => (shares.has(feature) ? bits | (1 << at) : bits), 0);
    counts.set(mask, (counts.get(mask) ?? 0) + 1);
  }
  const shared = new Set<number>();
  for (const mask of counts.keys()) {
    for (const other of [...shared]) shared.add(other & mask);
    shared.add(mask);
  }
  const sets = [...shared].map((mask) => ({ mask, features: bitsIn(mask), anchors: anchorsWith(mask, counts) }));
  return sets.filter(({ features }) => features >= FEATURES_MIN);
}

const bitsIn = (mask: number): number => (mask === 0 ? 0 : (mask & 1) + bitsIn(mask >>> 1));

function anchorsWith(mask: number, counts: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const [known, count] of counts) if ((known & mask) === mask) sum += count;
  return sum;
}

const sizeOf = ({ features, anchors }: FeatureSet): number =>
  anchors * Math.min(features, Math.floor(anchors / ANCHORS_PER_FEATURE));

const largerFirst = (one: FeatureSet, other: FeatureSet): number =>
  sizeOf(other) - sizeOf(one) || other.anchors - one.anchors || one.mask - other.mask;

/** Features that differ between the anchors: constant ones explain nothing. */
const varyingIn = (features: readonly BenchmarkId[], anchors: readonly Anchor[]): readonly BenchmarkId[] =>
  features.filter((feature) => spanOf(anchors.map(({ shares }) => shares.get(feature) ?? 0)) >= SAME);

export const spanOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
