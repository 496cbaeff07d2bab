import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, retryDelayMs } from '../../../src/engine/base/backoff';

describe('given the published backoff', () => {
  it('when chance is in the middle, then delays double from 1 s and stop at 30 s', () => {
    expect([0, 1, 2, 3, 4, 5, 60].map((attempt) => backoffMs(attempt, 0.5))).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
  });

  it('when chance is at its ends, then a delay is a fifth shorter or nearly a fifth longer', () => {
    expect([backoffMs(1, 0), backoffMs(1, 0.999_999)]).toEqual([1_600, 2_400]);
  });

  it('when anything is asked, then the cap holds after the jitter', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, random) => {
        const delay = backoffMs(attempt, random);
        expect(Number.isInteger(delay) && delay >= 0 && delay <= 30_000).toBe(true);
      }),
    );
  });

  it.each([-1, 0.5, Number.NaN])('when the attempt is %d, then it is a mistake of the caller', (attempt) => {
    expect(() => backoffMs(attempt, 0.5)).toThrow(RangeError);
  });

  it('when the provider asks for less than the backoff, then the backoff holds: a hint lengthens a wait only', () => {
    const delays = [0, 1, 3_999, 4_000, 4_001].map((hintMs) => retryDelayMs(2, { hintMs, random: 0.5 }));
    expect(delays).toEqual([4_000, 4_000, 4_000, 4_000, 4_001]);
  });

  it('when the provider says how long, then that wins up to 60 s, and past it nobody waits', () => {
    const delays = [59_999, 60_000, 60_001].map((hintMs) => retryDelayMs(2, { hintMs, random: 0.5 }));
    expect(delays).toEqual([59_999, 60_000, null]);
    expect(retryDelayMs(2, { hintMs: null, random: 0.5 })).toBe(4_000);
  });
});
