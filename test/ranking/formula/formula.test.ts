import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BENCHMARK_IDS,
  type BenchmarkId,
  maximumOf,
  normalized,
} from '../../../src/features/ranking/rules/base/benchmarks';
import { KNOWN_MIN, scoreOf } from '../../../src/features/ranking/rules/formula/formula';
import { parseFormula } from '../../../src/features/ranking/rules/formula/parse';
import { formulaTextOf } from '../../../src/features/ranking/rules/formula/weights';
import { runs } from '../../support/runs';
import { anyWeights } from './any-weights';

const formulaOf = (text: string) => {
  const parsed = parseFormula(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.formula;
};

const ORACLE = formulaOf('gpqa * .45 + aime * .20 + math_index / MAX_INDEX_SCORE * .20 + mmlu_pro * .10 + hle * .05');
const ORACLE_NUMBERS = { gpqa: 0.8, aime: 0.7, math_index: 90, mmlu_pro: 0.85, hle: 0.2 };

/** Numbers of any size, of some benchmarks. */
const anyNumbers = (number: fc.Arbitrary<number>) =>
  fc.dictionary(fc.constantFrom(...BENCHMARK_IDS), number, { noNullPrototype: true }) as fc.Arbitrary<
    Partial<Record<BenchmarkId, number>>
  >;

describe('given the formula of the oracle', () => {
  it('when all five numbers are known, then the example of the specification comes to .775', () => {
    const { score, known, missing } = scoreOf(ORACLE, ORACLE_NUMBERS);
    expect(score).toBeCloseTo(0.775, 12);
    expect([known, missing]).toEqual([1, []]);
  });

  it('when its parts are added, then they are the score', () => {
    const { score, parts } = scoreOf(ORACLE, ORACLE_NUMBERS);
    expect(parts.map(({ benchmark, share }) => [benchmark, Number(share.toFixed(12))])).toEqual([
      ['gpqa', 0.36],
      ['mmlu_pro', 0.085],
      ['aime', 0.14],
      ['math_index', 0.18],
      ['hle', 0.01],
    ]);
    expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(score ?? 0, 12);
  });

  it('when aime and hle are missing, then the weights of the others are scaled up and 75 % are known', () => {
    const { score, known, missing, parts } = scoreOf(ORACLE, { gpqa: 0.8, math_index: 90, mmlu_pro: 0.85 });
    expect(known).toBeCloseTo(0.75, 12);
    expect(missing).toEqual(['aime', 'hle']);
    expect(score).toBeCloseTo((0.8 * 0.45 + 0.9 * 0.2 + 0.85 * 0.1) / 0.75, 12);
    expect(parts.map(({ weight }) => Number(weight.toFixed(12)))).toEqual([0.6, 0.133333333333, 0.266666666667]);
  });

  it('when 45 % are known, then it is not ranked, and with hle, which makes it half, it is', () => {
    expect(scoreOf(ORACLE, { gpqa: 0.8 })).toEqual({
      score: null,
      known: 0.45,
      missing: ['mmlu_pro', 'aime', 'math_index', 'hle'],
      parts: [],
    });
    expect(scoreOf(ORACLE, { gpqa: 0.8, hle: 0.2 }).score).toBeCloseTo((0.8 * 0.45 + 0.2 * 0.05) / 0.5, 12);
  });

  it('when nothing is known, then nothing of its weights is', () => {
    expect(scoreOf(ORACLE, {})).toMatchObject({ score: null, known: 0, parts: [] });
  });

  it('when a number counts for more than the most, then it counts the most, and one that is none is missing', () => {
    const { score, missing } = scoreOf(ORACLE, { ...ORACLE_NUMBERS, math_index: 900, hle: Number.NaN });
    expect(score).toBeCloseTo((0.8 * 0.45 + 0.7 * 0.2 + 0.2 + 0.085) / 0.95, 12);
    expect(missing).toEqual(['hle']);
  });
});

describe('given weights that make half only in decimals', () => {
  it('when .3, .15 and .05 of them are known, then it is ranked, though they come to less in floating point', () => {
    expect(0.3 + 0.15 + 0.05).toBeLessThan(KNOWN_MIN);
    const formula = formulaOf('gpqa * .3 + mmlu_pro * .15 + ifbench * .05 + hle * .5');
    expect(scoreOf(formula, { gpqa: 1, mmlu_pro: 1, ifbench: 1 }).score).toBe(1);
  });
});

describe('given weights that come to a little less than 1', () => {
  it('when all of them are known, then that is all, and the most of each is 1', () => {
    const formula = formulaOf('(gpqa + aime + hle) * 0.3333333');
    expect(scoreOf(formula, { gpqa: 1, aime: 1, hle: 1 })).toMatchObject({ score: 1, known: 1 });
  });
});

describe('given a formula that is no weighted sum', () => {
  it('when all its benchmarks are known, then it is worked out with numbers in their own unit', () => {
    const formula = formulaOf('gpqa * math_index / MAX_INDEX_SCORE');
    expect(scoreOf(formula, { gpqa: 0.5, math_index: 90 })).toEqual({ score: 0.45, known: 1, missing: [], parts: [] });
  });

  it('when one of two is missing, then it has no score and half is known', () => {
    expect(scoreOf(formulaOf('gpqa * hle'), { hle: 0.5 })).toEqual({
      score: null,
      known: 0.5,
      missing: ['gpqa'],
      parts: [],
    });
  });

  it('when a number counts for more than the most, then it counts the most', () => {
    const formula = formulaOf('context_length * gpqa / MAX_CONTEXT_LENGTH / 2');
    expect(scoreOf(formula, { gpqa: 1, context_length: 9_000_000 }).score).toBe(0.5);
  });

  it.each([
    ['gpqa * hle * 10', 1],
    ['gpqa * hle - 1', 0],
    ['gpqa / (hle - 0.5)', null],
    ['(gpqa - 0.5) / (hle - 0.5)', null],
  ])('when %s comes to anything with .5 and .5, then its score is %j', (text, score) => {
    expect(scoreOf(formulaOf(text), { gpqa: 0.5, hle: 0.5 }).score).toBe(score);
  });
});

describe('given any weights', () => {
  it('when any numbers are scored, then score and known are from 0 to 1, and the shares come to the score', () => {
    fc.assert(
      fc.property(anyWeights, anyNumbers(fc.double()), (weights, numbers) => {
        const { score, known, missing, parts } = scoreOf(formulaOf(formulaTextOf(weights)), numbers);
        expect(known >= 0 && known <= 1 && (score === null || (score >= 0 && score <= 1))).toBe(true);
        expect(score !== null).toBe(parts.length > 0);
        expect(missing.some((benchmark) => Number.isFinite(numbers[benchmark]))).toBe(false);
        expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(score ?? 0, 12);
      }),
      { numRuns: runs(1000, 50) },
    );
  });

  it('when one number is larger, then the score is not lower', () => {
    fc.assert(
      fc.property(
        anyWeights,
        anyNumbers(fc.double({ min: 0, max: 100, noNaN: true })),
        fc.constantFrom(...BENCHMARK_IDS),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (weights, numbers, benchmark, more) => {
          const number = numbers[benchmark];
          fc.pre(number !== undefined);
          const formula = formulaOf(formulaTextOf(weights));
          const { score } = scoreOf(formula, numbers);
          const larger = { ...numbers, [benchmark]: number + more * maximumOf(benchmark) };
          expect(scoreOf(formula, larger).score ?? 0).toBeGreaterThanOrEqual(score ?? 0);
        },
      ),
      { numRuns: runs(1000, 50) },
    );
  });

  it('when a benchmark that is as good as the score is left out, then the score stays', () => {
    fc.assert(
      fc.property(
        anyWeights,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 16 }),
        (weights, shares) => {
          const formula = formulaOf(formulaTextOf(weights));
          const [left, ...others] = formula.benchmarks;
          if (left === undefined || (weights[left] ?? 0) > KNOWN_MIN) return;
          const numbers = Object.fromEntries(others.map((id, index) => [id, (shares[index] ?? 0) * maximumOf(id)]));
          const { score } = scoreOf(formula, numbers);
          const all = { ...numbers, [left]: (score ?? 0) * maximumOf(left) };
          expect(normalized(left, all[left] ?? 0)).toBeCloseTo(score ?? -1, 12);
          expect(scoreOf(formula, all).score).toBeCloseTo(score ?? -1, 12);
        },
      ),
      { numRuns: runs(1000, 50) },
    );
  });

  it('when any formula of theirs without a weighted sum is scored, then the score is from 0 to 1 or none', () => {
    const formula = formulaOf('gpqa / (hle - aime) + math_index * tau2');
    fc.assert(
      fc.property(anyNumbers(fc.double()), (numbers) => {
        const { score, known } = scoreOf(formula, numbers);
        expect(known >= 0 && known <= 1 && (score === null || (score >= 0 && score <= 1))).toBe(true);
      }),
      { numRuns: runs(500, 50) },
    );
  });
});
