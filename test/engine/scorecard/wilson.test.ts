import { describe, expect, it } from 'vitest';
import { rateOf } from '../../../src/engine/scorecard';

describe('given the examples of Newcombe (1998), table I, score method', () => {
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('when %i of %i succeed, then the bounds are %f and %f', (hits, n, lower, upper) => {
    const rate = rateOf(hits, n);
    expect([rate.lower?.toFixed(4), rate.upper?.toFixed(4)]).toEqual([lower.toFixed(4), upper.toFixed(4)]);
  });
});

describe('given the ends of the scale', () => {
  it('when there is no data, then nothing is claimed, not even zero', () => {
    expect(rateOf(0, 0)).toEqual({ value: null, lower: null, upper: null, n: 0 });
  });

  it('when none of 7 succeed, then the lower bound is exactly 0', () => {
    expect(rateOf(0, 7)).toMatchObject({ value: 0, lower: 0 });
  });

  it('when all of 7 succeed, then the upper bound is exactly 1', () => {
    expect(rateOf(7, 7)).toMatchObject({ value: 1, upper: 1 });
  });
});
