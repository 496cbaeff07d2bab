import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SeenWindow, Window } from '../../../src/engine';
import { owedOf, owing, stepOf } from '../../../src/engine/headroom/keep';
import { levelAt } from '../../../src/engine/headroom/window';
import { runSeed, runs } from '../../support/runs';
import { HOUR, MINUTE, SECOND } from '../world';
import { bucketWith, hearing, kept, planAt, tokensWith } from './seen';

const seed = runSeed;

/** The one window that is known. */
function only(windows: readonly Window[]): Window {
  expect(windows).toHaveLength(1);
  return windows[0] as Window;
}

/** A plan whose reset is at 2 h, as a response at `now` tells of it. */
const planSeenAt = (now: number, used: number, changes: Partial<SeenWindow> = {}): SeenWindow =>
  planAt(used, { resetInMs: 2 * HOUR - now, ...changes });

describe('given a first response', () => {
  it('when it tells of a window, then that is kept with its times, and nothing is owed or known of its pace', () => {
    expect(hearing([], planAt(0.4), { now: 1_000, sentAt: 400 })).toEqual([
      {
        ...{ id: 'unified-5h', unit: 'share', lengthMs: 5 * HOUR, model: null, family: null, used: 0.4, limit: null },
        ...{ remaining: null, resetAt: 1_000 + 2 * HOUR, refills: 'at_reset', charges: 'used', source: 'provider' },
        ...{ isRuling: false, isRefusing: false, isOverdrawable: false, at: 1_000, asOf: 400, step: null, owed: [] },
        ...{ pace: null, passed: 0 },
      },
    ]);
  });

  it('when it tells of none, then what is known stays the very same', () => {
    const known = hearing([], planAt(0.4));
    expect(hearing(known, [], { now: 5 })).toBe(known);
  });

  it('when it is of one model or of a family, then that is written down; the family in small letters', () => {
    const windows = hearing([], [bucketWith(5), planAt(0.1, { of: { family: 'Opus' } })], { model: 'a/7' });
    expect(windows.map(({ model, family }) => [model, family])).toEqual([
      ['a/7', null],
      [null, 'opus'],
    ]);
  });

  it('when two models have a window of one name each, then both are kept', () => {
    const windows = hearing(hearing([], bucketWith(5)), bucketWith(50), { model: 'a/2', now: 10 });
    expect(windows.map(({ model, remaining }) => [model, remaining])).toEqual([
      ['a/1', 5],
      ['a/2', 50],
    ]);
  });
});

describe('given two requests that were under way together', () => {
  const first = hearing([], planSeenAt(1_000, 0.4), { now: 1_000, sentAt: 0 });
  const late = (used: number, changes: Partial<SeenWindow> = {}, sentAt: number | null = 500) =>
    only(hearing(first, planSeenAt(1_300, used, changes), { now: 1_300, sentAt }));

  it.each([0, 1_999, 2_000, -2_000])('when the resets are %i ms apart, then the fuller one counts', (apartMs) => {
    const resetInMs = 2 * HOUR - 1_300 + apartMs;
    expect([late(0.39, { resetInMs }).used, late(0.41, { resetInMs }).used]).toEqual([0.4, 0.41]);
  });

  it('when the later response says the same, then it is heard again', () => {
    expect(late(0.4)).toMatchObject({ used: 0.4, at: 1_300 });
  });

  it('when its reset is later by 1 ms more than 2 s and its time on the way, then it is another window, however empty', () => {
    expect(late(0.01, { resetInMs: 2 * HOUR - 1_300 + 2_801 })).toMatchObject({
      ...{ used: 0.01, resetAt: 2 * HOUR + 2_801, passed: 0, pace: null },
    });
  });

  it('when its reset is earlier, then it speaks of the window before', () => {
    expect(late(0.99, { resetInMs: HOUR })).toMatchObject({ used: 0.4, resetAt: 2 * HOUR });
  });

  it('when nobody knows when the request of the lower one left, then it lowers nothing', () => {
    expect([late(0.39, {}, null).used, late(0.41, {}, null).used]).toEqual([0.4, 0.41]);
  });

  it('when the reset is not said, then it is the same window', () => {
    expect(late(0.39, { resetInMs: null }).used).toBe(0.4);
  });

  it('when the lower one left last, then whatever left after that is newer, and no more is owed than ended since', () => {
    expect([late(0.39), late(0.39, {}, -5)].map(({ asOf, at }) => [asOf, at])).toEqual([
      [500, 1_000],
      [0, 1_000],
    ]);
  });
});

