import { describe, expect, it } from 'vitest';
import type { UsageAnswer, UsageStep } from '../../src/contract/usage';
import { axisPoints, axisText, pointText } from '../../src/renderer/pages/usage/format';
import { areSomeLeft, marksOf } from '../../src/renderer/pages/usage/marks';

const HOUR_MS = 3_600_000;
/** Midnight in Berlin. */
const MIDNIGHT = Date.UTC(2026, 10, 17, 23);

type Counts = readonly (number | null)[];

/** An answer of these steps, with so many switches and resets by point. */
function usageOf(step: UsageStep, everyMs: number, switches: Counts, resets: Counts = []): UsageAnswer {
  const points = switches.map((count, nth) => ({
    at: MIDNIGHT + nth * everyMs,
    switches: count,
    resets: resets[nth] ?? 0,
  }));
  return { step, points, question: { timeZone: 'Europe/Berlin' } } as unknown as UsageAnswer;
}

describe('given points with switches and resets', () => {
  it('when seven had switches, then the five with the most are marked, and it is said that some are left', () => {
    const usage = usageOf('day', 24 * HOUR_MS, [1, 9, 0, 3, 4, 2, 5, null, 7]);
    expect(marksOf(usage).map(({ at }) => at)).toEqual([1, 3, 4, 6, 8]);
    expect([areSomeLeft(usage), areSomeLeft(usageOf('day', 24 * HOUR_MS, [1, 0, 2]))]).toEqual([true, false]);
  });

  it('when a person has reset something, then every such point is marked, also beside a switch; unknown is no mark', () => {
    const usage = usageOf('day', 24 * HOUR_MS, [0, 2, null, 0], [1, 3, null, 0]);
    expect(marksOf(usage)).toEqual([
      { at: 0, kinds: ['resets'] },
      { at: 1, kinds: ['switches', 'resets'] },
    ]);
  });
});

describe('given the axis of a chart', () => {
  const named = (step: UsageStep, everyMs: number): string[] => {
    const usage = usageOf(
      step,
      everyMs,
      Array.from({ length: 9 }, () => 0),
    );
    const nths = axisPoints(usage) ?? usage.points.map((_, nth) => nth);
    return nths.map((nth) => axisText(usage.points[nth]?.at ?? 0, usage)).slice(0, 3);
  };

  it('when its points are hours or longer, then days are named with their month, and a day of several points once', () => {
    expect(named('hour', HOUR_MS)).toEqual(['Nov 18', '01:00', '02:00']);
    expect(named('sixHours', 6 * HOUR_MS)).toEqual(['Nov 18', 'Nov 19', 'Nov 20']);
    expect(named('day', 24 * HOUR_MS)).toEqual(['Nov 18', 'Nov 19', 'Nov 20']);
    expect(named('week', 7 * 24 * HOUR_MS)).toEqual(['Nov 18', 'Nov 25', 'Dec 2']);
    expect(named('month', 30 * 24 * HOUR_MS)).toEqual(['Nov 2026', 'Dec 2026', 'Jan 2027']);
  });

  it('when a point is said, then its day is as well', () => {
    expect(pointText(MIDNIGHT, usageOf('day', 1, []))).toBe('Wed, Nov 18');
    expect(pointText(MIDNIGHT + 14 * HOUR_MS, usageOf('hour', 1, []))).toBe('Nov 18, 14:00');
  });
});
