import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Window } from '../../../src/engine';
import { forecastOf, pacedBy } from '../../../src/engine/headroom/pace';
import { runSeed, runs } from '../../support/runs';
import { DAY, HOUR, MINUTE, SECOND } from '../world';
import { bucketWith, heardOf, hearing, kept, LENGTH, type Point } from './seen';

const seed = runSeed;

/** One response in so many ms, each so much fuller. */
const steadily = (count: number, everyMs: number, perHour: number, from = 0): Point[] =>
  Array.from({ length: count }, (_, at) => ({ now: at * everyMs, used: from + (at * everyMs * perHour) / HOUR }));

describe('given too little to tell from', () => {
  it('when 4 responses have come, which are 3 steps, then nothing is foretold; with 5 it is', () => {
    const told = (count: number) => {
      const points = steadily(count, 5 * MINUTE, 0.2);
      return forecastOf(heardOf(points), points.at(-1)?.now ?? 0) !== null;
    };
    expect([1, 2, 3, 4, 5, 6].map(told)).toEqual([false, false, false, false, true, true]);
  });

  it('when what was seen spans less than a fiftieth of the window, then nothing is foretold', () => {
    const told = (spanMs: number) => forecastOf(heardOf(steadily(11, spanMs / 10, 0.2)), spanMs) !== null;
    expect([told(6 * MINUTE - 10), told(6 * MINUTE)]).toEqual([false, true]);
  });

  it('when the last word is older than a tenth of the window, then nothing is foretold', () => {
    const window = heardOf(steadily(13, 5 * MINUTE, 0.2));
    expect([HOUR, HOUR + 30 * MINUTE, HOUR + 30 * MINUTE + 1].map((now) => forecastOf(window, now) !== null)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('when the window is a week long, then a word is believed for no more than half a day', () => {
    const window = heardOf(steadily(13, HOUR, 0.005), 7 * DAY, 7 * DAY);
    expect([DAY, DAY + 1].map((now) => forecastOf(window, now) !== null)).toEqual([true, false]);
  });

  it.each([
    ['29 min', 30 * MINUTE - 1, false],
    ['30 min', 30 * MINUTE, true],
    ['nobody knows how', null, false],
  ])('when the window is %s long, then that it is foretold is %s', (_, lengthMs, expected) => {
    const window = heardOf(steadily(9, MINUTE, 0.6), lengthMs, 20 * MINUTE);
    expect(forecastOf(window, 8 * MINUTE) !== null).toBe(expected);
  });

  it('when the reset has come, then nothing is foretold', () => {
    const window = heardOf(steadily(13, 5 * MINUTE, 0.2), LENGTH, 70 * MINUTE);
    expect([70 * MINUTE - 1, 70 * MINUTE].map((now) => forecastOf(window, now) !== null)).toEqual([true, false]);
  });

  it('when it is a bucket that fills up evenly, then nothing is foretold', () => {
    const changes = { lengthMs: HOUR, limit: 600 } as const;
    let known: readonly Window[] = [kept(bucketWith(600, changes))];
    for (let at = 1; at < 9; at++) known = hearing(known, bucketWith(600 - at * 50, changes), { now: at * MINUTE });
    expect([known[0]?.pace, forecastOf(known[0] as Window, 8 * MINUTE)]).toEqual([null, null]);
  });
});

describe('given a plan of 5 h of which 20 % an hour are used', () => {
  it('when an hour has gone by, then it just does not run out; all of it will be spent', () => {
    const forecast = forecastOf(heardOf(steadily(31, 2 * MINUTE, 0.2)), HOUR);
    expect(forecast?.perHour).toBeCloseTo(0.2, 6);
    expect(forecast?.usedAtReset).toBeCloseTo(1, 6);
    expect(forecast?.spread).toBeLessThan(0.001);
  });

  it('when a third was spent before, then it runs out after 3 h 20 min', () => {
    const forecast = forecastOf(heardOf(steadily(31, 2 * MINUTE, 0.2, 1 / 3)), HOUR);
    expect((forecast?.fullAt ?? 0) / MINUTE).toBeCloseTo(200, 3);
    expect(forecast?.usedAtReset).toBe(1);
  });

  it('when the responses come in twos and at odd times, then it is foretold within 5 minutes', () => {
    const points = steadily(31, 2 * MINUTE, 0.2, 1 / 3).flatMap(({ now, used }, at) => [
      { now: now + ((at * 37) % 11) * SECOND, used: used + (((at * 37) % 11) * SECOND * 0.2) / HOUR },
    ]);
    const forecast = forecastOf(heardOf(points), HOUR + MINUTE);
    expect(Math.abs((forecast?.fullAt ?? 0) - 200 * MINUTE)).toBeLessThan(5 * MINUTE);
  });

  it('when its provider rounds to whole per cents, then it is foretold within 20 minutes', () => {
    const points = steadily(61, MINUTE, 0.2, 0.4).map(({ now, used }) => ({ now, used: Math.floor(used * 100) / 100 }));
    const forecast = forecastOf(heardOf(points), HOUR);
    expect(Math.abs((forecast?.fullAt ?? 0) - 180 * MINUTE)).toBeLessThan(20 * MINUTE);
    expect(forecast?.spread).toBeGreaterThan(0);
  });
});

describe('given a pace that changes', () => {
  it('when nothing is used for an hour, then it does not run out any more', () => {
    const busy = steadily(31, 2 * MINUTE, 0.4);
    const idle = Array.from({ length: 60 }, (_, at) => ({ now: HOUR + (at + 1) * 2 * MINUTE, used: 0.4 }));
    const [before, then] = [forecastOf(heardOf(busy), HOUR), forecastOf(heardOf([...busy, ...idle]), 3 * HOUR)];
    expect((before?.fullAt ?? 0) / MINUTE).toBeCloseTo(150, 1);
    expect([then?.fullAt, then?.latestAt, (then?.perHour ?? 1) < 0.01]).toEqual([null, null, true]);
  });

  it('when it is full, then it is now', () => {
    const window = heardOf([...steadily(31, 2 * MINUTE, 0.9), { now: HOUR + MINUTE, used: 1.02 }]);
    const now = HOUR + 2 * MINUTE;
    expect(forecastOf(window, now)).toMatchObject({ fullAt: now, soonestAt: now, latestAt: now, usedAtReset: 1 });
  });

  it('when a moment brings two responses, then no pace is made of that', () => {
    const pace = { perHour: 0.2, variance: 0, samples: 5, weight: 0.5, since: 0 };
    expect(pacedBy(pace, LENGTH, { gain: 0.1, overMs: 0, at: HOUR })).toBe(pace);
    expect(pacedBy(null, LENGTH, { gain: 0.1, overMs: 0, at: HOUR })).toBeNull();
  });

  it('when less is said than before, then nothing was used, not less than nothing', () => {
    expect(pacedBy(null, LENGTH, { gain: -0.3, overMs: MINUTE, at: HOUR })?.perHour).toBe(0);
  });

  it('when nobody says when it resets, then only when it is full is foretold', () => {
    const forecast = forecastOf(heardOf(steadily(31, 2 * MINUTE, 0.2), LENGTH, null), HOUR);
    expect([forecast?.usedAtReset, (forecast?.fullAt ?? 0) / HOUR]).toEqual([null, expect.closeTo(5, 3)]);
  });
});

/** Responses of a plan of 5 h that is used somehow, and when somebody asks. */
const anyUse = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 0, max: 20 * MINUTE }), fc.double({ min: 0, max: 0.2, noNaN: true })), {
      ...{ minLength: 1, maxLength: 40 },
    }),
    fc.integer({ min: 0, max: HOUR }),
  )
  .map(([steps, laterMs]) => {
    const points: Point[] = [];
    let [now, used] = [0, 0];
    for (const [ms, part] of steps) {
      now += ms;
      used = Math.min(1, used + part);
      if (now < LENGTH) points.push({ now, used });
    }
    return { points, at: Math.min(LENGTH - 1, (points.at(-1)?.now ?? 0) + laterMs) };
  })
  .filter(({ points }) => points.length > 0);

