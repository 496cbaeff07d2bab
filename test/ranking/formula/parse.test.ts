import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BENCHMARK_IDS, CONSTANTS } from '../../../src/features/ranking/rules/base/benchmarks';
import { parseFormula } from '../../../src/features/ranking/rules/formula/parse';
import { runs } from '../../support/runs';

const refusal = (text: string) => {
  const parsed = parseFormula(text);
  return parsed.ok ? null : [parsed.at, parsed.reason];
};
const weightsOf = (text: string) => {
  const parsed = parseFormula(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.formula.weights;
};

describe('given a formula that is a weighted sum', () => {
  it.each([
    ['gpqa', { gpqa: 1 }],
    ['+gpqa', { gpqa: 1 }],
    ['.45 * gpqa + hle*0.55', { gpqa: 0.45, hle: 0.55 }],
    // An index is divided where the formula says so, and nowhere else.
    ['(math_index / MAX_INDEX_SCORE) * 0.2 + gpqa * 0.8', { gpqa: 0.8, math_index: 0.2 }],
    ['math_index / 500 + gpqa * 0.8', { gpqa: 0.8, math_index: 0.2 }],
    ['math_index * 2e-3 + gpqa * 8e-1', { gpqa: 0.8, math_index: 0.2 }],
    ['(gpqa + swe_bench_pro / MAX_PERCENT_SCORE) / 2', { gpqa: 0.5, swe_bench_pro: 0.5 }],
    [
      'context_length / MAX_CONTEXT_LENGTH * .15 + gdpval_aa_elo / MAX_GDPVAL_AA_ELO * .85',
      {
        context_length: 0.15,
        gdpval_aa_elo: 0.85,
      },
    ],
    ['0.1 * gpqa + 0.2 * gpqa + hle * 0.7', { gpqa: 0.3, hle: 0.7 }],
    ['hle - (gpqa - gpqa)', { hle: 1 }],
    ['- -hle', { hle: 1 }],
    ['1 - (1 - hle)', { hle: 1 }],
    ['-(-3 * hle) / (2 + 1)', { hle: 1 }],
    ['0.1 * hle + 0.2 * hle - 0.3 * hle + gpqa', { gpqa: 1 }],
    ['0.3 * hle - 0.1 * hle - 0.2 * hle + gpqa', { gpqa: 1 }],
    ['0.1 + 0.2 - 0.3 + gpqa', { gpqa: 1 }],
    ['hle * 3 / 3', { hle: 1 }],
    // A quarter is left of 2 / 4 / 2, and 3 of 5 - 1 - 1.
    ['2 / 4 / 2 * gpqa + (5 - 1 - 1) / 4 * hle', { gpqa: 0.25, hle: 0.75 }],
  ])('when it is %j, then its weights are %j', (text, weights) => {
    expect(weightsOf(text)).toEqual(weights);
  });

  it('when it has the names of a published file, then it has ours', () => {
    const parsed = parseFormula(
      ' (GDPval_AA_ELO / MAX_GDPVAL_AA_ELO) * 0.5 + SWE-bench Pro / 200 - 0 * SWE_bench_Verified ',
    );
    expect(parsed).toMatchObject({
      ok: true,
      formula: {
        text: '(gdpval_aa_elo / MAX_GDPVAL_AA_ELO) * 0.5 + swe_bench_pro / 200 - 0 * swe_bench_verified',
        benchmarks: ['gdpval_aa_elo', 'swe_bench_pro', 'swe_bench_verified'],
        weights: { gdpval_aa_elo: 0.5, swe_bench_pro: 0.5 },
      },
    });
  });

  it.each([
    ['gpqa * 0.6 + hle * 0.5', 'The sum of the weights is 1.1 and must be 1.'],
    ['gpqa * 0.999998', 'The sum of the weights is 0.999998 and must be 1.'],
    ['gpqa * 1.2 - hle * 0.2', 'The weight of hle is -0.2 and must not be below 0.'],
    ['gpqa + 0.1', '0.1 is added without a benchmark.'],
    ['gpqa - gpqa', 'The sum of the weights is 0 and must be 1.'],
    ['gpqa * 1e300 * 1e300', 'The numbers in the formula are too large.'],
    ['1', 'A formula must name at least one benchmark.'],
    ['MAX_INDEX_SCORE', 'A formula must name at least one benchmark.'],
  ])('when it is %j, then it is refused: %s', (text, reason) => {
    expect(refusal(text)).toEqual([0, reason]);
  });

  it('when its weights come to 1 but for less than a millionth, then it is one', () => {
    expect(weightsOf('gpqa * 0.3333333 + hle * 0.3333333 + aime * 0.3333333')).toEqual({
      gpqa: 0.3333333,
      aime: 0.3333333,
      hle: 0.3333333,
    });
  });
});

describe('given a formula that is no weighted sum', () => {
  it.each(['gpqa * hle', 'gpqa / hle', '1 / gpqa', 'gpqa * (hle + 3)', '2 * gpqa * hle - 7'])(
    'when it is %j, then it is one without weights',
    (text) => {
      expect(weightsOf(text)).toBeNull();
    },
  );
});

describe('given a text that is no formula', () => {
  it.each([
    ['', 0, 'The formula ends where a number, a benchmark or an opening bracket is expected.'],
    ['  ', 2, 'The formula ends where a number, a benchmark or an opening bracket is expected.'],
    ['gpqa +', 6, 'The formula ends where a number, a benchmark or an opening bracket is expected.'],
    ['gpqa + * hle', 7, 'Here a number, a benchmark or an opening bracket is expected, not "*".'],
    ['()', 1, 'Here a number, a benchmark or an opening bracket is expected, not ")".'],
    ['gpqa; hle', 4, 'Here an operator is expected, not ";".'],
    ['gpqa hle', 5, 'Here an operator is expected, not "hle".'],
    ['2gpqa', 1, 'Here an operator is expected, not "gpqa".'],
    ['1.2.3', 3, 'Here an operator is expected, not ".3".'],
    ['(gpqa', 5, 'The formula ends where an operator or a closing bracket is expected.'],
    ['(gpqa 2)', 6, 'Here an operator or a closing bracket is expected, not "2".'],
    ['gpqa)', 4, 'This bracket has no opening bracket.'],
    ['hle + gqpa', 6, '"gqpa" is not a benchmark or a constant. Did you mean "gpqa"?'],
    ['hle + MathIndx', 6, '"MathIndx" is not a benchmark or a constant. Did you mean "math_index"?'],
    ['hle + swe_bench', 6, '"swe_bench" is not a benchmark or a constant.'],
    ['gpqa2', 0, '"gpqa2" is not a benchmark or a constant. Did you mean "gpqa"?'],
    ['größe', 0, '"größe" is not a benchmark or a constant.'],
    ['constructor', 0, '"constructor" is not a benchmark or a constant.'],
    ['💥', 0, 'Here a number, a benchmark or an opening bracket is expected, not "💥".'],
    ['gpqa / 0', 7, 'This divides by zero.'],
    ['gpqa / hle / (2 - MAX_INDEX_SCORE / 50)', 13, 'This divides by zero.'],
    ['1e999 * gpqa', 0, 'This number is too large.'],
    ['x'.repeat(50), 0, `"${'x'.repeat(39)}…" is not a benchmark or a constant.`],
    ['gpqa.constructor("return 1")()', 4, 'Here an operator is expected, not ".".'],
  ])('when it is %j, then position %d is told: %s', (text, at, reason) => {
    expect(refusal(text)).toEqual([at, reason]);
  });

  it('when it is longer than 2,000 characters, then it is refused where it is too long', () => {
    expect(parseFormula(`gpqa${' '.repeat(1996)}`).ok).toBe(true);
    expect(refusal(`gpqa${' '.repeat(1997)}`)).toEqual([2000, 'A formula has at most 2000 characters.']);
  });

  it('when 64 brackets stand in each other, then it is one, and with 65 it is refused', () => {
    expect(weightsOf(`${'('.repeat(64)}gpqa${')'.repeat(64)}`)).toEqual({ gpqa: 1 });
    expect(refusal(`${'(-'.repeat(65)}gpqa${')'.repeat(65)}`)).toEqual([
      128,
      'Brackets may be nested at most 64 deep.',
    ]);
  });

  it.each(['(', ')', '-', '/', '1-', '(1+'])('when %j stands in it over and over, then it is refused', (part) => {
    expect(parseFormula(part.repeat(2000 / part.length).slice(0, 2000)).ok).toBe(false);
  });

  it('when a sum is as long as a formula may be, then it is read', () => {
    expect(weightsOf(`gpqa${'-0'.repeat(998)}`)).toEqual({ gpqa: 1 });
    expect(weightsOf(`gpqa${'/1'.repeat(998)}`)).toEqual({ gpqa: 1 });
    expect(weightsOf(`${'-'.repeat(1996)}gpqa`)).toEqual({ gpqa: 1 });
    expect(weightsOf(`gpqa${'+(0)'.repeat(499)}`)).toEqual({ gpqa: 1 });
  });

  it('when it is any text, then nothing is thrown, and a refusal has a position within it', () => {
    const piece = fc.oneof(
      fc.constantFrom(...BENCHMARK_IDS, ...Object.keys(CONSTANTS), 'SWE-bench Pro', 'GDPval-AA ELO'),
      fc.constantFrom(...'+-*/() ', '.5', '1e-3', '2', '0'),
      fc.string({ maxLength: 6 }),
      fc.constantFrom('💥', '\ud800', 'ß', 'K', 'İ', '\u00a0', '\0', '²'),
    );
    const anyText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parseFormula(text);
        if (parsed.ok) return;
        expect([parsed.at >= 0, parsed.at <= text.length, parsed.reason !== '']).toEqual([true, true, true]);
      }),
      { numRuns: runs(3000, 300) },
    );
  });
});
