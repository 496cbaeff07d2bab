import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zoneOffset } from '../../../src/core/base/zone-offset';
import { stretchAt } from '../../../src/core/budget/periods';

const BERLIN = zoneOffset('Europe/Berlin');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const berlin = (text: string): number => {
  const guess = Date.parse(`${text}Z`);
  return guess - BERLIN(guess - BERLIN(guess));
};

describe('given weeks and months of somebody’s calendar in Berlin', () => {
  it.each([
    ['a week from Wednesday on, on a Tuesday', 'week', 2, '2026-11-24T23:59', '2026-11-18T00:00', '2026-11-25T00:00'],
    ['the same on its first moment', 'week', 2, '2026-11-25T00:00', '2026-11-25T00:00', '2026-12-02T00:00'],
    ['a week from Sunday on, on a Sunday', 'week', 6, '2026-11-29T12:00', '2026-11-29T00:00', '2026-12-06T00:00'],
    ['a week from Monday on, on a Sunday', 'week', 0, '2026-11-29T12:00', '2026-11-23T00:00', '2026-11-30T00:00'],
    [
      'a week in which clocks are put back',
      'week',
      undefined,
      '2026-10-24T12:00',
      '2026-10-19T00:00',
      '2026-10-26T00:00',
    ],
    ['a month', 'month', undefined, '2026-11-30T23:59', '2026-11-01T00:00', '2026-12-01T00:00'],
    ['a month from the 15th on, before it', 'month', 15, '2026-11-14T23:59', '2026-10-15T00:00', '2026-11-15T00:00'],
    ['the same over new year', 'month', 15, '2027-01-02T00:00', '2026-12-15T00:00', '2027-01-15T00:00'],
    ['a February of 28 days', 'month', 28, '2026-02-28T00:00', '2026-02-28T00:00', '2026-03-28T00:00'],
    ['one of 29', 'month', 1, '2028-02-29T23:59', '2028-02-01T00:00', '2028-03-01T00:00'],
    ['a month in which clocks are put forward', 'month', 1, '2026-03-30T12:00', '2026-03-01T00:00', '2026-04-01T00:00'],
  ] as const)('when it is %s, then it begins and ends at midnight there', (_case, period, begins, at, from, until) => {
    expect(stretchAt(period, berlin(at), BERLIN, begins)).toEqual({
      ...{ name: from.slice(0, 10), beginsAt: berlin(from), endsAt: berlin(until) },
    });
  });

  it('when clocks are set within one, then it is an hour longer or shorter', () => {
    const lengthOf = (at: string) => {
      const { beginsAt, endsAt } = stretchAt('month', berlin(at), BERLIN);
      return endsAt - beginsAt;
    };
    expect([lengthOf('2026-03-10T00:00'), lengthOf('2026-10-10T00:00')]).toEqual([31 * DAY - HOUR, 31 * DAY + HOUR]);
  });

  it('when any moment is looked at in any zone, then it lies in its month, and the next one begins where that ends', () => {
    const zones = fc.constantFrom('Asia/Kathmandu', 'Pacific/Apia', 'Europe/Berlin', 'UTC', 'America/Santiago');
    const moments = fc.integer({ min: 0, max: 4e12 });
    fc.assert(
      fc.property(moments, zones, fc.integer({ min: 1, max: 28 }), (at, zone, begins) => {
        const offset = zoneOffset(zone);
        const { beginsAt, endsAt } = stretchAt('month', at, offset, begins);
        expect(beginsAt <= at && at < endsAt).toBe(true);
        expect(stretchAt('month', endsAt, offset, begins).beginsAt).toBe(endsAt);
        expect(endsAt - beginsAt).toBeLessThanOrEqual(31 * DAY + HOUR);
      }),
      { numRuns: 200 },
    );
  });
});