describe('given a request that left after the last word came', () => {
  const first = hearing([], planSeenAt(1_000, 0.9), { now: 1_000, sentAt: 0 });
  const newer = (used: number, changes: Partial<SeenWindow> = {}, sentAt = 1_000) =>
    only(hearing(first, planSeenAt(4_000, used, changes), { now: 4_000, sentAt }));

  it('when it says less, as after an upgrade, then that counts', () => {
    expect(newer(0.2)).toMatchObject({ used: 0.2, at: 4_000, asOf: 1_000 });
  });

  it('when it left one moment before, then it does not', () => {
    expect(newer(0.2, {}, 999)).toMatchObject({ used: 0.9, at: 1_000 });
  });

  it('when it names an earlier reset, then the plan was reset early', () => {
    expect(newer(0.01, { resetInMs: HOUR })).toMatchObject({ used: 0.01, resetAt: 4_000 + HOUR, pace: null });
  });

  it('when it no longer refuses, then it does not', () => {
    const refusing = hearing([], planSeenAt(1_000, 1, { isRefusing: true }), { now: 1_000 });
    const then = (sentAt: number) => only(hearing(refusing, planSeenAt(4_000, 0.5), { now: 4_000, sentAt })).isRefusing;
    expect([then(1_000), then(999)]).toEqual([false, true]);
  });
});

describe('given a window whose reset has come', () => {
  it('when any response tells of the next, also to a request from before, then that is begun anew', () => {
    const old = hearing([], planAt(0.97), { now: 0 });
    const next = hearing(old, planAt(0.01, { resetInMs: 5 * HOUR }), { now: 2 * HOUR, sentAt: -1 });
    expect(only(next)).toMatchObject({ used: 0.01, resetAt: 7 * HOUR, passed: 0, pace: null, owed: [] });
  });

  it('when nothing is known of what its requests take, then it is forgotten with the next response; else that is kept', () => {
    const [bucket, plan] = [bucketWith(30, { id: 'other' }), planSeenAt(0, 0.4)];
    const known = hearing([], [bucket, plan]);
    const then = hearing(known, planSeenAt(MINUTE, 0.5), { now: MINUTE });
    expect(then.map(({ id }) => id)).toEqual(['unified-5h']);
    const spent = hearing(hearing([], bucket), { ...bucket, remaining: 20, used: 2 / 3 }, { now: 1, sentAt: 0 });
    const later = hearing(spent, planSeenAt(HOUR, 0.5), { now: HOUR });
    expect(later.map(({ id }) => id)).toEqual(['other', 'unified-5h']);
    expect(later[0]?.step).not.toBeNull();
  });
});

describe('given a bucket that fills up all the time', () => {
  const bucket = hearing([], bucketWith(20), { now: 0 });

  it('when a late response says less than has come back since, then that counts: what came back is no news', () => {
    // After 10 s 30 are there: one that says 25 has seen more taken.
    const at = (remaining: number) => only(hearing(bucket, bucketWith(remaining), { now: 10 * SECOND, sentAt: -1 }));
    expect([at(25), at(35)].map(({ remaining, at: heardAt }) => [remaining, heardAt])).toEqual([
      [25, 10 * SECOND],
      [20, 0],
    ]);
  });

  it('when its reset moves on with each request, then it stays one window: what was learnt of it stays', () => {
    const next = only(hearing(bucket, bucketWith(10), { now: SECOND, sentAt: 0 }));
    expect(next).toMatchObject({ remaining: 10, resetAt: SECOND + 50 * SECOND, pace: null });
    expect(next.step?.most).toBeGreaterThan(0);
  });
});

