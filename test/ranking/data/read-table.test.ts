import { describe, expect, it } from 'vitest';
import type { BenchmarkValue } from '../../../src/features/ranking/rules/base/values';
import { readValues } from '../../../src/features/ranking/rules/data/read-table';

const DEFAULTS = { source: 'a file of mine', date: '2026-11-22' };
const read = (text: unknown) => readValues(typeof text === 'string' ? text : JSON.stringify(text), DEFAULTS);

/** The values as model, benchmark, number and unit, and what was told, with its line. */
function summary(text: unknown): { values: string[]; told: string[] } | string {
  const reading = read(text);
  if (!reading.ok) return reading.reason;
  return {
    values: reading.values.map(({ record, benchmark, value, unit }) => `${record} ${benchmark} ${value} ${unit}`),
    told: reading.problems.map(({ line, message }) => (line === null ? message : `${line}: ${message}`)),
  };
}

const VALUE: BenchmarkValue = {
  record: 'a/1',
  benchmark: 'gpqa',
  value: 0.5,
  unit: 'fraction',
  source: DEFAULTS.source,
  date: DEFAULTS.date,
  kind: 'published',
  origin: 'import',
  note: null,
};

describe('given an object of models with their benchmarks, as the published file has them', () => {
  const BENCHMARKS = {
    gpqa: 0.672,
    aime: null,
    math_index: 66.7,
    speed: 317.58,
    GDPval_AA_ELO: 1606,
    SWE_bench_Pro: 45.89,
  };
  const VALUES = [
    'gpt-oss-120B (low) gpqa 0.672 fraction',
    'gpt-oss-120B (low) math_index 66.7 index',
    'gpt-oss-120B (low) gdpval_aa_elo 1606 elo',
    'gpt-oss-120B (low) swe_bench_pro 45.89 percent',
  ];
  const told = ['“speed” is unknown and was skipped'];

  it.each([
    ['with a wrapper', { version: '2026-02-14', models: { 'gpt-oss-120B (low)': { id: 1, benchmarks: BENCHMARKS } } }],
    ['without one', { 'gpt-oss-120B (low)': { benchmarks: BENCHMARKS } }],
    ['with the benchmarks right in each entry', { models: { 'gpt-oss-120B (low)': BENCHMARKS } }],
    ['with neither', { 'gpt-oss-120B (low)': BENCHMARKS }],
  ])('when it comes %s, then each number has the unit that the published file declares', (_how, data) => {
    expect(summary(data)).toEqual({ values: VALUES, told });
  });

  it('when a number says its own unit, then that one counts', () => {
    expect(summary({ m: { gpqa: '43 %', hle: '12/15', swe_bench_verified: '30/60', tau2: '0.25', aime: '' } })).toEqual(
      {
        values: [
          'm gpqa 43 percent',
          'm hle 0.8 fraction',
          'm swe_bench_verified 0.5 fraction',
          'm tau2 0.25 fraction',
        ],
        told: [],
      },
    );
    expect(read({ m: { hle: '12/15' } })).toMatchObject({ values: [{ note: '12/15', source: DEFAULTS.source }] });
  });

  it('when a number is more than its unit can be, then it is told and the rest is taken', () => {
    expect(
      summary({ m: { gpqa: 43, hle: 143, swe_bench_pro: 101, math_index: 100.5, gdpval_aa_elo: 2400, tau2: 1 } }),
    ).toEqual({
      values: ['m gdpval_aa_elo 2400 elo', 'm tau2 1 fraction'],
      told: [
        '“m”, gpqa: 43 is more than 1, the maximum of a fraction: write 43 % or 0.43',
        '“m”, hle: 143 is more than 1, the maximum of a fraction',
        '“m”, swe_bench_pro: 101 is more than 100, the maximum of swe_bench_pro',
        '“m”, math_index: 100.5 is more than 100, the maximum of math_index',
      ],
    });
  });

  it.each([
    [-0.1, '“-0.1” is not a possible benchmark value'],
    [true, 'it is not a number'],
    [{ toString: 1 }, 'it is not a number'],
    ['43,2', '“43,2” is not a number such as 12.3, 43 % or 12/15'],
    ['15/12', '“15/12” is not a valid fraction'],
    ['0/0', '“0/0” is not a valid fraction'],
    ['1e999', '“1e999” is not a possible benchmark value'],
    ['about 0.4', '“about 0.4” is not a number such as 12.3, 43 % or 12/15'],
  ])('when what stands there is %j, then it is told: %s', (value, message) => {
    expect(summary({ m: { gpqa: value } })).toEqual({ values: [], told: [`“m”, gpqa: ${message}`] });
  });

  it('when a share is of a benchmark that is counted otherwise, then there is no measure in common', () => {
    expect(summary({ m: { math_index: '12/15', gdpval_aa_elo: '43 %' } })).toEqual({
      values: [],
      told: [
        '“m”, math_index: 12/15 has the unit fraction, which cannot be converted to index, the unit of math_index',
        '“m”, gdpval_aa_elo: 43 % has the unit percent, which cannot be converted to elo, the unit of gdpval_aa_elo',
      ],
    });
  });

  it('when a name is not known, then it is told once, with how often it stood there', () => {
    const models = Object.fromEntries(Array.from({ length: 399 }, (_, at) => [`m${at}`, { gpqa: 0.5, speed: at }]));
    expect(summary({ models })).toMatchObject({ told: ['“speed” is unknown and was skipped, 399 times'] });
  });

  it('when something beside the models is no model, then it is told and the rest is taken', () => {
    expect(summary({ _schema: 'x', m: { gpqa: 0.5 } })).toEqual({
      values: ['m gpqa 0.5 fraction'],
      told: ['“_schema”: it has no benchmarks'],
    });
  });
});

