import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  dayOf,
  PRESETS,
  parseRange,
  presetOf,
  rangeBetween,
  rangeText,
  widerThan,
} from '../../src/renderer/components/time/range';

const HOUR_MS = 3_600_000;
/** A Wednesday afternoon. */
const NOW = new Date(2026, 10, 18, 14, 13).getTime();
const hours = fc.integer({ min: 300_000, max: 500_000 });

describe('given ranges of time', () => {
  it('when a stretch of hours is written and read again, then it is the same', () => {
    fc.assert(
      fc.property(hours, fc.integer({ min: 1, max: 72 }), (since, length) => {
        const range = rangeBetween(since * HOUR_MS, (since + length) * HOUR_MS);
        expect(parseRange(rangeText(range))).toEqual(range);
        if (range.kind === 'span')
          expect([range.sinceMs, range.untilMs]).toEqual([since * HOUR_MS, (since + length) * HOUR_MS]);
        else expect(range.kind).toBe('custom');
      }),
    );
  });

  it('when whole days are chosen, then they are told as days, and one hour more as hours', () => {
    const [begin, end] = [new Date(2026, 10, 8).getTime(), new Date(2026, 10, 10).getTime()];
    expect(rangeBetween(begin, end)).toEqual({ kind: 'custom', from: '2026-11-08', to: '2026-11-09' });
    expect(rangeBetween(begin, end + HOUR_MS)).toEqual({ kind: 'span', sinceMs: begin, untilMs: end + HOUR_MS });
  });

  it('when one of those people choose most is turned into bounds, then these lead back to it', () => {
    for (const preset of PRESETS) expect(presetOf(boundsOf(preset, NOW), NOW)).toEqual(preset);
    expect(presetOf({ sinceMs: NOW, untilMs: null }, NOW)).toBeNull();
    expect(boundsOf({ kind: 'days', days: 7 }, NOW).sinceMs).toBe(new Date(2026, 10, 12).getTime());
  });

  it('when one zooms out, then the range is around the one before, never ends after now, and days stay days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 60 }), (ago, length) => {
        const untilMs = Math.floor(NOW / HOUR_MS - ago) * HOUR_MS;
        const inner = rangeBetween(untilMs - length * HOUR_MS, untilMs);
        const outer = widerThan(inner, NOW);
        const [a, b] = [boundsOf(inner, NOW), outer && boundsOf(outer, NOW)];
        expect(b?.sinceMs).toBeLessThanOrEqual(a.sinceMs ?? 0);
        // An end of its own day is later than now; what has not been yet is in no figure.
        expect(Number(b?.untilMs) >= Number(a.untilMs) || Number(b?.untilMs) > NOW).toBe(true);
        expect(dayOf(Number(b?.untilMs) - 1) <= dayOf(NOW)).toBe(true);
      }),
    );
    expect(widerThan({ kind: 'days', days: 7 }, NOW)).toBeNull();
    expect(widerThan({ kind: 'all' }, NOW)).toBeNull();
  });
});
