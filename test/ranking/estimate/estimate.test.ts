import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BenchmarkId } from '../../../src/features/ranking/rules/base/benchmarks';
import type { ModelValues } from '../../../src/features/ranking/rules/base/values';
import { basisFor } from '../../../src/features/ranking/rules/estimate/basis';
import { estimateSweBenchPro } from '../../../src/features/ranking/rules/estimate/estimate';
import { fitRidge } from '../../../src/features/ranking/rules/estimate/ridge';
import { madeUpRecords, madeUpValues, type Shares } from '../../support/made-up-scores';
import { runs } from '../../support/runs';

/** Chance that is the same each time. */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** From -1 to 1, most often near 0. */
const around = (chance: () => number) => (chance() + chance() + chance() + chance() - 2) / 2;

const nameOf = (at: number) => `invented/${String(at).padStart(2, '0')}`;

/** So many anchors, and `asked` besides, each of which has the shares that `sharesAt` says. */
function records(count: number, sharesAt: (at: number) => Shares, asked: Shares): ReadonlyMap<string, ModelValues> {
  const anchors = Array.from({ length: count }, (_, at) => [nameOf(at), sharesAt(at)] as const);
  return madeUpRecords({ ...Object.fromEntries(anchors), asked });
}

/** Four tests that each say something of their own, and a target that is their sum and nothing else. */
const linearAt = (at: number): Shares => {
  const [gpqa, hle, scicode, livecodebench] = [(at * 7) % 11, (at * 5) % 13, (at * 3) % 7, (at * 11) % 17].map(
    (step) => 0.2 + step / 40,
  ) as [number, number, number, number];
  return {
    ...{ gpqa, hle, scicode, livecodebench },
    swe_bench_pro: 0.05 + 0.5 * gpqa + 0.3 * hle + 0.3 * scicode + 0.2 * livecodebench,
  };
};
const { swe_bench_pro: truth, ...asked } = linearAt(29);