describe('given a list of values', () => {
  it('when an entry says everything, then everything is kept, and what it does not say is as it was said of the file', () => {
    const whole = { source: 'https://a.test', date: '2026-01-31', kind: 'measured', note: 'by hand' };
    const list = [
      { model: 'a/1', benchmark: 'gpqa', value: 0.5, unit: 'fraction', ...whole, origin: 'hand' },
      { model: 'a/1', benchmark: 'GPQA', value: 50, unit: 'percent', date: null },
      { model: 'a/1', benchmark: 'gpqa', value: null, unit: 'fraction' },
    ];
    expect(read(list)).toEqual({
      ok: true,
      values: [
        { ...VALUE, ...whole, origin: 'import' },
        { ...VALUE, value: 50, unit: 'percent', date: null },
      ],
      problems: [],
    });
  });

  it('when an entry lacks something, then it is told by its number and the rest is taken', () => {
    const list = [
      { model: 'a/1', benchmark: 'gpqa', value: 0.5 },
      { model: 'a/1', benchmark: 'gpqa', value: 0.5, unit: 'points' },
      { model: 'a/1', benchmark: 'gpqa', value: '43 %', unit: 'fraction' },
      { benchmark: 'gpqa', value: '43 %' },
      { model: 'm'.repeat(301), benchmark: 'gpqa', value: '43 %' },
      { model: 'a/1', benchmark: 'gpqa', value: '43 %', date: 'May 2026' },
      { model: 'a/1', benchmark: 'gpqa', value: '43 %', kind: 'heard' },
      { model: 'a/1', value: '43 %' },
      'a/1',
      { model: 'a/1', benchmark: 'mmlu', value: '43 %' },
      { model: 'a/1', benchmark: 'gpqa', value: '43 %' },
    ];
    expect(summary(list)).toEqual({
      values: ['a/1 gpqa 43 percent'],
      told: [
        '“mmlu” is unknown and was skipped',
        'entry 8: it has no benchmark',
        'entry 9: it has no benchmark',
        'entry 1: 0.5 has no unit: add one, or write 43 % or 12/15',
        'entry 2: “points” is not one of the units fraction, percent, index, elo, tokens',
        'entry 3: 43 % does not fit the unit fraction',
        'entry 4: a model name must have 1 to 300 characters',
        'entry 5: a model name must have 1 to 300 characters',
        'entry 6: a date must be a day such as 2026-01-31',
        'entry 7: a kind must be one of measured, published, estimated',
      ],
    });
  });
});

