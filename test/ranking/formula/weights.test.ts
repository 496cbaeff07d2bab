import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BENCHMARK_IDS, type BenchmarkId } from '../../../src/features/ranking/rules/base/benchmarks';
import type { Weights } from '../../../src/features/ranking/rules/base/roles';
import { parseFormula } from '../../../src/features/ranking/rules/formula/parse';
import { formulaTextOf, withWeight, withWeights } from '../../../src/features/ranking/rules/formula/weights';
import { runs } from '../../support/runs';
import { anyWeights } from './any-weights';

const sumOf = (weights: Weights): number => Object.values(weights).reduce((sum, weight) => sum + weight, 0);

describe('given weights', () => {
  it('when they are written as a formula, then it has the published form, what counts most first', () => {
    expect(formulaTextOf({ hle: 0.05, aime: 0.2, mmlu_pro: 0.1, gpqa: 0.45, math_index: 0.2, tau2: 0 })).toBe(
      '(gpqa * 0.45) + (aime * 0.2) + ((math_index / MAX_INDEX_SCORE) * 0.2) + (mmlu_pro * 0.1) + (hle * 0.05)',
    );
    expect(formulaTextOf({ swe_bench_pro: 0.5, context_length: 0.25, gdpval_aa_elo: 0.25 })).toBe(
      '((swe_bench_pro / MAX_PERCENT_SCORE) * 0.5) + ((context_length / MAX_CONTEXT_LENGTH) * 0.25) + ((gdpval_aa_elo / MAX_GDPVAL_AA_ELO) * 0.25)',
    );
  });

  it('when any are written and read again, then they are the same', () => {
    fc.assert(
      fc.property(anyWeights, (weights) => {
        const parsed = parseFormula(formulaTextOf(weights));
        const read = parsed.ok ? parsed.formula.weights : null;
        expect(Object.keys(read ?? {}).toSorted()).toEqual(Object.keys(weights).toSorted());
        for (const id of BENCHMARK_IDS) expect(read?.[id] ?? 0).toBeCloseTo(weights[id] ?? 0, 11);
      }),
      { numRuns: runs(1000, 50) },
    );
  });
});

describe('given weights of which a person moves one', () => {
  it.each<[string, Weights, BenchmarkId, number, Weights]>([
    ['down', { gpqa: 0.5, hle: 0.3, aime: 0.2 }, 'gpqa', 0, { gpqa: 0, aime: 0.4, hle: 0.6 }],
    ['up', { gpqa: 0.5, hle: 0.3, aime: 0.2 }, 'gpqa', 0.75, { gpqa: 0.75, aime: 0.1, hle: 0.15 }],
    ['to all', { gpqa: 0.5, hle: 0.5 }, 'gpqa', 1, { gpqa: 1, hle: 0 }],
    ['back from all', { gpqa: 1, hle: 0, aime: 0 }, 'gpqa', 0.5, { gpqa: 0.5, aime: 0.25, hle: 0.25 }],
    ['that is alone', { gpqa: 1 }, 'gpqa', 0.3, { gpqa: 1 }],
    ['in', { gpqa: 0.6, hle: 0.4 }, 'aime', 0.5, { gpqa: 0.3, aime: 0.5, hle: 0.2 }],
    // Of 10,000 steps three cannot have alike.
    [
      'away from three',
      { gpqa: 1, mmlu_pro: 0, aime: 0, hle: 0 },
      'gpqa',
      0,
      {
        gpqa: 0,
        mmlu_pro: 0.3334,
        aime: 0.3333,
        hle: 0.3333,
      },
    ],
    // 4,999.5, 2,499.75 and 2,499.75 steps: the two that are left over go to the larger remainders.
    [
      'from three of which each has a rest',
      { gpqa: 0, mmlu_pro: 0.5, aime: 0.25, hle: 0.25 },
      'gpqa',
      0.0001,
      { gpqa: 0.0001, mmlu_pro: 0.4999, aime: 0.25, hle: 0.25 },
    ],
  ])('when it is moved %s, then the others give or take in proportion', (_, weights, benchmark, weight, moved) => {
    expect(withWeight(weights, benchmark, weight)).toEqual(moved);
  });

  it('when it is put where no weight can be, then it is a bug that says so', () => {
    expect(() => withWeight({ gpqa: 1 }, 'gpqa', 1.1)).toThrow('weight must be from 0 to 1, got 1.1');
    expect(() => withWeight({ gpqa: 1 }, 'gpqa', Number.NaN)).toThrow(RangeError);
  });

  it('when any is moved anywhere, again and again, then they come to 1 and the one is where it was put', () => {
    const move = fc.tuple(fc.constantFrom(...BENCHMARK_IDS), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(anyWeights, fc.array(move, { minLength: 1, maxLength: 10 }), (weights, moves) => {
        let moved = weights;
        for (const [benchmark, weight] of moves) {
          const before = moved;
          moved = withWeight(before, benchmark, weight);
          const isAlone = Object.keys({ ...before, [benchmark]: 1 }).length === 1;
          expect(moved[benchmark]).toBe(isAlone ? 1 : Math.round(weight * 10_000) / 10_000);
          expect(Math.abs(sumOf(moved) - 1)).toBeLessThan(1e-9);
          expect(Object.values(moved).every((value) => Math.round(value * 10_000) / 10_000 === value)).toBe(true);
        }
      }),
      { numRuns: runs(1000, 50) },
    );
  });

  it('when one is moved, then of two others the heavier one stays the heavier one, within a ten-thousandth', () => {
    fc.assert(
      fc.property(anyWeights, fc.double({ min: 0, max: 1, noNaN: true }), (weights, weight) => {
        const [first, ...others] = BENCHMARK_IDS.filter((id) => weights[id] !== undefined);
        if (first === undefined) return;
        const moved = withWeight(weights, first, weight);
        const rest = sumOf(moved) - (moved[first] ?? 0);
        const restBefore = sumOf(weights) - (weights[first] ?? 0);
        for (const id of others) {
          const fair = (rest * (weights[id] ?? 0)) / restBefore;
          expect(Math.abs((moved[id] ?? 0) - fair)).toBeLessThan(1.0001e-4);
        }
      }),
      { numRuns: runs(1000, 50) },
    );
  });
});

describe('given several weights that are moved at once', () => {
  it('when others are left, then each is where it was put, and the others share the rest in proportion', () => {
    const weights = { gpqa: 0.1, hle: 0.3, aime: 0.6 };
    expect(withWeights(weights, { gpqa: 0.3, mmlu_pro: 0.1 })).toEqual({
      ...{ gpqa: 0.3, mmlu_pro: 0.1, aime: 0.4, hle: 0.2 },
    });
  });

  it('when no other is left, then they are scaled to 1, and more than 1 together is refused', () => {
    expect(withWeights({ gpqa: 0.5, hle: 0.5 }, { gpqa: 0.6, hle: 0.2 })).toEqual({ gpqa: 0.75, hle: 0.25 });
    expect(() => withWeights({ gpqa: 1 }, { gpqa: 0.7, hle: 0.7 })).toThrow(
      'the sum of weights must be at most 1, got 1.4',
    );
  });
});
