import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  barsOf,
  endOf,
  firstWindow,
  lengthOf,
  moved,
  placeOf,
  type Span,
  switchesOf,
  ticksOf,
  waitsOf,
  wholeOf,
  windowAt,
  windowsOf,
  within,
  zoomed,
} from '../../src/renderer/pages/sessions/gantt';
import { TURN_AT, timelineAxis, timelineTurn } from '../support/sample-sessions';

const MINUTE_MS = 60_000;
const HOURS: Span = { since: TURN_AT, until: TURN_AT + 82 * MINUTE_MS };
const mark = (minutes: number, troubled = 0) => ({ at: TURN_AT + minutes * MINUTE_MS, turns: 1, troubled });

describe('given the axis of a session', () => {
  it('when something lies on it, then its place is in percent, and what is outside has none', () => {
    const span = { since: 0, until: 1_000 };
    expect([placeOf({ since: 250, until: 500 }, span), placeOf({ since: -500, until: 100 }, span)]).toEqual([
      { left: 25, width: 25 },
      { left: 0, width: 10 },
    ]);
    expect([placeOf({ since: 1_100, until: 1_200 }, span), placeOf({ since: 900, until: 2_000 }, span)]).toEqual([
      null,
      { left: 90, width: 10 },
    ]);
  });

  it('when it has no length at all, then what lies on it still has a place', () => {
    const whole = wholeOf({ since: TURN_AT, until: TURN_AT });
    expect([lengthOf(whole), placeOf({ since: TURN_AT, until: TURN_AT }, whole)]).toEqual([
      1_000,
      { left: 50, width: 0 },
    ]);
  });

  it.each([
    [6, 6, 1],
    [82, 6, 15],
    [0.5, 6, 1 / 12],
  ])('when %d minutes are marked with at most %d, then it is every %d minutes of the clock', (minutes, most, step) => {
    const ticks = ticksOf({ since: TURN_AT, until: TURN_AT + minutes * MINUTE_MS }, most);
    expect(ticks.length).toBeLessThanOrEqual(most + 1);
    expect(ticks.every((at) => at % (step * MINUTE_MS) === 0)).toBe(true);
    expect(ticks.slice(1).map((at, index) => at - (ticks[index] ?? 0))).toEqual(
      ticks.slice(1).map(() => step * MINUTE_MS),
    );
  });

  it('when any window is moved and zoomed in any way, then it stays within the session and is never empty', () => {
    const spans = fc.record({
      at: fc.double({ min: -2, max: 3, noNaN: true }),
      minutes: fc.integer({ min: 0, max: 600 }),
    });
    const acts = fc.array(fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom('in', 'out')), { maxLength: 20 });
    fc.assert(
      fc.property(spans, acts, fc.integer({ min: 0, max: 86_400_000 }), ({ at, minutes }, steps, lengthMs) => {
        const whole = wholeOf({ since: TURN_AT, until: TURN_AT + lengthMs });
        let window = windowAt(TURN_AT + at * lengthMs, minutes, whole);
        for (const step of steps)
          window =
            typeof step === 'number' ? moved(window, step, whole) : zoomed(window, step === 'in' ? 0.5 : 2, whole);
        expect(window.since).toBeGreaterThanOrEqual(whole.since);
        expect(window.until).toBeLessThanOrEqual(whole.until + 1e-3);
        expect(lengthOf(window)).toBeGreaterThanOrEqual(Math.min(5_000, lengthOf(whole)) - 1e-3);
      }),
    );
  });

  it('when a window would reach beyond it, then it is as long as before and ends with it', () => {
    expect(within({ since: HOURS.until - MINUTE_MS, until: HOURS.until + 5 * MINUTE_MS }, HOURS)).toEqual({
      since: HOURS.until - 6 * MINUTE_MS,
      until: HOURS.until,
    });
  });

  it('when it is short, then all of it is shown and no window is offered', () => {
    const short = { since: TURN_AT, until: TURN_AT + 7 * MINUTE_MS };
    expect([windowsOf(short), firstWindow({ marks: [mark(1)] }, short, false)]).toEqual([[], null]);
    expect(windowsOf(HOURS)).toEqual([6, 30]);
  });

  it('when it is long and over, then it opens where it had trouble last; while it goes on, at its end', () => {
    const marks = Array.from({ length: 82 }, (_, n) => mark(n, n === 40 ? 1 : 0));
    expect(firstWindow({ marks }, HOURS, false)).toEqual({
      since: TURN_AT + 37 * MINUTE_MS,
      until: TURN_AT + 43 * MINUTE_MS,
    });
    expect(firstWindow({ marks }, HOURS, true)?.until).toBe(HOURS.until);
  });

  it('when its turns are far apart, then the window is long enough for some of them', () => {
    const marks = [0, 10, 20, 30, 40, 50, 60, 70, 80].map((minutes) => mark(minutes));
    expect(firstWindow({ marks }, HOURS, false)).toBeNull();
    expect(firstWindow({ marks: [mark(40, 1)] }, HOURS, false)).toEqual(windowAt(TURN_AT + 40 * MINUTE_MS, 6, HOURS));
  });
});

describe('given the attempts of a turn', () => {
  const turn = timelineTurn();
  const axis = timelineAxis();

  it('when one was left and another answered, then there is a hollow bar with a glyph, the wait, and the switch', () => {
    const bars = barsOf(turn, axis, axis);
    expect(bars.map(({ isLost, hasGlyph }) => [isLost, hasGlyph])).toEqual([
      [true, true],
      [false, false],
    ]);
    const [, second] = turn.attempts;
    expect(switchesOf(bars)).toEqual([second?.at]);
    const gap = (second?.at ?? 0) - (turn.attempts[0]?.until ?? 0);
    expect(waitsOf(bars).map(({ since, until }) => until - since)).toEqual(gap > 0 ? [gap] : []);
  });

  it('when its answer is still under way, then it lasts to the end of the axis', () => {
    const attempt = { ...turn.attempts[0]!, outcome: 'inFlight' as const, kind: null, status: null, until: null };
    const open = timelineTurn({ outcome: 'open', attempts: [attempt] });
    expect([barsOf(open, axis, axis)[0]?.until, endOf(open, axis)]).toEqual([axis.until, axis.until]);
  });

  it('when many fail in a moment, then their glyphs do not lie over each other', () => {
    const attempts = Array.from({ length: 12 }, (_, n) => ({
      ...turn.attempts[0]!,
      ...{ at: TURN_AT + n * 200, until: TURN_AT + n * 200 + 100 },
    }));
    expect(barsOf(timelineTurn({ attempts }), axis, axis).filter(({ hasGlyph }) => hasGlyph)).toHaveLength(2);
  });
});