describe('given a table', () => {
  const VALUES = ['a/1 gpqa 0.5 fraction', 'a/1 swe_bench_pro 45.8 percent', 'b,2 gpqa 43 percent'];

  it.each([
    ['commas', 'Model,GPQA,SWE-bench Pro\na/1,0.5,45.8\n\n"b,2",43 %,\n'],
    ['semicolons', '\uFEFFmodel;gpqa;swe_bench_pro\r\na/1;0.5;45.8\r\nb,2;43 %;'],
    ['tabs', 'model\tgpqa\tswe_bench_pro\na/1\t0.5\t45.8\nb,2\t43 %'],
  ])(
    'when it has a benchmark a column, with %s, then a number has the unit the published file declares',
    (_how, text) => {
      expect(summary(text)).toEqual({ values: VALUES, told: [] });
    },
  );

  it('when it has a value a row, then each says its unit', () => {
    const text = [
      'model,benchmark,value,unit,source,date,kind,note,by',
      'a/1,gpqa,0.5,fraction,https://a.test,2026-01-31,measured,"said ""so"", twice",me',
      'a/1,gpqa,43 %',
      'a/1,gpqa,0.5',
      'a/1,mmlu,0.5,fraction',
    ].join('\n');
    expect(read(text)).toEqual({
      ok: true,
      values: [
        { ...VALUE, source: 'https://a.test', date: '2026-01-31', kind: 'measured', note: 'said "so", twice' },
        { ...VALUE, value: 43, unit: 'percent' },
      ],
      problems: [
        { line: null, message: '“by” is unknown and was skipped' },
        { line: null, message: '“mmlu” is unknown and was skipped' },
        { line: 4, message: '“a/1”, gpqa: 0.5 has no unit: add one, or write 43 % or 12/15' },
      ],
    });
  });

  it('when a line is wrong, then it is told by its number and the others are taken', () => {
    const text = 'model,gpqa,note\n"a\nb",0.5,\na/1,0,43,"x"\na/1,43,x\n"a/1,0.5\na/2,0.25,"two\nlines"';
    expect(summary(text)).toEqual({
      values: ['a\nb gpqa 0.5 fraction', 'a/2 gpqa 0.25 fraction'],
      told: [
        '4: it has 4 cells instead of 3: write 43.2 for 43,2, and put texts in quotation marks',
        '5: “a/1”, gpqa: 43 is more than 1, the maximum of a fraction: write 43 % or 0.43',
        '6: a quotation mark is not closed',
      ],
    });
  });

  it('when rows say a source, then it is that of all their values', () => {
    expect(read('model,gpqa,source,speed\na/1,0.5,https://a.test,7')).toEqual({
      ok: true,
      values: [{ ...VALUE, source: 'https://a.test' }],
      problems: [{ line: null, message: '“speed” is unknown and was skipped' }],
    });
  });
});

describe('given a text of which nothing can be taken', () => {
  const NEITHER = 'The text is neither JSON nor a table with “model” and benchmarks in its first line.';

  it.each([
    ['', NEITHER],
    ['hello', NEITHER],
    ['model\na/1', NEITHER],
    ['model,price\na/1,3', NEITHER],
    ['{"a":', 'The JSON is invalid: check that it is complete.'],
    ['{}', 'The file contains no known benchmark.'],
    ['{"models":{"a":{"price":3}}}', 'The file contains no known benchmark.'],
    ['{"understudy":"chain","values":[]}', 'This file of Understudy is not an export of benchmark values.'],
    [
      '{"understudy":"benchmark-values","version":2,"values":[]}',
      'Another version of Understudy exported this file: export it again with this version.',
    ],
  ])('when it is %j, then the reason is said', (text, reason) => {
    expect(summary(text)).toBe(reason);
  });

  it('when it is more than 5 MB, or holds more than 20,000 values, then it is to be taken in parts', () => {
    const rows = (count: number) => `model,gpqa\n${'a/1,0.5\n'.repeat(count)}`;
    expect(summary(' '.repeat(5_000_001))).toBe('The text is larger than 5 MB: import it in parts.');
    expect(summary(rows(20_001))).toBe('The text has more than 20,000 values: import it in parts.');
    expect(read(rows(20_000))).toMatchObject({ ok: true, problems: [] });
  });

  it('when hundreds of lines are wrong, then so many are told as a person reads, and the others counted', () => {
    const reading = read(`model,gpqa\n${'a/1,43\n'.repeat(1500)}`);
    expect(reading.ok && reading.problems).toHaveLength(201);
    expect(reading).toMatchObject({
      problems: expect.arrayContaining([{ line: null, message: '1300 more could not be imported' }]),
    });
    const names = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`name${at}`, 1]));
    expect(summary({ m: { gpqa: 0.5, ...names } })).toMatchObject({
      told: expect.arrayContaining(['30 more names are unknown and were skipped']),
    });
  });
});
