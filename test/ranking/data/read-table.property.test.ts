import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BENCHMARK_IDS,
  BENCHMARKS,
  inUnitOf,
  maximumOf,
  UNITS,
} from '../../../src/features/ranking/rules/base/benchmarks';
import { type BenchmarkValue, ORIGINS, VALUE_KINDS } from '../../../src/features/ranking/rules/base/values';
import { exportCsv, exportValues } from '../../../src/features/ranking/rules/data/export';
import { readValues } from '../../../src/features/ranking/rules/data/read-table';
import { runs } from '../../support/runs';

const DEFAULTS = { source: 'a file of mine', date: null };

const day = fc
  .tuple(fc.integer({ min: 2020, max: 2030 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join('-'));
/** Names and texts with what a table could trip over. */
const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ minLength: 1, maxLength, unit: 'binary' }),
    fc.string({ minLength: 1, maxLength, unit: fc.constantFrom(',', ';', '"', "'", '=', '\t', '\r', '\n', ' ', 'a') }),
  );
/** A number that its unit and its benchmark both can have. */
const figure = fc
  .record({
    benchmark: fc.constantFrom(...BENCHMARK_IDS),
    unit: fc.constantFrom(...UNITS),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .filter(({ benchmark, unit }) => inUnitOf(benchmark, 0, unit) !== null)
  .map(({ benchmark, unit, share }) => {
    const most = { fraction: 1, percent: 100, index: 100, elo: 3000, tokens: 10_000_000 }[unit];
    // Zero has no sign here.
    return { benchmark, unit, value: share * most + 0 };
  });
const values: fc.Arbitrary<BenchmarkValue[]> = fc.array(
  fc
    .record({
      figure,
      record: text(20),
      source: text(20),
      date: fc.option(day),
      kind: fc.constantFrom(...VALUE_KINDS),
      origin: fc.constantFrom(...ORIGINS),
      note: fc.option(text(20)),
    })
    .map(({ figure: { benchmark, unit, value }, ...rest }) => ({ ...rest, benchmark, unit, value })),
  { maxLength: 8 },
);

describe('given values that are exported', () => {
  it('when they are read again, then they are the same, and so are the bytes, in whatever order they came', () => {
    fc.assert(
      fc.property(values, (all) => {
        const exported = exportValues(all);
        expect(exportValues(all.toReversed())).toBe(exported);
        const read = readValues(exported, DEFAULTS);
        if (!read.ok) throw new Error(read.reason);
        expect(read.problems).toEqual([]);
        expect(read.values).toHaveLength(all.length);
        expect(read.values).toEqual(expect.arrayContaining(all));
        expect(exportValues(read.values)).toBe(exported);
      }),
      { numRuns: runs(500) },
    );
  });

  it('when they are read from a table, then they are the same but for being an import, and so are the bytes', () => {
    fc.assert(
      fc.property(values, (all) => {
        const exported = exportCsv(all);
        const read = readValues(exported, DEFAULTS);
        if (!read.ok) throw new Error(read.reason);
        expect(read.problems).toEqual([]);
        expect(read.values).toHaveLength(all.length);
        expect(read.values).toEqual(expect.arrayContaining(all.map((value) => ({ ...value, origin: 'import' }))));
        expect(exportCsv(read.values)).toBe(exported);
      }),
      { numRuns: runs(500) },
    );
  });

  it('when a cell begins as a spreadsheet would run it, then it begins with a quote there and without it here', () => {
    const value = { ...VALUE, record: '=1+1', note: "'=2" };
    expect(exportCsv([value])).toBe(
      "model,benchmark,value,unit,source,date,kind,note\r\n'=1+1,gpqa,0.5,fraction,https://a.test,,published,''=2\r\n",
    );
    expect(readValues(exportCsv([value]), DEFAULTS)).toMatchObject({ values: [{ record: '=1+1', note: "'=2" }] });
  });

  it('when they are written, then one stands in each line, by model and then as benchmarks are listed', () => {
    const all = [{ ...VALUE, benchmark: 'hle' as const }, VALUE, { ...VALUE, record: 'A/1' }];
    const lines = exportValues(all).split('\n');
    expect(lines.slice(0, 4)).toEqual(['{', '  "understudy": "benchmark-values",', '  "version": 1,', '  "values": [']);
    expect(lines.slice(4, 7).map((line) => /"record":"(.+?)","benchmark":"(.+?)"/.exec(line)?.slice(1))).toEqual([
      ['A/1', 'gpqa'],
      ['a/1', 'gpqa'],
      ['a/1', 'hle'],
    ]);
  });
});

const VALUE: BenchmarkValue = {
  record: 'a/1',
  benchmark: 'gpqa',
  value: 0.5,
  unit: 'fraction',
  source: 'https://a.test',
  date: null,
  kind: 'published',
  origin: 'import',
  note: null,
};

/** True if a value is none its benchmark can have. */
function isOutside({ benchmark, value, unit }: BenchmarkValue): boolean {
  const own = inUnitOf(benchmark, value, unit);
  const isOpen = unit === 'elo' || unit === 'tokens';
  return own === null || (!isOpen && own > maximumOf(benchmark));
}

describe('given any text', () => {
  const cell = fc.oneof(
    fc.constantFrom('model', 'gpqa', 'benchmark', 'value', '"', '""', '43 %', '12/15'),
    fc.string(),
  );
  const table = fc
    .tuple(fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 6 }), fc.constantFrom(',', ';', '\t'))
    .map(([rows, separator]) => rows.map((cells) => cells.join(separator)).join('\n'));
  const key = fc.oneof(
    fc.constantFrom('models', 'model', 'benchmarks', 'benchmark', 'gpqa', 'value', 'unit'),
    fc.string(),
  );
  const data = fc.letrec((tie) => ({
    node: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.dictionary(key, tie('node')), fc.array(tie('node'))),
  })).node;

  it('when it is read, then nothing throws, and what is taken has a unit of its benchmark and is in its range', () => {
    const texts = fc.oneof(
      fc.string(),
      table,
      table.map((rest) => `model,gpqa,hle\n${rest}`),
      data.map((any) => JSON.stringify(any)),
    );
    fc.assert(
      fc.property(texts, (any) => {
        const read = readValues(any, DEFAULTS);
        expect(read.ok ? read.values.filter(isOutside) : read.reason.length === 0).toEqual(read.ok ? [] : false);
      }),
      { numRuns: runs(3000) },
    );
  });
});

