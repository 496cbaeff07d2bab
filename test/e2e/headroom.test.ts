import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ScriptedStep } from '../../src/demo/scripted-provider';
import { eventSentence } from '../../src/wording/event-words';
import { describeGenerations, type Life, sharedWorld, type World } from '../support/lives';
import { openApp } from '../support/stage';

const LEAD = { kind: 'text', text: 'LEAD ANSWERS' } as const;
const UNDERSTUDY = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;

/** An answer whose provider says how full its plan of five hours is, and when that begins anew. */
const planned = (used: number, resetAt: number, of: ScriptedStep = LEAD): ScriptedStep => ({
  kind: 'headers',
  headers: {
    'anthropic-ratelimit-unified-5h-utilization': String(used),
    'anthropic-ratelimit-unified-5h-reset': String(Math.ceil(resetAt / 1_000)),
    'anthropic-ratelimit-unified-5h-status': 'allowed',
    // Nobody knows what it means.
    'x-gateway-quota-mood': 'good',
  },
  of,
});

/** An answer whose provider says how many requests a minute are left. */
const counted = (remaining: number, reset: string, of: ScriptedStep = LEAD): ScriptedStep => ({
  kind: 'headers',
  headers: {
    'x-ratelimit-limit-requests': '100',
    'x-ratelimit-remaining-requests': String(remaining),
    'x-ratelimit-reset-requests': reset,
  },
  of,
});