describe('given requests that end after their response has come', () => {
  const ends = (windows: readonly Window[], now: number, outputTokens = 100) =>
    owing(windows, { model: 'a/1', now, outputTokens });

  it('when a plan is told by its share, then each is owed as much as one takes', () => {
    const known = ends(ends(hearing([], planAt(0.4)), 10), 20);
    expect(only(known).owed).toEqual([
      { at: 10, part: null },
      { at: 20, part: null },
    ]);
    expect(owedOf(only(known))).toBeCloseTo(0.02, 9);
  });

  it('when it is charged for what it has said, then that part of the window is owed', () => {
    const words = (unit: 'tokens' | 'output_tokens' | 'input_tokens', charges: 'used' | 'maximum') =>
      only(ends(hearing([], tokensWith(5_000, { unit, charges })), 10, 250)).owed;
    expect([words('tokens', 'used'), words('output_tokens', 'used')]).toEqual(
      Array.from({ length: 2 }, () => [{ at: 10, part: 0.025 }]),
    );
    expect([words('input_tokens', 'used'), words('tokens', 'maximum')]).toEqual([[], []]);
  });

  it('when no window counts it so, then what is known stays the very same', () => {
    const [calls, others] = [hearing([], bucketWith(5)), hearing([], planAt(0.4, { of: 'model' }), { model: 'a/2' })];
    expect([ends(calls, 10) === calls, ends(others, 10) === others]).toEqual([true, true]);
  });

  it('when a response to a request that left at or after its end comes, then nothing of it is owed; else it still is', () => {
    const known = ends(ends(hearing([], planSeenAt(0, 0.4)), 1_000), 2_000);
    const left = (sentAt: number) => only(hearing(known, planSeenAt(5_000, 0.45), { now: 5_000, sentAt })).owed;
    expect([left(999), left(1_000), left(1_999), left(2_000)].map((owed) => owed.map(({ at }) => at))).toEqual([
      [1_000, 2_000],
      [2_000],
      [2_000],
      [],
    ]);
  });

  it('when a hundred and more have ended, then the 100 latest are remembered', () => {
    let known = hearing([], planAt(0.4));
    for (let at = 1; at <= 130; at++) known = ends(known, at);
    expect([only(known).owed.length, only(known).owed[0]?.at, only(known).owed.at(-1)?.at]).toEqual([100, 31, 130]);
  });
});

describe('given what requests are seen to take', () => {
  const round = (known: readonly Window[], at: number, used: number) =>
    hearing(owing(known, { model: 'a/1', now: at, outputTokens: 1 }), planSeenAt(at + 10, used), {
      ...{ now: at + 10, sentAt: at },
    });

  it('when none was seen, then one is taken for 1 % of the window', () => {
    expect(stepOf(kept(planAt(0.4)))).toEqual({ mean: 0.01, most: 0.01 });
  });

  it('when each takes 0.4 %, then one is taken for that', () => {
    let known = hearing([], planSeenAt(0, 0.1));
    for (let count = 1; count <= 20; count++) known = round(known, count * 100, 0.1 + count * 0.004);
    const { mean, most } = stepOf(only(known));
    expect([mean, most]).toEqual([expect.closeTo(0.004, 6), expect.closeTo(0.004, 6)]);
  });

  it('when one takes 1.5 % among many of 0.2 %, then the most remembers it, and forgets it by and by', () => {
    let used = 0.1;
    let known = hearing([], planSeenAt(0, used));
    const play = (count: number, part: number): void => {
      for (let at = 0; at < count; at++) {
        used += part;
        known = round(known, only(known).at + 100, used);
      }
    };
    play(10, 0.002);
    play(1, 0.015);
    const soon = stepOf(only(known));
    expect([soon.most, soon.mean < 0.005]).toEqual([expect.closeTo(0.015, 6), true]);
    play(100, 0.002);
    expect(stepOf(only(known)).most).toBeLessThan(0.0022);
  });

  it('when somebody else takes much of it, then one request is never taken for more than 2 %', () => {
    const known = round(hearing([], planSeenAt(0, 0.1)), 100, 0.7);
    expect(stepOf(only(known))).toEqual({ mean: 0.02, most: 0.02 });
  });

  it('when the next window begins, then what one takes of it is still known', () => {
    const known = round(hearing([], planSeenAt(0, 0.1)), 100, 0.12);
    const next = only(hearing(known, planAt(0, { resetInMs: 5 * HOUR }), { now: 3 * HOUR }));
    expect([next.used, stepOf(next).mean]).toEqual([0, expect.closeTo(0.02, 9)]);
  });
});

