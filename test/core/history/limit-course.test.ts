import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountUse, LimitSample } from '../../../src/core/base/store-rows';
import { pointsOf, sharesOf, windowsIn } from '../../../src/core/history/limit-course';
import { createLimitSampler } from '../../../src/core/history/limit-samples';
import type { EngineState, Window } from '../../../src/engine';
import { fromEntries } from '../../../src/engine/base/table';
import { START } from '../virtual-core';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NAME = { account: 'anthropic', window: 'unified-5h', model: null } as const;

/** A sample `atMs` after the begin of the first window, which lasts five hours. */
const sample = (atMs: number, used: number, change: Partial<LimitSample> = {}): LimitSample => ({
  ...NAME,
  ...{ at: START + atMs, used, resetAt: START + 5 * HOUR, lengthMs: 5 * HOUR },
  ...change,
});
const use = (atMs: number, tokens: number, agent = 'build', session = 's1'): AccountUse => ({
  ...{ at: START + atMs, tokens, agent, session, model: 'anthropic/claude' },
});
/** A window after another one of which there is a sample. */
const only = (samples: readonly LimitSample[]) => {
  const earlier = sample(-HOUR, 0.4, { resetAt: START });
  const window = windowsIn([earlier, ...samples]).at(-1);
  if (!window) throw new Error('no window');
  return window;
};

describe('given samples of a plan of five hours', () => {
  it('when its reset is told some seconds apart, then they are of one window; when it is another one, then of the next', () => {
    const next = { resetAt: START + 10 * HOUR };
    const windows = windowsIn([
      sample(HOUR, 0.1),
      sample(2 * HOUR, 0.2, { resetAt: START + 5 * HOUR + 2_000 }),
      sample(6 * HOUR, 0.05, next),
    ]);
    expect(windows.map(({ samples, beginsAt, endsAt }) => [samples.length, beginsAt - START, endsAt - START])).toEqual([
      [2, 2_000, 5 * HOUR + 2_000],
      [1, 5 * HOUR, 10 * HOUR],
    ]);
  });

  it('when its provider begins it anew early, then the first window ends there', () => {
    const windows = windowsIn([sample(HOUR, 0.9), sample(2 * HOUR, 0.01, { resetAt: START + 7 * HOUR })]);
    expect(windows.map(({ beginsAt, endsAt }) => [beginsAt - START, endsAt - START])).toEqual([
      [0, 2 * HOUR],
      [2 * HOUR, 7 * HOUR],
    ]);
  });

  it('when nobody says how long it is, then it begins with its first sample', () => {
    expect(only([sample(HOUR, 0.1, { lengthMs: null })]).beginsAt).toBe(START + HOUR);
  });

  it('when 2 h have gone by, then each point is what was last heard by then, and none is beyond now', () => {
    const window = only([sample(HOUR, 0.1), sample(1.5 * HOUR, 0.3)]);
    const points = pointsOf(window, START + 2 * HOUR);
    const at = (hours: number) => points.find((point) => point.at >= START + hours * HOUR)?.used;
    expect([at(0.5), at(1), at(1.25), at(2)]).toEqual([null, 0.1, 0.1, 0.3]);
    expect(points.at(-1)).toEqual({ at: START + 2 * HOUR, used: 0.3 });
  });

  it('when the window is over, then the points end with it', () => {
    const points = pointsOf(only([sample(HOUR, 0.1)]), START + 50 * HOUR);
    expect([points.length, points.at(-1)]).toEqual([96, { at: START + 5 * HOUR, used: 0.1 }]);
  });
});

describe('given the first reading of a plan ever', () => {
  it('when it is 82 % after one message, then nothing has risen yet, and later rises count from there', () => {
    const [window] = windowsIn([sample(HOUR, 0.82), sample(2 * HOUR, 0.85)]);
    if (!window) throw new Error('no window');
    const first = { ...window, samples: window.samples.slice(0, 1) };
    expect(sharesOf(first, [use(50 * MINUTE, 2_580)])).toEqual({ gained: 0, elsewhere: 0, agents: [], sessions: [] });
    const both = sharesOf(window, [use(50 * MINUTE, 2_580), use(90 * MINUTE, 100)]);
    expect(both.gained).toBeCloseTo(0.03);
    expect(both.agents.map(({ agent, part }) => [agent, Number(part.toFixed(2))])).toEqual([['build', 0.03]]);
  });
});