describe('given numbers of any size', () => {
  const number = fc
    .oneof(fc.double({ min: 0, max: 1e7, noNaN: true }), fc.integer({ min: 0, max: 200 }))
    .map((any) => any + 0);
  const benchmark = fc.constantFrom(...BENCHMARK_IDS);

  it('when the form declares the unit, then a number is taken as it stands or not at all', () => {
    fc.assert(
      fc.property(benchmark, number, (id, value) => {
        const { unit } = BENCHMARKS[id];
        const isTooMuch = unit !== 'elo' && unit !== 'tokens' && value > maximumOf(id);
        for (const form of [JSON.stringify({ m: { [id]: value } }), `model,${id}\nm,${value}`]) {
          const read = readValues(form, DEFAULTS);
          expect(read.ok && read.values.map((taken) => [taken.value, taken.unit])).toEqual(
            isTooMuch ? [] : [[value, unit]],
          );
          expect(read.ok && read.problems).toHaveLength(isTooMuch ? 1 : 0);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('when nothing declares the unit, then it is never taken, however small or large', () => {
    fc.assert(
      fc.property(benchmark, number, (id, value) => {
        for (const form of [
          JSON.stringify([{ model: 'm', benchmark: id, value }]),
          `model,benchmark,value\nm,${id},${value}`,
        ]) {
          const read = readValues(form, DEFAULTS);
          expect(read).toMatchObject({ ok: true, values: [] });
          expect(read.ok && read.problems).toHaveLength(1);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
