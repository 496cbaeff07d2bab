import { describe, expect, it } from 'vitest';
import type { Window } from '../../../src/engine';
import { stepOf } from '../../../src/engine/headroom/keep';
import { forecastOf, get, mergeShared, type SharedHealth } from '../../../src/engine/tools';
import { HOUR, MINUTE, SECOND } from '../world';
import { bucketWith, heardOf, hearing, LENGTH, Near, planAt } from './seen';

describe('given a pace that is made of what came within moments', () => {
  it('when the first two responses are 100 ms apart and 1 % fuller, then no pace of 360 windows an hour is made of it', () => {
    const points = [
      { now: 0, used: 0.5 },
      { now: 100, used: 0.51 },
    ];
    for (let at = 1; at <= 4; at++) points.push({ now: at * 2 * MINUTE, used: 0.51 });
    const forecast = forecastOf(heardOf(points, LENGTH, 3 * HOUR), 8 * MINUTE);
    // 1 % in 8 minutes is 7.5 % an hour: it is 276 (27,575 %), and full in 6.4 s.
    expect(forecast?.perHour).toBeLessThan(0.2);
    expect(forecast?.fullAt).toBeNull();
  });
});

describe('given 40 windows that are known', () => {
  it('when a 41st comes, then what the same response has just told of the account’s plan is not what is dropped', () => {
    let known = hearing([], planAt(0.99));
    for (let at = 1; at < 40; at++) known = hearing(known, bucketWith(30), { model: `a/${at}`, now: at });
    known = hearing(known, [planAt(0.995), bucketWith(30)], { model: 'a/40', now: 50 });
    expect(known.some(({ id }) => id === 'unified-5h')).toBe(true);
  });
});

describe('given a provider that refuses', () => {
  it('when a late response says the same part without refusing, then it refuses still', () => {
    let known = hearing([], planAt(0.98, { isRefusing: true, resetInMs: HOUR - 100 }), { now: 100, sentAt: 10 });
    known = hearing(known, planAt(0.98, { resetInMs: HOUR - 200 }), { now: 200, sentAt: 0 });
    expect(known[0]?.isRefusing).toBe(true);
  });
});

describe('given a response that has been on its way for seconds', () => {
  it('when its reset is told relative to it, then it is not taken for the next window, and lowers nothing', () => {
    // Weighed at 0 and 1 s, of one window that ends after an hour; the first one’s headers come after 8 s.
    let known = hearing([], planAt(0.55, { resetInMs: HOUR - SECOND }), { now: 2 * SECOND, sentAt: SECOND });
    known = hearing(known, planAt(0.5, { resetInMs: HOUR }), { now: 8 * SECOND, sentAt: 0 });
    expect(known[0]?.used).toBe(0.55);
  });
});

describe('given a plan whose reset moves on with each response', () => {
  it('when it stays at 82 % for 20 minutes, then that is told once, not with each response', () => {
    const world = new Near();
    const told = Array.from({ length: 20 }, () => {
      const { facts } = world.wait(MINUTE).hears('a/1', planAt(0.82, { resetInMs: 5 * HOUR }));
      return facts.filter(({ type }) => type === 'headroom.passed').length;
    });
    expect(told.reduce((sum, count) => sum + count)).toBe(1); // it is 20
  });
});

describe('given a request that waits for a bucket', () => {
  it('when it has waited as long as it was told to, then it is sent', () => {
    // 16 a minute, none left, full in 59,999 ms: 3,749.9375 ms, then again 4.5e-13 ms.
    const world = new Near();
    world.prompt('t1');
    world.hears('a/1', bucketWith(0, { limit: 16, resetInMs: 59_999 }));
    const { decision } = world.start('t1', 'a/1');
    const waitMs = decision?.action.kind === 'hold' ? decision.action.waitMs : Number.NaN;
    expect([Number.isInteger(waitMs), world.wait(waitMs).start('t1', 'a/1').decision]).toEqual([true, null]);
  });
});

describe('given a wait for a window that another host has decided', () => {
  it('when it is taken over, then the turn counts it as that host does, and has not left the model it waits for', () => {
    const turns = [
      undefined,
      { kind: 'hold', code: 'hold.headroom', to: 'a/1', waitMs: SECOND, task: 'soonest' } as const,
    ];
    const [own, other] = turns.map((decided) => {
      const world = new Near();
      world.prompt('t1');
      world.hears('a/1', bucketWith(0));
      const { decision } = world.start('t1', 'a/1', decided ? { decided } : {});
      const { used, left } = get(world.state.turns, 't1') ?? {};
      return { used, left, short: decision?.short?.code };
    });
    // own: refill|a/1, left undefined, headroom.requests; other: soonest|a/1, left ['a/1'], no numbers.
    expect(other).toEqual(own);
  });
});

describe('given two hosts that have each heard of one window', () => {
  it('when the fuller word came later to a request that left earlier, then the fuller one counts, as in one process', () => {
    const [one, two] = [
      hearing([], planAt(0.95, { resetInMs: HOUR - 100 }), { now: 100, sentAt: 0 }),
      hearing([], planAt(0.5, { resetInMs: HOUR - 60 }), { now: 60, sentAt: 50 }),
    ].map((windows) => ({ models: [], providers: [], windows: [['a', { windows }]] }) as SharedHealth);
    const [, said] = mergeShared(one as SharedHealth, two as SharedHealth).windows?.[0] ?? [];
    expect(said?.windows[0]?.used).toBe(0.95); // it is 0.5
  });
});

describe('given a plan that others use as well', () => {
  it('when it is 7 % fuller and no request of ours has ended since, then one of ours is not taken for 5 %', () => {
    let known = hearing([], planAt(0.83), { now: 0 });
    known = hearing(known, planAt(0.9, { resetInMs: 2 * HOUR - MINUTE }), { now: MINUTE });
    expect(stepOf(known[0] as Window).most).toBeLessThan(0.05);
  });
});