describe(`given any use of a plan (seed ${seed})`, () => {
  it(`when ${runs(3_000)} are foretold, then never more is promised than is left, nor anything after the reset`, () => {
    let told = 0;
    fc.assert(
      fc.property(anyUse, ({ points, at }) => {
        const window = heardOf(points);
        const forecast = forecastOf(window, at);
        if (!forecast) return;
        told++;
        const { perHour, spread, fullAt, soonestAt, latestAt, usedAtReset } = forecast;
        expect(perHour).toBeGreaterThanOrEqual(0);
        expect(spread).toBeGreaterThanOrEqual(0);
        expect(usedAtReset).toBeGreaterThanOrEqual(window.used);
        expect(usedAtReset).toBeLessThanOrEqual(1);
        for (const full of [fullAt, soonestAt, latestAt]) {
          if (full === null) continue;
          expect(full).toBeGreaterThanOrEqual(at);
          expect(full).toBeLessThan(LENGTH);
        }
        // Whatever is full at its pace before its reset is full at its reset, and the other way round.
        if (fullAt !== null) expect(usedAtReset).toBeCloseTo(1, 9);
        if (usedAtReset !== null && usedAtReset < 1 - 1e-9) expect(fullAt).toBeNull();
      }),
      { seed, numRuns: runs(3_000) },
    );
    expect(told).toBeGreaterThan(0);
  });

  it(`when ${runs(3_000)} are foretold, then the fast end of the band comes first and the slow one last`, () => {
    fc.assert(
      fc.property(anyUse, ({ points, at }) => {
        const forecast = forecastOf(heardOf(points), at);
        if (!forecast) return;
        const late = Number.POSITIVE_INFINITY;
        const [soonest, full, latest] = [forecast.soonestAt, forecast.fullAt, forecast.latestAt].map(
          (each) => each ?? late,
        );
        expect(soonest).toBeLessThanOrEqual(full as number);
        expect(full).toBeLessThanOrEqual(latest as number);
      }),
      { seed, numRuns: runs(3_000) },
    );
  });

  it(`when ${runs(1_000)} are foretold twice, also through JSON, then it is the same`, () => {
    fc.assert(
      fc.property(anyUse, ({ points, at }) => {
        const window = heardOf(points);
        const again = JSON.parse(JSON.stringify(heardOf(points))) as Window;
        expect(forecastOf(again, at)).toEqual(forecastOf(window, at));
      }),
      { seed, numRuns: runs(1_000) },
    );
  });
});
