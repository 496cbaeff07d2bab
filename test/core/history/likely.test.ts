import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Case, likelyDifference, likelyShare } from '../../../src/core/history/likely';
import { runs } from '../../support/runs';

const quiet: Case = { hour: 0, isHit: false, isTroubled: false };
const hit: Case = { hour: 0, isHit: true, isTroubled: true };
/** `perHour` cases in each of `hours` hours, two hours apart, and which of them are hit. */
const casesOf = (hours: number, perHour: number, isHit: (hour: number, nth: number) => boolean): Case[] =>
  Array.from({ length: hours * perHour }, (_, at) => {
    const hour = Math.floor(at / perHour);
    return { ...(isHit(hour, at % perHour) ? hit : quiet), hour: 2 * hour };
  });
const widthOf = (cases: readonly Case[]): number => {
  const { lower, upper } = likelyShare(cases);
  return upper - lower;
};

describe('given cases of which a share was hit', () => {
  it('when none of 600 in 100 hours was, then up to 5 in 100 may be, and with ten times as many hours up to 1', () => {
    const { value, lower, upper } = likelyShare(casesOf(100, 6, () => false));
    expect([value, lower]).toEqual([0, 0]);
    expect(upper).toBeCloseTo(0.049, 3);
    expect(likelyShare(casesOf(1_000, 6, () => false)).upper).toBeCloseTo(0.005, 3);
  });

  it('when all were, then the bounds are those of none, from the other side', () => {
    const all = likelyShare(casesOf(100, 6, () => true).map((one) => ({ ...one, isTroubled: false })));
    const none = likelyShare(casesOf(100, 6, () => false));
    expect([all.value, all.upper]).toEqual([1, 1]);
    expect(all.lower).toBeCloseTo(1 - none.upper, 12);
  });

  it('when 60 of 600 were hit in whole hours, then less is certain than when one in ten was, here and there', () => {
    const together = casesOf(100, 6, (hour) => hour % 10 === 0);
    const apart = casesOf(100, 6, (hour, nth) => (6 * hour + nth) % 10 === 0);
    expect([likelyShare(together).value, likelyShare(apart).value]).toEqual([0.1, 0.1]);
    expect(widthOf(together)).toBeGreaterThan(1.8 * widthOf(apart));
  });

  it('when the hours that were hit follow each other, then they are one stretch, and less is certain', () => {
    const hours = casesOf(100, 6, (hour) => hour >= 40 && hour < 50);
    expect(widthOf(hours.map((one) => ({ ...one, hour: one.hour / 2 })))).toBeGreaterThan(1.2 * widthOf(hours));
  });

  it('when there was long trouble that hit nobody, then more is possible than after none', () => {
    const hours = casesOf(100, 6, () => false);
    const troubled = hours.map((one) => ({ ...one, isTroubled: one.hour < 20, hour: one.hour / 2 }));
    expect(likelyShare(troubled).upper).toBeGreaterThan(2 * likelyShare(hours).upper);
  });

  it('when cases are any, then the bounds hold the value between 0 and 1, in whatever order they come', () => {
    const one = fc.record({ hour: fc.nat(30), isHit: fc.boolean(), isTroubled: fc.boolean() });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 60 }), (cases) => {
        const { value, lower, upper } = likelyShare(cases);
        expect([0 <= lower, lower <= value, value <= upper, upper <= 1]).toEqual([true, true, true, true]);
        const turned = likelyShare(cases.toReversed());
        expect([turned.lower, turned.upper]).toEqual([expect.closeTo(lower, 9), expect.closeTo(upper, 9)]);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('given what is gained and what is lost', () => {
  it('when 10 in 100 are gained, 6 to 15, and 4 lost, 2 to 8, then it comes to 6 more, 0.3 to 11.4', () => {
    const [gained, lost] = [
      { value: 0.1, lower: 0.06, upper: 0.15 },
      { value: 0.04, lower: 0.02, upper: 0.08 },
    ];
    const { value, lower, upper } = likelyDifference(gained, lost);
    expect([value, lower, upper].map((share) => Math.round(1_000 * share))).toEqual([60, 3, 114]);
  });

  it('when anything is possible, then it stays within one of all and none', () => {
    const anything = { value: 0.5, lower: 0, upper: 1 };
    expect(likelyDifference({ ...anything, value: 1 }, { ...anything, value: 0 })).toEqual({
      ...{ value: 1, upper: 1 },
      lower: expect.closeTo(1 - Math.SQRT2, 12),
    });
  });
});
