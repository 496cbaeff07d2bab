import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countable,
  EXACT_BELOW_MS,
  emptyHistogram,
  type Histogram,
  mergeHistograms,
  percentileOf,
  sizeOf,
  withValue,
} from '../../../src/engine/scorecard/histogram';

const of = (values: readonly number[]): Histogram => values.reduce<Histogram>(withValue, emptyHistogram);
const upTo = (n: number): number[] => Array.from({ length: n }, (_, at) => at + 1);
const duration = fc.integer({ min: 0, max: 86_400_000 });

describe('given durations below 100 ms', () => {
  it('when 20 of them are 1 to 20, then p50 is the 10th and p95 the 19th', () => {
    expect([percentileOf(of(upTo(20)), 50), percentileOf(of(upTo(20)), 95)]).toEqual([10, 19]);
  });

  it('when there are 21, then the rank is rounded up: p50 is the 11th, p95 the 20th', () => {
    expect([percentileOf(of(upTo(21)), 50), percentileOf(of(upTo(21)), 95)]).toEqual([11, 20]);
  });

  it('when there is one, then it is every percentile', () => {
    expect([1, 50, 95, 100].map((percent) => percentileOf(of([42]), percent))).toEqual([42, 42, 42, 42]);
  });

  it('when there is none, then there is no percentile', () => {
    expect(percentileOf(emptyHistogram, 50)).toBeNull();
  });
});

describe('given any durations up to a day', () => {
  it('when a percentile is read, then it is at most one percent beside the nearest-rank value', () => {
    fc.assert(
      fc.property(
        fc.array(duration, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 100 }),
        (list, percent) => {
          const sorted = [...list].sort((a, b) => a - b);
          const exact = sorted[Math.ceil((percent * list.length) / 100) - 1] ?? Number.NaN;
          const read = percentileOf(of(list), percent) ?? Number.NaN;
          expect(Math.abs(read - exact)).toBeLessThanOrEqual(exact < EXACT_BELOW_MS ? 0 : exact * 0.01);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('when two histograms are put together either way, then it is that of all values', () => {
    fc.assert(
      fc.property(fc.array(duration), fc.array(duration), (left, right) => {
        const all = of([...left, ...right]);
        expect(mergeHistograms(of(left), of(right))).toEqual(all);
        expect(mergeHistograms(of(right), of(left))).toEqual(all);
        expect(sizeOf(all)).toBe(left.length + right.length);
      }),
    );
  });
});

describe('given what is no duration', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])('when it is %f, then it is not counted', (ms) => {
    expect(countable(ms)).toBeNull();
  });

  it('when it is longer than a day, then it counts as a day', () => {
    expect(percentileOf(of([countable(1e15) ?? 0]), 50)).toBe(86_400_000);
  });
});
