import { BENCHMARK_IDS, type BenchmarkId, normalized } from '../base/benchmarks';
import { type ModelValues, ownUnit } from '../base/values';

/** The benchmark that is estimated. */
export const TARGET = 'swe_bench_pro';

/**
 * Fewest models with a known target, and fewest features each of them shares with the model. Source: the specification.
 */
export const ANCHORS_MIN = 8;
export const FEATURES_MIN = 3;

/** Numbers closer than this are one: far below the last digit that any source gives. */
export const SAME = 1e-9;

/**
 * Anchors that each feature needs: with two a linear fit holds. Source: Austin, Steyerberg, J. Clin. Epidemiol. 68
 * (2015) 627-636.
 */
const ANCHORS_PER_FEATURE = 2;

/**
 * What a target can be told from: not from itself, and not from the context window, which is no result of a test, is
 * alike in most models and known of all of them, so that two tests would pass for three.
 */
const FEATURES = BENCHMARK_IDS.filter((benchmark) => benchmark !== TARGET && benchmark !== 'context_length');

export type Basis = Readonly<{
  /** In the order of the benchmarks. */
  features: readonly BenchmarkId[];
  row: readonly number[];
  anchors: readonly Readonly<{ row: readonly number[]; target: number }>[];
}>;

/**
 * Why there is none, with what there is: features of the model that can be used, or anchors that share as many as are
 * needed.
 */
export type NoBasis =
  | Readonly<{ code: 'features.few'; features: number }>
  | Readonly<{ code: 'anchors.few'; anchors: number }>;

type Shares = ReadonlyMap<BenchmarkId, number>;

/**
 * The features and anchors that an estimate for a record goes by. Only complete rows count, so no gap is filled; what
 * is itself an estimate counts as missing.
 *
 * Of all sets of features the largest full table is taken: the most anchors times features, where features beyond half
 * as many as the anchors add nothing; then the most anchors, then the order of the benchmarks. What the targets are has
 * no say in it: a set that was picked for its small error would promise more than it keeps.
 */
export function basisFor(record: string, records: ReadonlyMap<string, ModelValues>): Basis | NoBasis {
  const own = sharesOf(records.get(record) ?? {});
  const known = FEATURES.filter((feature) => own.has(feature));
  if (known.length < FEATURES_MIN) return { code: 'features.few', features: known.length };
  const anchors = anchorsBeside(record, records);
  const sets = setsOf(known, anchors);
  const most = Math.max(0, ...sets.map((set) => set.anchors));
  if (most < ANCHORS_MIN) return { code: 'anchors.few', anchors: most };
  let widest = 0;
  for (const set of sets.filter((one) => one.anchors >= ANCHORS_MIN).toSorted(largerFirst)) {
    const asked = known.filter((_, at) => (set.mask & (1 << at)) !== 0);
    const sharing = anchors.filter(({ shares }) => asked.every((feature) => shares.has(feature)));
    const features = varyingIn(asked, sharing);
    if (features.length >= FEATURES_MIN) return basisOf(features, own, sharing);
    widest = Math.max(widest, features.length);
  }
  return { code: 'features.few', features: widest };
}

function basisOf(features: readonly BenchmarkId[], own: Shares, anchors: readonly Anchor[]): Basis {
  const rowOf = (shares: Shares) => features.map((feature) => shares.get(feature) ?? 0);
  return { features, row: rowOf(own), anchors: anchors.map(({ shares, target }) => ({ row: rowOf(shares), target })) };
}

/** What is known of a record, each as a share of the most it counts for. */
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

/**
 * Every other record whose target is known, in the order of their names, so that sums come out alike to the last bit.
 */
function anchorsBeside(record: string, records: ReadonlyMap<string, ModelValues>): readonly Anchor[] {
  const names = [...records.keys()].filter((name) => name !== record).toSorted();
  return names.flatMap((name) => {
    const shares = sharesOf(records.get(name) ?? {});
    const target = shares.get(TARGET);
    return target === undefined ? [] : [{ shares, target }];
  });
}

/** Features as bits, how many those are, and how many anchors have all of them. */
type FeatureSet = Readonly<{ mask: number; features: number; anchors: number }>;

/**
 * The sets of features worth a look: what some anchors share with the model and with each other. Any other set has the
 * anchors of one of these, and fewer features.
 */
function setsOf(known: readonly BenchmarkId[], anchors: readonly Anchor[]): readonly FeatureSet[] {
  const counts = new Map<number, number>();
  for (const { shares } of anchors) {
    const mask = known.reduce((bits, feature, at) => (shares.has(feature) ? bits | (1 << at) : bits), 0);
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

/** The features that differ between the anchors: what is the same in all tells none from another. */
const varyingIn = (features: readonly BenchmarkId[], anchors: readonly Anchor[]): readonly BenchmarkId[] =>
  features.filter((feature) => spanOf(anchors.map(({ shares }) => shares.get(feature) ?? 0)) >= SAME);

/** From the least to the most. */
export const spanOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
