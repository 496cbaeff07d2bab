import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../src/contract/contract';
import type { Core } from '../../src/core/core';
import type { Evidence } from '../../src/engine';
import {
  CHAIN,
  COMPANION,
  configured,
  failed,
  LIMITED,
  openTestCore,
  prompted,
  started,
  type VirtualClock,
} from './virtual-core';

const MINUTE_MS = 60_000;

type Shown = Awaited<ReturnType<Handlers['snapshot.get']>>;

/** What is left of the time its lead is out for, as a snapshot says it. */
const leftIn = (core: Core) => async (): Promise<number> => {
  const { models, at } = (await core.host.handlers['snapshot.get'](null)) as Shown;
  return (models.find(({ model }) => model === CHAIN[0])?.until ?? 0) - at;
};

/** A model that has just been limited for 5 minutes, by its provider unless `headers` are empty. */
function cool(headers: NonNullable<Evidence['headers']> = { 'retry-after': '300' }) {
  const test = openTestCore();
  test.core.replay([]);
  test.core.connected(COMPANION);
  test.tell(configured());
  test.tell(prompted());
  test.tell(started());
  test.tell(failed('a1', { ...LIMITED, headers }));
  const lead = async () => {
    const { models } = (await test.core.host.handlers['snapshot.get'](null)) as Shown;
    return models.find(({ model }) => model === CHAIN[0]);
  };
  return { ...test, lead, left: leftIn(test.core) };
}

describe('given a model that cools for 5 minutes on a machine that sleeps', () => {
  it('when it slept for 3 of them, then the end it was promised stays where it was, and nothing bursts', async () => {
    const { core, clock, log, lead } = cool();
    const before = await lead();
    expect(before).toMatchObject({ state: 'cooling', until: expect.any(Number) });
    const written = log.length;
    clock.sleep(3 * MINUTE_MS);
    core.woken();
    core.woken();
    expect((await lead())?.until).toBe(before?.until);
    expect(log.slice(written).map(({ event }) => event)).toEqual([{ type: 'host.resumed', asleepMs: 3 * MINUTE_MS }]);
  });

  it('when it slept past the end, then the model is of use at once', async () => {
    const { core, clock, lead } = cool();
    clock.sleep(60 * MINUTE_MS);
    core.woken();
    expect(['ready', 'resting', 'degraded']).toContain((await lead())?.state);
  });

  it('when it slept for an hour, then the history, newest first, says when it was of use again and when it was well', async () => {
    const { core, clock } = cool({});
    const { at } = (await core.host.handlers['snapshot.get'](null)) as Shown;
    clock.sleep(60 * MINUTE_MS);
    core.woken();
    const { events } = (await core.host.handlers['snapshot.get'](null)) as Shown;
    const told = events.filter(({ code }) => code === 'model.resting' || code === 'model.ready');
    expect(told.map(({ code, at: then }) => [code, Math.round((then - at) / MINUTE_MS)])).toEqual([
      ['model.ready', 15],
      ['model.resting', 5],
    ]);
  });

  it('when its log is read again, then the state is the same', async () => {
    const { core, clock, log, lead } = cool();
    clock.sleep(3 * MINUTE_MS);
    core.woken();
    const again = openTestCore(clock);
    again.core.replay(log);
    const { models } = (await again.core.host.handlers['snapshot.get'](null)) as Shown;
    expect(models.find(({ model }) => model === CHAIN[0])?.until).toBe((await lead())?.until);
  });

  it.each([4_000, -3_600_000, 5 * 3_600_000])(
    'when its clock is set by %i ms, then no end comes nearer or moves away',
    async (ms) => {
      const { core, clock, log, left } = cool();
      const written = log.length;
      clock.set(ms);
      expect(await left()).toBe(5 * MINUTE_MS);
      core.woken();
      clock.advance(MINUTE_MS);
      core.connected({ ...COMPANION, instance: 'i2' });
      core.told('i2', { seq: 1, ageMs: 0, sentAt: clock.wall(), event: configured() });
      expect(await left()).toBe(4 * MINUTE_MS);
      expect(log.slice(written).some(({ event }) => event.type === 'host.resumed')).toBe(false);
    },
  );

  it('when it slept for 3 of them and its clock is set a day back as well, then 2 are left', async () => {
    const { core, clock, left } = cool();
    clock.sleep(3 * MINUTE_MS);
    clock.set(-24 * 60 * MINUTE_MS);
    core.woken();
    expect(await left()).toBe(2 * MINUTE_MS);
  });
});