describe('given twenty models whose SWE-Bench Pro follows from four other benchmarks', () => {
  const estimate = estimateSweBenchPro('asked', records(20, linearAt, asked));

  it('when it is worked out for another, then the truth is within 2 points and within the interval', () => {
    if (!estimate.ok) throw new Error(estimate.code);
    expect(Math.abs(estimate.value - 100 * truth!)).toBeLessThan(2);
    expect(estimate.interval.lower).toBeLessThan(100 * truth!);
    expect(estimate.interval.upper).toBeGreaterThan(100 * truth!);
    expect(estimate).toMatchObject({ anchors: 20, features: ['gpqa', 'hle', 'livecodebench', 'scicode'] });
    expect(estimate.looError).toBeLessThan(estimate.spread / 4);
  });

  it('when its own is known, then nothing changes: it is not told from itself', () => {
    const known = records(20, linearAt, { ...asked, swe_bench_pro: 0.01 });
    expect(estimateSweBenchPro('asked', known)).toEqual(estimate);
  });

  it('when one benchmark says the same as another, then the estimate stays within 2 points', () => {
    const twice = (shares: Shares): Shares => ({ ...shares, mmlu_pro: shares.gpqa! });
    const doubled = estimateSweBenchPro(
      'asked',
      records(20, (at) => twice(linearAt(at)), twice(asked)),
    );
    if (!estimate.ok || !doubled.ok) throw new Error('both are to be had');
    expect(doubled.features).toContain('mmlu_pro');
    expect(Math.abs(doubled.value - estimate.value)).toBeLessThan(2);
  });

  it('when a benchmark is the same in all of them, then it is not among what the estimate goes by', () => {
    const alike = (shares: Shares): Shares => ({ ...shares, mmlu_pro: 0.8 });
    const found = estimateSweBenchPro(
      'asked',
      records(20, (at) => alike(linearAt(at)), { ...asked, mmlu_pro: 0.3 }),
    );
    expect(found).toEqual(estimate);
  });

  it('when context windows are known, then they are not among it either', () => {
    const wide = (shares: Shares, at: number): Shares => ({ ...shares, context_length: at / 20 });
    const found = estimateSweBenchPro(
      'asked',
      records(20, (at) => wide(linearAt(at), at), wide(asked, 3)),
    );
    expect(found).toEqual(estimate);
  });

  it('when the interval is drawn, then by the 97.5 % quantile of 19 degrees of freedom, wider the farther out', () => {
    if (!estimate.ok) throw new Error(estimate.code);
    const basis = basisFor('asked', records(20, linearAt, asked));
    if ('code' in basis) throw new Error(basis.code);
    const targets = basis.anchors.map(({ target }) => 100 * target);
    const { leverage } = fitRidge(
      basis.anchors.map(({ row }) => row),
      targets,
      1,
    ).read(basis.row);
    const reach = (estimate.interval.upper - estimate.interval.lower) / 2;
    expect(reach / (estimate.looError * Math.sqrt(1 + leverage))).toBeCloseTo(2.093, 3);
  });

  it('when they come in any other order, then the same bytes come out', () => {
    const all = [...records(20, linearAt, asked)];
    const bytes = JSON.stringify(estimate);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(JSON.stringify(estimateSweBenchPro('asked', new Map(shuffled)))).toBe(bytes);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('given too little to go by', () => {
  it('when 7 models share its benchmarks, then it takes 8', () => {
    expect(estimateSweBenchPro('asked', records(7, linearAt, asked))).toEqual({
      ...{ ok: false, code: 'anchors.few', anchors: 7, needed: 8 },
    });
    expect(estimateSweBenchPro('asked', records(8, linearAt, asked))).not.toHaveProperty('needed');
  });

  it('when models with a known value share 2 benchmarks with it, then there are none', () => {
    const two = ({ gpqa, hle, swe_bench_pro }: Shares): Shares => ({
      ...{ gpqa: gpqa!, hle: hle!, swe_bench_pro: swe_bench_pro! },
    });
    expect(
      estimateSweBenchPro(
        'asked',
        records(20, (at) => two(linearAt(at)), asked),
      ),
    ).toEqual({
      ...{ ok: false, code: 'anchors.few', anchors: 0, needed: 8 },
    });
  });

  it('when 2 of its tests are known, and its context window, then it takes 3', () => {
    const little = { gpqa: 0.5, hle: 0.3, context_length: 0.1, swe_bench_pro: 0.4 };
    expect(estimateSweBenchPro('asked', records(20, linearAt, little))).toEqual({
      ...{ ok: false, code: 'features.few', features: 2, needed: 3 },
    });
  });

  it('when nothing is known of it, or nobody knows it, then it takes 3', () => {
    const few = { ok: false, code: 'features.few', features: 0, needed: 3 };
    expect(estimateSweBenchPro('asked', records(20, linearAt, {}))).toEqual(few);
    expect(estimateSweBenchPro('unheard/of', new Map())).toEqual(few);
  });

  it('when one of 3 shared benchmarks is the same in all, then 2 tell something', () => {
    const flat = (shares: Shares): Shares => ({
      ...{ gpqa: shares.gpqa!, hle: shares.hle!, scicode: 0.4, swe_bench_pro: shares.swe_bench_pro! },
    });
    expect(
      estimateSweBenchPro(
        'asked',
        records(20, (at) => flat(linearAt(at)), asked),
      ),
    ).toEqual({
      ...{ ok: false, code: 'features.few', features: 2, needed: 3 },
    });
  });

  it('when a value is itself an estimate, then it counts as missing', () => {
    const estimated = (name: string, { swe_bench_pro, ...rest }: Shares): ModelValues => ({
      ...madeUpValues(name, rest),
      ...madeUpValues(name, { swe_bench_pro: swe_bench_pro! }, { kind: 'estimated', origin: 'estimate' }),
    });
    const eight = new Map(records(8, linearAt, asked)).set(nameOf(7), estimated(nameOf(7), linearAt(7)));
    expect(estimateSweBenchPro('asked', eight)).toMatchObject({ code: 'anchors.few', anchors: 7 });
    const own = new Map(records(8, linearAt, asked)).set('asked', madeUpValues('asked', asked, { kind: 'estimated' }));
    expect(estimateSweBenchPro('asked', own)).toMatchObject({ code: 'features.few', features: 0 });
  });

  it('when all known values are alike, then the others explain nothing', () => {
    const alike = records(12, (at) => ({ ...linearAt(at), swe_bench_pro: 0.436 }), asked);
    expect(estimateSweBenchPro('asked', alike)).toMatchObject({ ok: false, code: 'error.large', anchors: 12 });
  });
});

describe('given models of which different benchmarks are known', () => {
  const MANY: readonly BenchmarkId[] = [
    'gpqa',
    'hle',
    'scicode',
    'livecodebench',
    'tau2',
    'aime',
    'ifbench',
    'mmlu_pro',
  ];
  const only = (shares: Shares, names: readonly BenchmarkId[]): Shares =>
    Object.fromEntries([...names, 'swe_bench_pro' as const].map((name) => [name, shares[name]!]));
  const wideAt = (at: number): Shares => ({
    ...linearAt(at),
    ...Object.fromEntries(MANY.slice(4).map((name, to) => [name, ((at * (to + 2)) % 9) / 9])),
  });
  const { swe_bench_pro: _known, ...wide } = wideAt(29);
  const basisWith = (many: number, few: number) => {
    const basis = basisFor(
      'asked',
      records(many + few, (at) => only(wideAt(at), at < many ? MANY : MANY.slice(0, 3)), wide),
    );
    if ('code' in basis) throw new Error(basis.code);
    return { features: basis.features.length, anchors: basis.anchors.length };
  };

  it('when 16 know 8 benchmarks and 4 more know 3, then 128 numbers say more than 60', () => {
    expect(basisWith(16, 4)).toEqual({ features: 8, anchors: 16 });
  });

  it('when 8 know 8 benchmarks and 4 more know 3, then 8 are too few for 8 benchmarks', () => {
    expect(basisWith(8, 4)).toEqual({ features: 3, anchors: 12 });
  });
});

/** A model that is able in some measure, of which every test tells with an error of its own. */
function abilities(chance: () => number, count: number, isTold: boolean) {
  const draw = (): Shares => {
    const ability = around(chance);
    const score = () => 0.5 + 0.4 * ability + 0.1 * around(chance);
    const others = { gpqa: score(), hle: score(), scicode: score(), livecodebench: score() };
    return { ...others, swe_bench_pro: isTold ? score() : 0.5 + 0.4 * around(chance) };
  };
  const { swe_bench_pro, ...shares } = draw();
  return { truth: 100 * swe_bench_pro!, all: records(count, draw, shares) };
}

describe('given 300 made-up tables of 8 to 27 models', () => {
  const chance = chanceFrom(20_261_126);
  const played = (isTold: boolean) =>
    Array.from({ length: 300 }, (_, at) => abilities(chance, 8 + (at % 20), isTold)).flatMap(({ truth: real, all }) => {
      const estimate = estimateSweBenchPro('asked', all);
      return estimate.ok ? [{ real, ...estimate }] : [];
    });

  it('when the tests tell of it, then most get an estimate, and 19 of 20 intervals hold the truth', () => {
    const shown = played(true);
    expect(shown.length).toBeGreaterThan(200);
    const held = shown.filter(({ real, interval }) => interval.lower <= real && real <= interval.upper);
    expect(held.length / shown.length).toBeGreaterThan(0.95);
  });

  it('when it is chance alone, then at most 1 in 100 gets an estimate', () => {
    expect(played(false).length).toBeLessThanOrEqual(3);
  });
});

describe('given any values of any models', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const some = fc.record(
    { gpqa: share, hle: share, scicode: share, livecodebench: share, aime: share, swe_bench_pro: share },
    { requiredKeys: [] },
  );
  const told = fc
    .record({ gpqa: share, hle: share, scicode: share })
    .map((shares): Shares => ({ ...shares, swe_bench_pro: (shares.gpqa + shares.hle + shares.scicode) / 3 }));

  it('when one is worked out, then it lies from 0 to 100, in its interval, and its error is at most half the spread', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(some, { maxLength: 20 }), fc.array(told, { minLength: 8, maxLength: 20 })),
        some,
        (others, own) => {
          const estimate = estimateSweBenchPro(
            'asked',
            records(others.length, (at) => others[at]!, own as Shares),
          );
          if (!estimate.ok) return;
          const { value, interval, looError, spread, anchors, features } = estimate;
          expect(0 <= interval.lower && interval.lower <= value).toBe(true);
          expect(value <= interval.upper && interval.upper <= 100).toBe(true);
          expect(looError).toBeLessThanOrEqual(spread / 2);
          expect(anchors >= 8 && features.length >= 3).toBe(true);
        },
      ),
      { numRuns: runs(1000, 50) },
    );
  });
});