describeGenerations('given %s and a provider that says how full its limits are', 'OpenCode 1', (generation) => {
  let world: World;
  let life: Life;
  beforeAll(async () => {
    const shared = await sharedWorld(generation);
    ({ life } = shared);
    world = shared;
  });
  afterAll(() => world?.close());
  beforeEach(() => world.provider.clear());

  const asked = (ids: readonly string[]) => ids.map((id) => world.provider.requests(id).length);

  it('when its plan is at 97 %, then the next turn is the understudy’s, none is refused, and after the reset the lead is back', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await world.makeCase({ models: 2 });
    let resetAt = 0;
    // Counted from the first request: the start of a project may take long.
    world.provider.script(ids[0] ?? '', () => {
      if (resetAt > 0) return planned(0.02, resetAt + 18_000_000);
      resetAt = Date.now() + 12_000;
      return planned(0.97, resetAt);
    });
    world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
    const session = await life.begin(directory);
    await expect.poll(() => asked(ids)).toEqual([1, 0]);
    expect([await life.goOn(directory, session), asked(ids)]).toEqual(['UNDERSTUDY ANSWERS', [1, 1]]);
    await expect.poll(() => life.goOn(directory, session), { interval: 500, timeout: 30_000 }).toBe('LEAD ANSWERS');
    expect(Date.now()).toBeGreaterThanOrEqual(resetAt - 1_000);
    expect(asked(ids)[0]).toBe(2);
  });

  it('when a window is empty and has room in a moment, then the request waits for that, and no other model is asked', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await world.makeCase({ models: 2 });
    world.provider.script(ids[0] ?? '', [counted(0, '200s'), counted(99, '1s')]);
    world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
    const session = await life.begin(directory);
    await expect.poll(() => asked(ids)).toEqual([1, 0]);
    expect([await life.goOn(directory, session), asked(ids)]).toEqual(['LEAD ANSWERS', [2, 0]]);
  });

  it('when nobody but the lead is left, then it is asked all the same', async () => {
    const { directory, ids } = await world.makeCase({ models: 2, defaults: { cooldownMs: 600_000 } });
    const resetAt = Date.now() + 600_000;
    world.provider.script(ids[0] ?? '', [planned(0.98, resetAt)]);
    world.provider.script(ids[1] ?? '', [{ kind: 'status', status: 401 }]);
    const session = await life.begin(directory);
    await expect.poll(() => asked(ids)).toEqual([1, 0]);
    await life.goOn(directory, session);
    expect(asked(ids)).toEqual([2, 1]);
  });

  it('when an app is there, then it knows how full the plan is, who speaks for whom and until when', async () => {
    const app = await openApp(world.home);
    try {
      const { directory, ids, chain } = await world.makeCase({ models: 2 });
      const resetAt = Date.now() + 3_600_000;
      world.provider.script(ids[0] ?? '', [planned(0.97, resetAt)]);
      world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
      const session = await life.begin(directory);
      await expect.poll(() => asked(ids)).toEqual([1, 0]);
      await life.goOn(directory, session);
      const snapshot = await app.until(
        ({ sessions, unknownHeaders }) =>
          sessions.some((row) => row.directory === directory && row.agents[0]?.position === 1) &&
          unknownHeaders.some(({ provider }) => chain[0]?.startsWith(`${provider}/`)),
      );
      const row = snapshot.sessions.find((each) => each.directory === directory)?.agents[0];
      const until = Math.ceil(resetAt / 1_000) * 1_000;
      expect(row).toMatchObject({
        ...{ active: chain[1], lead: chain[0] },
        why: { from: chain[0], source: 'provider', near: { code: 'headroom.plan', window: 'unified-5h', used: 0.97 } },
      });
      expect(Math.abs((row?.why?.until ?? 0) - until)).toBeLessThan(2_000);
      const account = snapshot.headroom.find(({ provider }) => chain[0]?.startsWith(`${provider}/`));
      expect(account?.windows).toMatchObject([{ id: 'unified-5h', unit: 'share', used: 0.97, isPlan: true }]);
      expect(snapshot.unknownHeaders).toContainEqual({ provider: account?.provider, names: ['x-gateway-quota-mood'] });
      // Its lead is well: nothing has failed.
      expect(snapshot.models.find(({ model }) => model === chain[0])).toMatchObject({ state: 'ready', failed: 0 });
      const event = snapshot.events.find(({ code, to }) => code === 'headroom.plan' && to === chain[1]);
      expect(event && eventSentence(event)).toMatch(
        /before a limit: lead-model-\d+ has used 97\u202f% of its 5 h limit, back about/,
      );
    } finally {
      await app.close();
    }
  });

  it('when three turns have used a plan, then the app tells its course, and that this session and its agent used it', {
    tags: ['nightly'],
  }, async () => {
    const app = await openApp(world.home);
    try {
      const { directory, ids, chain } = await world.makeCase({ models: 1 });
      const resetAt = Date.now() + 3_600_000;
      const levels = [0.1, 0.3, 0.5];
      world.provider.script(
        ids[0] ?? '',
        levels.map((used) => planned(used, resetAt)),
      );
      const session = await life.begin(directory);
      for (const count of [2, 3]) {
        // A message that comes before the session has come to rest is answered with the one before.
        await expect
          .poll(async () => {
            if (asked(ids)[0] !== count) await life.goOn(directory, session);
            return asked(ids);
          })
          .toEqual([count]);
      }
      const [provider = ''] = chain[0]?.split('/') ?? [];
      const snapshot = await app.until(({ headroom }) =>
        headroom.some((row) => row.provider === provider && row.windows[0]?.used === 0.5),
      );
      const { account = '' } = snapshot.headroom.find((row) => row.provider === provider) ?? {};
      const limit = { account, window: 'unified-5h', model: null };
      const { course } = await app.host.handlers['headroom.course']({ ...limit, back: 0 });
      expect(course).toMatchObject({ back: 0, hasEarlier: false });
      expect(Math.abs((course?.endsAt ?? 0) - resetAt)).toBeLessThan(3_000);
      expect(course?.points.at(-1)?.used).toBe(0.5);
      const { gained = 0, elsewhere = 0, agents = [], sessions = [] } = course?.shares ?? {};
      expect([gained, elsewhere].map((part) => part.toFixed(2))).toEqual(['0.40', '0.00']);
      expect(agents.map(({ agent, part }) => [agent, part.toFixed(2)])).toEqual([['build', '0.40']]);
      expect(sessions.map((row) => [row.session, row.part.toFixed(2)])).toEqual([[session, '0.40']]);
    } finally {
      await app.close();
    }
  });
});
