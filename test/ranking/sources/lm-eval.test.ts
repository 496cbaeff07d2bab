import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BenchmarkValue } from '../../../src/features/ranking/rules/base/values';
import {
  estimateCost,
  LM_EVAL_BENCHMARKS,
  type LmEvalBenchmark,
  readLmEvalResult,
} from '../../../src/features/ranking/rules/sources/lm-eval';
import { runs } from '../../support/runs';

const price = { input: 2, output: 10 };
const subject = (benchmark: LmEvalBenchmark) => ({ record: 'a/1', benchmark, day: '2026-11-26' });

describe('given a benchmark, before it is run', () => {
  it.each<readonly [LmEvalBenchmark, number | null, number]>([
    ['mmlu_pro', null, 12_032],
    ['gpqa', null, 198],
    ['ifbench', null, 300],
    ['gpqa', 50, 50],
    ['gpqa', 1_000, 198],
  ])('when %s is limited to %s, then it has %i items', (benchmark, limit, items) => {
    expect(estimateCost({ benchmark, limit, price: null })).toEqual({ items, dollars: null });
  });

  it('when MMLU-Pro is limited to 10, then each of its 14 subjects is, and 140 items are asked', () => {
    expect(estimateCost({ benchmark: 'mmlu_pro', limit: 10, price }).items).toBe(140);
  });

  it('when 100 items of GPQA cost 2 in and 10 out for a million tokens, then that is $0.33 to $8.33', () => {
    const { dollars } = estimateCost({ benchmark: 'gpqa', limit: 100, price });
    expect(dollars?.low).toBeCloseTo(0.33, 10);
    expect(dollars?.high).toBeCloseTo(8.332, 10);
  });

  it('when a model costs nothing, then that is known, and is 0', () => {
    expect(estimateCost({ benchmark: 'gpqa', limit: null, price: { input: 0, output: 0 } }).dollars).toEqual({
      low: 0,
      high: 0,
    });
  });

  it('when the limit rises, then neither items nor dollars fall', () => {
    const limit = fc.integer({ min: 1, max: 2_000 });
    fc.assert(
      fc.property(fc.constantFrom(...LM_EVAL_BENCHMARKS), limit, limit, (benchmark, one, more) => {
        const less = estimateCost({ benchmark, limit: one, price });
        const greater = estimateCost({ benchmark, limit: one + more, price });
        expect(greater.items).toBeGreaterThanOrEqual(less.items);
        expect(greater.dollars?.low).toBeGreaterThanOrEqual(less.dollars?.low ?? 0);
        expect(less.dollars?.high).toBeGreaterThanOrEqual(less.dollars?.low ?? 0);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('given a result file', () => {
  const result = {
    results: {
      gpqa_diamond_cot_zeroshot: {
        alias: 'gpqa_diamond_cot_zeroshot',
        'exact_match,strict-match': 0.02,
        'exact_match_stderr,strict-match': 0.01,
        'exact_match,flexible-extract': 0.46,
        'exact_match_stderr,flexible-extract': 0.0355,
      },
    },
    'n-samples': { gpqa_diamond_cot_zeroshot: { original: 198, effective: 50 } },
    lm_eval_version: '0.4.12',
  };

  it('when it is read, then the metric chosen for the task counts, and all that was done is noted', () => {
    const read = readLmEvalResult(JSON.stringify(result), subject('gpqa'));
    expect(read).toEqual({
      ok: true,
      value: {
        record: 'a/1',
        benchmark: 'gpqa',
        value: 0.46,
        unit: 'fraction',
        source: 'Measured on this machine with lm_eval 0.4.12',
        date: '2026-11-26',
        kind: 'measured',
        origin: 'lm_eval',
        note: 'task gpqa_diamond_cot_zeroshot, 50 of 198 items, exact_match,flexible-extract, standard error 0.0355, answers of at most 8192 tokens',
      },
    });
    expect(read.ok && BenchmarkValue.safeParse(read.value).success).toBe(true);
  });

  it('when it is of a group, then the group counts, with the items of all its tasks', () => {
    const metrics = { 'exact_match,custom-extract': 0.7, 'exact_match_stderr,custom-extract': 'N/A' };
    const samples = {
      mmlu_pro_law: { original: 1_101, effective: 10 },
      mmlu_pro_math: { original: 1_351, effective: 10 },
    };
    const text = JSON.stringify({ results: {}, groups: { mmlu_pro: metrics }, 'n-samples': samples });
    const read = readLmEvalResult(text, subject('mmlu_pro'));
    expect(read.ok && [read.value.value, read.value.source, read.value.note]).toEqual([
      0.7,
      'Measured on this machine with lm_eval of an unknown version',
      'task mmlu_pro, 20 of 2452 items, exact_match,custom-extract, standard error unknown, answers of at most 8192 tokens',
    ]);
  });

  it('when Python wrote a standard error that is no number, then the value counts all the same', () => {
    const text = JSON.stringify(result).replace('0.0355', 'NaN');
    expect(readLmEvalResult(text, subject('gpqa'))).toMatchObject({ ok: true, value: { value: 0.46 } });
  });

  it.each([
    ['is of another benchmark', JSON.stringify(result), 'ifbench', 'has no prompt_level_loose_acc,none of ifbench'],
    ['has text where the number is', JSON.stringify(result).replace('0.46', '"0.46"'), 'gpqa', 'has no exact_match'],
    ['has a percentage', JSON.stringify(result).replace('0.46', '46'), 'gpqa', 'has no exact_match'],
    ['has no number', JSON.stringify(result).replace('0.46', 'NaN'), 'gpqa', 'has no exact_match'],
    ['is cut off', JSON.stringify(result).slice(0, -10), 'gpqa', 'an unknown format'],
    ['is no object', '[]', 'gpqa', 'an unknown format'],
  ] as const)('when it %s, then it is no value', (_, text, benchmark, words) => {
    expect(readLmEvalResult(text, subject(benchmark))).toEqual({ ok: false, reason: expect.stringContaining(words) });
  });
});