describe('given more windows than any account was seen to have', () => {
  const many = (count: number, from = 0): SeenWindow[] =>
    Array.from({ length: count }, (_, at) => planAt(0.1, { id: `w${from + at}` }));

  it('when a response tells of 41, then 40 are kept', () => {
    expect([
      hearing([], many(40)).length,
      hearing([], many(41)).length,
      hearing(hearing([], many(40)), many(9, 40)).length,
    ]).toEqual([40, 40, 40]);
  });
});

/** One response within one window: how full it said the window was, when its request left and when it came. */
type Word = Readonly<{ used: number; sentAt: number; now: number }>;

/** Words of requests that left before the first of them came, in the order they came in. */
const overlapping: fc.Arbitrary<readonly Word[]> = fc
  .array(fc.tuple(fc.double({ min: 0, max: 1.2, noNaN: true }), fc.nat(999), fc.nat(60_000)), {
    ...{ minLength: 2, maxLength: 20 },
  })
  .map((words) => words.map(([used, sentAt, ms]) => ({ used, sentAt, now: 1_000 + ms })).sort((a, b) => a.now - b.now));

describe(`given any order of responses to requests that were under way together (seed ${seed})`, () => {
  const hearAll = (words: readonly Word[], seen: (word: Word) => SeenWindow): readonly (readonly Window[])[] => {
    let known: readonly Window[] = [];
    return words.map((word) => {
      known = hearing(known, seen(word), word);
      return known;
    });
  };

  it(`when ${runs(2_000)} are heard within one window, then what is spent never becomes less`, () => {
    fc.assert(
      fc.property(overlapping, fc.integer({ min: -900, max: 900 }), (words, jitter) => {
        const all = hearAll(words, ({ used, now }) => planSeenAt(now + (now % 2) * jitter, used));
        const levels = all.map((known) => only(known).used);
        for (let at = 1; at < levels.length; at++) {
          expect(levels[at]).toBeGreaterThanOrEqual(levels[at - 1] as number);
        }
        expect(levels.at(-1)).toBe(Math.max(...words.map(({ used }) => used)));
      }),
      { seed, numRuns: runs(2_000) },
    );
  });

  it(`when ${runs(2_000)} are heard of a bucket, then none makes it emptier of what was spent than time has`, () => {
    fc.assert(
      fc.property(overlapping, (words) => {
        let known: readonly Window[] = [];
        for (const word of words) {
          const used = Math.min(1, word.used);
          const before = known[0] ? levelAt(known[0], word.now) : null;
          known = hearing(known, bucketWith(60 * (1 - used), { used, resetInMs: used * MINUTE + 1 }), word);
          const level = levelAt(only(known), word.now);
          if (before) expect(level?.used).toBeGreaterThanOrEqual(before.used);
        }
      }),
      { seed, numRuns: runs(2_000) },
    );
  });

  it(`when ${runs(1_000)} are heard, then nothing that was told is changed afterwards`, () => {
    fc.assert(
      fc.property(overlapping, (words) => {
        const all = hearAll(words, ({ used, now }) => planSeenAt(now, used));
        const texts = all.map((known) => JSON.stringify(known));
        expect(hearAll(words, ({ used, now }) => planSeenAt(now, used)).map((known) => JSON.stringify(known))).toEqual(
          texts,
        );
      }),
      { seed, numRuns: runs(1_000) },
    );
  });
});
