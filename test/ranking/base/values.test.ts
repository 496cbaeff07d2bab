import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BenchmarkValue, ORIGINS, valuesByRecord } from '../../../src/features/ranking/rules/base/values';
import { runs } from '../../support/runs';

const value = (more: Partial<BenchmarkValue>): BenchmarkValue => ({
  record: 'a/1',
  benchmark: 'gpqa',
  value: 0.5,
  unit: 'fraction',
  source: 'https://a.test',
  date: null,
  kind: 'published',
  origin: 'starter',
  note: null,
  ...more,
});
const counts = (...values: BenchmarkValue[]): number | undefined => valuesByRecord(values).get('a/1')?.gpqa?.value;

describe('given several values of one benchmark of one model', () => {
  it('when one was put in by hand, then it counts before all that came otherwise', () => {
    expect(counts(value({ date: '2026-11-01' }), value({ origin: 'hand', value: 0.7, date: '2020-01-01' }))).toBe(0.7);
  });

  it('when both came the same way, then the newest counts, and one with a day before one without', () => {
    expect(counts(value({ value: 0.1 }), value({ value: 0.2, date: '2026-01-01' }))).toBe(0.2);
    expect(counts(value({ value: 0.3, date: '2026-02-01' }), value({ value: 0.2, date: '2026-01-01' }))).toBe(0.3);
  });

  it('when its unit has no measure in common with the benchmark, then it is none', () => {
    expect(counts(value({ unit: 'elo', value: 1200 }))).toBeUndefined();
  });

  it('when they come in any order, then the same ones count', () => {
    const any = fc.record({
      value: fc.integer({ min: 0, max: 5 }).map((tenths) => tenths / 10),
      source: fc.constantFrom('https://a.test', 'https://b.test'),
      date: fc.constantFrom(null, '2026-01-01', '2026-02-01'),
      origin: fc.constantFrom(...ORIGINS),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 6 }), (parts) => {
        const values = parts.map(value);
        expect(counts(...values.toReversed())).toBe(counts(...values));
      }),
      { numRuns: runs(500) },
    );
  });
});
