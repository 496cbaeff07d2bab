import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../src/contract';
import { CHAIN, COMPANION, configured, failed, openArmedCore, openTestCore, prompted, started } from './virtual-core';

const MINUTE_MS = 60_000;

type Shown = Awaited<ReturnType<Handlers['snapshot.get']>>;

describe('given a model that cools for 5 minutes on a machine that sleeps', () => {
  const cool = () => {
    const test = openArmedCore();
    test.tell(prompted());
    test.tell(started());
    test.tell(failed());
    const lead = async () => {
      const { models } = (await test.core.host.handlers['snapshot.get'](null)) as Shown;
      return models.find(({ model }) => model === CHAIN[0]);
    };
    return { ...test, lead };
  };

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

  it('when its log is read again, then the state is the same', async () => {
    const { core, clock, log, lead } = cool();
    clock.sleep(3 * MINUTE_MS);
    core.woken();
    const again = openTestCore(clock);
    again.core.replay(log);
    const { models } = (await again.core.host.handlers['snapshot.get'](null)) as Shown;
    expect(models.find(({ model }) => model === CHAIN[0])?.until).toBe((await lead())?.until);
  });

  it.each([4_000, -3_600_000])('when its clock is set by %i ms, then nothing is shifted', async (ms) => {
    const { core, clock, log } = cool();
    const written = log.length;
    clock.sleep(ms);
    core.woken();
    core.connected({ ...COMPANION, instance: 'i2' });
    core.told('i2', { seq: 1, ageMs: 0, sentAt: clock.wall(), event: configured() });
    expect(log.slice(written).some(({ event }) => event.type === 'host.resumed')).toBe(false);
  });
});