describe('given an app that ends while a model cools for 5 minutes, and starts again a minute later', () => {
  const DAY_MS = 24 * 60 * MINUTE_MS;
  type Between = (clock: VirtualClock) => void;
  /** What is left of the 5 minutes in the last of the lives of an app: each begins after something has happened. */
  const leftAfter = async (...lives: readonly Between[]): Promise<number> => {
    const test = cool();
    let { clock, log } = test;
    let { core } = test;
    for (const between of lives) {
      core.dispose();
      between(clock);
      clock = clock.nextLife();
      const next = openTestCore(clock);
      next.core.replay(log);
      log = [...log, ...next.log];
      core = next.core;
    }
    return await leftIn(core)();
  };
  const aMinute: Between = (clock) => clock.advance(MINUTE_MS);

  it.each<[string, number]>([
    ['was not touched', 0],
    ['was set a day back', -DAY_MS],
    ['was set 5 hours ahead', 5 * 60 * MINUTE_MS],
  ])('when the wall clock %s meanwhile, then 4 minutes are left, and 3 in the life after', async (_, setMs) => {
    const set: Between = (clock) => {
      clock.advance(MINUTE_MS);
      clock.set(setMs);
    };
    expect([await leftAfter(aMinute, set), await leftAfter(set, aMinute)]).toEqual([3 * MINUTE_MS, 3 * MINUTE_MS]);
    expect(await leftAfter(set)).toBe(4 * MINUTE_MS);
  });

  it('when it starts again ten times, 3 s after it ended and with its clock a day back each time, then half a minute has gone by', async () => {
    const soonAgain: Between = (clock) => {
      clock.advance(3_000);
      clock.set(-DAY_MS);
    };
    expect(await leftAfter(...Array.from({ length: 10 }, () => soonAgain))).toBe(4.5 * MINUTE_MS);
  });

  it('when the machine slept for 2 minutes before it ended, then 2 are left', async () => {
    const { core, clock, log } = cool();
    clock.sleep(2 * MINUTE_MS);
    core.woken();
    clock.advance(MINUTE_MS);
    const next = openTestCore(clock.nextLife());
    next.core.replay(log);
    expect(await leftIn(next.core)()).toBe(2 * MINUTE_MS);
  });

  it.each<[string, number, number]>([
    ['moved', 0, 4],
    ['moved', -DAY_MS, 5],
  ])(
    'when the machine was started again and its clock %s by %i ms, then %i minutes are left',
    async (_, setMs, minutes) => {
      const rebooted: Between = (clock) => {
        clock.reboot(MINUTE_MS);
        clock.set(setMs);
      };
      expect(await leftAfter(rebooted)).toBe(minutes * MINUTE_MS);
    },
  );

  it('when the machine has been running for 3 minutes since its start with the clock a day back, then 2 are left', async () => {
    expect(
      await leftAfter((clock) => {
        clock.reboot(MINUTE_MS);
        clock.set(-DAY_MS);
        clock.advance(3 * MINUTE_MS);
      }),
    ).toBe(2 * MINUTE_MS);
  });

  it('when an older version wrote its log and the clock was set a day back, then no more than 5 are left', async () => {
    const { clock, log } = cool();
    clock.set(-DAY_MS);
    const next = openTestCore(clock.nextLife());
    next.core.replay(log.filter(({ event }) => event.type !== 'clock.read'));
    expect(await leftIn(next.core)()).toBe(5 * MINUTE_MS);
  });

  it('when its clock was set before, then what happened is shown at the time the clock said then', async () => {
    const { core, clock, log } = cool();
    clock.set(5 * 60 * MINUTE_MS);
    core.woken();
    clock.advance(MINUTE_MS);
    core.noteHistory('said');
    const next = openTestCore(clock.nextLife());
    next.core.replay(log);
    const timesOf = async ({ host }: Core) => {
      const { events } = (await host.handlers['snapshot.get'](null)) as Shown;
      return events.filter(({ code }) => code === 'instance.connected').map(({ at }) => at);
    };
    expect(await timesOf(next.core)).toEqual(await timesOf(core));
  });
});