describe('given what was used between its samples', () => {
  it('when two agents used 30 and 10 tokens before it rose by 8 points, then 6 and 2 are theirs', () => {
    const shares = sharesOf(only([sample(HOUR, 0.08)]), [
      use(10 * MINUTE, 30, 'build', 's1'),
      use(20 * MINUTE, 10, 'plan', 's2'),
    ]);
    expect(shares.gained).toBeCloseTo(0.08);
    expect(shares.elsewhere).toBe(0);
    expect(shares.agents.map(({ agent, part }) => [agent, Number(part.toFixed(4))])).toEqual([
      ['build', 0.06],
      ['plan', 0.02],
    ]);
    expect(shares.sessions.map(({ session }) => session)).toEqual(['s1', 's2']);
  });

  it('when it rose while nobody used anything here, then that was elsewhere', () => {
    const samples = [sample(HOUR, 0.1), sample(2 * HOUR, 0.4), sample(3 * HOUR, 0.5)];
    const shares = sharesOf(only(samples), [use(30 * MINUTE, 5), use(2.5 * HOUR, 5)]);
    expect([shares.gained, shares.elsewhere].map((part) => Number(part.toFixed(4)))).toEqual([0.5, 0.3]);
  });

  it('when it falls within its window, then only what rises again is counted', () => {
    const shares = sharesOf(only([sample(HOUR, 0.5), sample(2 * HOUR, 0.1), sample(3 * HOUR, 0.2)]), []);
    expect(Number(shares.gained.toFixed(4))).toBe(0.6);
  });

  it('when anything is sampled and used, then no part is below nothing and all of them are not more than the rise', () => {
    const times = fc.integer({ min: 1, max: 5 * 60 });
    const samples = fc.array(fc.tuple(times, fc.double({ min: 0, max: 1.5, noNaN: true })), {
      minLength: 1,
      maxLength: 30,
    });
    const uses = fc.array(fc.tuple(times, fc.nat(9), fc.nat(12), fc.nat(12)), { maxLength: 60 });
    fc.assert(
      fc.property(samples, uses, (told, used) => {
        const inOrder = told.map(([at, part]) => sample(at * MINUTE, part)).toSorted((a, b) => a.at - b.at);
        const spent = used
          .map(([at, tokens, agent, session]) => use(at * MINUTE, tokens, `a${agent}`, `s${session}`))
          .toSorted((a, b) => a.at - b.at);
        const { gained, elsewhere, agents, sessions } = sharesOf(only(inOrder), spent);
        for (const rows of [agents, sessions]) {
          const sum = rows.reduce((all, { part }) => all + part, 0);
          expect(rows.every(({ part }) => part > 0)).toBe(true);
          expect(sum + elsewhere).toBeLessThanOrEqual(gained + 1e-9);
        }
      }),
    );
  });
});

/** A plan's window as the engine keeps it; engine time is that of the wall here. */
const heard = (now: number, used: number, change: Partial<Window> = {}): Window => ({
  ...{ id: 'unified-5h', unit: 'share', lengthMs: 5 * HOUR, model: null, family: null, used, limit: null },
  ...{ remaining: null, resetAt: START + 5 * HOUR, refills: 'at_reset', charges: 'used', source: 'provider' },
  ...{ isRuling: true, isRefusing: false, isOverdrawable: false, at: now, asOf: now, step: null, owed: [] },
  ...{ pace: null, passed: 0 },
  ...change,
});

const NONE: EngineState['counted'] = fromEntries([]);

describe('given a plan that is heard of again and again', () => {
  it('when it goes up by a tenth of a point each time, then it is written down each sixth time; a new window at once', () => {
    const sampler = createLimitSampler();
    const take = (now: number, used: number, change: Partial<Window> = {}) =>
      sampler({
        windows: fromEntries([['anthropic', [heard(now, used, change)]]]),
        counted: NONE,
        now,
        wallOf: (at) => at,
      });
    const written = Array.from({ length: 26 }, (_, n) => take(START + n * MINUTE, n / 1_024)).flat();
    expect(written.map(({ used }) => used * 1_024)).toEqual([0, 6, 12, 18, 24]);
    expect(take(START + HOUR, 25 / 1_024, { resetAt: START + 10 * HOUR })).toMatchObject([
      { resetAt: START + 10 * HOUR },
    ]);
  });

  it('when it was heard of before this step, ends at no known time, or refills by the minute, then nothing is written', () => {
    const sampler = createLimitSampler();
    const windows = fromEntries([
      ['a', [heard(START - 1, 0.5)]],
      ['b', [heard(START, 0.5, { resetAt: null })]],
      ['c', [heard(START, 0.5, { lengthMs: MINUTE, unit: 'tokens', limit: 100 })]],
    ]);
    expect(sampler({ windows, counted: NONE, now: START, wallOf: (at) => at })).toEqual([]);
  });

  it('when it is one that a person has entered and we count ourselves, then it is written down as well', () => {
    const counted = fromEntries([['zai', [heard(START, 0.5, { id: 'counted-requests-100-5h', source: 'counted' })]]]);
    const written = createLimitSampler()({ windows: NONE, counted, now: START, wallOf: (at) => at });
    expect(written).toMatchObject([{ account: 'zai', window: 'counted-requests-100-5h', used: 0.5 }]);
  });
});
