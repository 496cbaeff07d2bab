import { describe, expect, it } from 'vitest';
import type { CompanionEvent } from '../../../src/protocol';
import {
  CHAIN,
  COMPANION,
  configured,
  DIRECTORY,
  openTestCore,
  prompted,
  START,
  started,
  virtualClock,
} from '../../core/virtual-core';
import { look, newPath, open } from './store-support';

const HOUR = 3_600_000;
const LENGTH = 5 * HOUR;
const LIMIT = { account: 'lead', window: 'plan-5h', model: null } as const;

/** A core on a store of its own, and a plan that its lead's responses tell of. */
async function live(path: string) {
  const clock = virtualClock();
  const test = openTestCore(clock, await open(path, { wall: clock.wall }));
  test.core.connected(COMPANION);
  test.tell(configured());
  const ask = async (back = 0) => (await test.core.host.handlers['headroom.course']({ ...LIMIT, back })).course;
  const hear = (used: number, directory = DIRECTORY): void =>
    test.tell({
      ...{ type: 'headroom.seen', attempt: null, directory, model: CHAIN[0] },
      windows: [
        {
          ...{ id: LIMIT.window, unit: 'share', lengthMs: LENGTH, of: 'account', used, limit: null, remaining: null },
          ...{ resetInMs: LENGTH - ((clock.now() - START) % LENGTH), refills: 'at_reset', charges: 'used' },
        },
      ],
    });
  const use = (tokens: number, agent = 'build', session = 's1'): void => {
    const used = { input: tokens, output: 0, reasoning: 0, cacheRead: 7, cacheWrite: 0 };
    const of = { turn: 't1', session, agent, model: CHAIN[0], purpose: 'turn' } as const;
    test.tell({ type: 'usage.recorded', ...of, directory: DIRECTORY, tokens: used, cost: null } as CompanionEvent);
  };
  return { ...test, clock, ask, hear, use };
}

describe('given a plan whose responses say how full it is', () => {
  it('when three requests have used it, then its course, and who used it, are told after a restart as well', async () => {
    const path = await newPath();
    const first = await live(path);
    first.tell(prompted());
    first.tell(started());
    first.clock.advance(HOUR);
    first.hear(0.1);
    first.use(300);
    first.use(100, 'plan', 's2');
    first.clock.advance(HOUR);
    first.hear(0.3);
    first.clock.advance(HOUR);
    first.hear(0.302);
    first.hear(0.4);
    const course = await first.ask();
    expect(course).toMatchObject({ back: 0, hasEarlier: false, beginsAt: START, endsAt: START + LENGTH });
    expect(course?.points.at(-1)).toEqual({ at: START + 3 * HOUR, used: 0.4 });
    const rounded = (part: number): number => Number(part.toFixed(6));
    const { shares } = course ?? {};
    expect([shares?.gained, shares?.elsewhere].map((part) => rounded(part ?? -1))).toEqual([0.3, 0.1]);
    expect(shares?.agents.map(({ agent, part }) => [agent, rounded(part)])).toEqual([
      ['build', 0.15],
      ['plan', 0.05],
    ]);
    expect(shares?.sessions).toMatchObject([
      { session: 's1', project: 'project', since: START },
      { session: 's2', project: null, since: null },
    ]);
    expect(look(path, 'SELECT used FROM limits')).toEqual([{ used: 0.1 }, { used: 0.3 }, { used: 0.4 }]);

    first.core.dispose();
    const again = await live(path);
    again.clock.advance(3 * HOUR);
    expect(await again.ask()).toEqual(course);
  });

  it('when its window has begun anew, then the one before is told as well, and of more than there are the oldest', async () => {
    const { clock, hear, ask } = await live(await newPath());
    clock.advance(HOUR);
    hear(0.9);
    clock.advance(5 * HOUR);
    hear(0.1);
    expect(await ask()).toMatchObject({ back: 0, hasEarlier: true, beginsAt: START + LENGTH });
    const before = { back: 1, hasEarlier: false, beginsAt: START, endsAt: START + LENGTH };
    expect(await ask(1)).toMatchObject(before);
    expect(await ask(7)).toMatchObject(before);
  });

  it('when nothing was heard of it, or nothing is kept, then there is no course', async () => {
    expect(await (await live(await newPath())).ask()).toBeNull();
    const { core } = openTestCore();
    expect(await core.host.handlers['headroom.course']({ ...LIMIT, back: 0 })).toEqual({ ...LIMIT, course: null });
  });

  it('when the accounts of its provider are told apart by project, then nobody is said to have used it', async () => {
    const { clock, tell, hear, ask } = await live(await newPath());
    const apart = configured('/elsewhere');
    if (apart.type !== 'scope.configured') throw new Error('no scope');
    tell({ ...apart, config: { ...apart.config, books: { lead: '0123456789ab' } } } as CompanionEvent);
    clock.advance(HOUR);
    hear(0.2);
    hear(0.5, '/elsewhere');
    expect(await ask()).toMatchObject({ shares: null });
  });
});
