import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BENCHMARK_IDS, BENCHMARKS } from '../../../src/features/ranking/rules/base/benchmarks';
import { BenchmarkValue } from '../../../src/features/ranking/rules/base/values';
import { ArtificialAnalysisList, valuesFrom } from '../../../src/features/ranking/rules/sources/artificial-analysis';
import { recorded } from '../../support/artificial-analysis';
import { runs } from '../../support/runs';

const DAY = '2026-11-26';

const readFixture = async (name: string): Promise<BenchmarkValue[]> =>
  valuesFrom(ArtificialAnalysisList.parse(JSON.parse(await recorded(name))), DAY);

const numbersIn = (values: readonly BenchmarkValue[]): Record<string, number> =>
  Object.fromEntries(values.map(({ benchmark, value }) => [benchmark, value]));

const one = (evaluations: object, more: object = {}): BenchmarkValue[] =>
  valuesFrom(ArtificialAnalysisList.parse({ data: [{ name: 'Example', slug: 'example', evaluations, ...more }] }), DAY);

describe('given an answer of the list that every key could read', () => {
  it('when it is read, then 12 benchmarks of a model stand in the units the API declares', async () => {
    const values = await readFixture('models.json');
    const ofOne = values.filter(({ record }) => record === 'artificialanalysis/example-labs/example-one-high');
    expect(numbersIn(ofOne)).toEqual({
      intelligence_index: 61.5,
      coding_index: 52.5,
      math_index: 91,
      gpqa: 0.79,
      mmlu_pro: 0.81,
      hle: 0.21,
      livecodebench: 0.72,
      scicode: 0.41,
      aime: 0.91,
      ifbench: 0.64,
      terminalbench_hard: 0.33,
      tau2: 0.86,
    });
    expect(ofOne.every(({ benchmark, unit }) => unit === BENCHMARKS[benchmark].unit)).toBe(true);
    expect(ofOne.find(({ benchmark }) => benchmark === 'hle')).toEqual({
      record: 'artificialanalysis/example-labs/example-one-high',
      benchmark: 'hle',
      value: 0.21,
      unit: 'fraction',
      source: 'https://artificialanalysis.ai/models/example-one-high',
      date: DAY,
      kind: 'published',
      origin: 'artificial_analysis',
      note: 'Example One (high)',
    });
  });

  it('when numbers are null or whole evaluations are, then those values are missing', async () => {
    const values = await readFixture('models.json');
    const ofTwo = values.filter(({ record }) => record.endsWith('/example-two'));
    expect(numbersIn(ofTwo)).toEqual({ intelligence_index: 20, aime: 0.4 });
    expect(values.filter(({ record }) => record.endsWith('/example-three'))).toEqual([]);
  });

  it('when a model sat both exams of AIME, then that of 2025 counts, and the note says which it was', async () => {
    const notes = (await readFixture('models.json'))
      .filter(({ benchmark }) => benchmark === 'aime')
      .map(({ note, value }) => [note, value]);
    expect(notes).toEqual([
      ['Example One (high); AIME 2025', 0.91],
      ['Example Two; AIME 2024', 0.4],
    ]);
  });
});

describe('given an answer of the lists that came after it', () => {
  it('when a paid key read it, then the same benchmarks are known by their new names', async () => {
    const values = await readFixture('language-models.json');
    expect(numbersIn(values)).toEqual({
      intelligence_index: 48.5,
      coding_index: 55,
      gpqa: 0.8,
      hle: 0.22,
      scicode: 0.42,
      ifbench: 0.65,
      terminalbench_hard: 0.34,
      tau2: 0.87,
      gdpval_aa_elo: 1320,
    });
    expect(new Set(values.map(({ record }) => record))).toEqual(new Set(['artificialanalysis/example-one-high']));
  });

  it('when a free key read it, then two indices are known', async () => {
    expect(numbersIn(await readFixture('language-models-free.json'))).toEqual({
      intelligence_index: 48.5,
      coding_index: 55,
    });
  });
});

describe('given numbers that the declared unit cannot have', () => {
  it.each([
    ['a fraction of 79', { gpqa: 79 }],
    ['an index of 101', { artificial_analysis_math_index: 101 }],
    ['a fraction below 0', { hle: -0.1 }],
    ['an Elo below 0', { gdpval_aa_elo: -20 }],
  ])('when it is %s, then it is no value', (_, evaluations) => {
    expect(one(evaluations)).toEqual([]);
  });

  it('when an Elo is above 2,000, then it is kept as given', () => {
    expect(numbersIn(one({ gdpval_aa_elo: 2_100 }))).toEqual({ gdpval_aa_elo: 2_100 });
  });

  it('when the newer name has such a number, then the older one counts', () => {
    expect(numbersIn(one({ aime_25: 91, aime: 0.8 }))).toEqual({ aime: 0.8 });
  });

  it('when it is text, then the whole answer is refused', () => {
    const answer = { data: [{ name: 'Example', slug: 'example', evaluations: { gpqa: '0.79' } }] };
    expect(ArtificialAnalysisList.safeParse(answer).error?.issues[0]?.path).toEqual(['data', 0, 'evaluations', 'gpqa']);
  });
});

describe('given a slug that is no part of an address', () => {
  it.each(['', 'a/b', 'a?b', '\ud800', 'a'.repeat(121)])('when it is %j, then the answer is refused', (slug) => {
    expect(ArtificialAnalysisList.safeParse({ data: [{ name: 'Example', slug }] }).success).toBe(false);
  });
});

describe('given any names and numbers', () => {
  it('when they are read, then each value is one that can be kept', () => {
    const number = fc.oneof(fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const evaluations = fc.dictionary(fc.constantFrom('gpqa', 'hle', 'aime', 'gdpval_aa_elo', 'other'), number);
    const name = fc.string({ maxLength: 200, unit: 'binary' });
    const slug = fc.stringMatching(/^[\w.~-]{1,120}$/);
    fc.assert(
      fc.property(fc.record({ name, slug, evaluations }), (model) => {
        for (const value of valuesFrom(ArtificialAnalysisList.parse({ data: [model] }), DAY)) {
          expect(BenchmarkValue.safeParse(value).error).toBeUndefined();
          expect(BENCHMARK_IDS).toContain(value.benchmark);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
