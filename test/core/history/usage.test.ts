import { describe, expect, it } from 'vitest';
import type { CompanionEvent } from '../../../src/protocol';
import {
  CHAIN,
  COMPANION,
  DIRECTORY,
  openArmedCore,
  openTestCore,
  SWITCHED_TURN,
  started,
  virtualClock,
} from '../virtual-core';

type Usage = Extract<CompanionEvent, { type: 'usage.recorded' }>;

const TOKENS = { input: 800, output: 400, reasoning: 100, cacheRead: 200, cacheWrite: 0 };

const used = (over: Partial<Usage> = {}): Usage => ({
  type: 'usage.recorded',
  session: 's1',
  turn: 't1',
  directory: DIRECTORY,
  agent: 'build',
  model: CHAIN[1],
  purpose: 'turn',
  tokens: TOKENS,
  cost: 0.00996,
  ...over,
});

const STEP = { tokens: TOKENS, total: 1_500, internal: 0, cost: 0.00996, pricedShare: 1 };

function openCore() {
  const test = openArmedCore();
  for (const event of SWITCHED_TURN) test.tell(event);
  const look = async () => {
    const { models, sessions } = await test.core.host.handlers['snapshot.get'](null);
    return {
      models: Object.fromEntries(models.map(({ model, usage }) => [model, usage])),
      session: sessions.find(({ session }) => session === 's1')?.usage,
    };
  };
  return { ...test, look };
}

describe('given a turn that an understudy answered', () => {
  it('when what it used is told, then the understudy, its place in the chain and the session have it, the lead has nothing', async () => {
    const { tell, look } = openCore();
    tell(used());
    expect(await look()).toEqual({
      models: { [CHAIN[0]]: null, [CHAIN[1]]: STEP, [CHAIN[2]]: null },
      session: { ...STEP, by: [{ agent: 'build', model: CHAIN[1], position: 1, ...STEP }] },
    });
  });

  it('when a step without a price follows, then money says for which share of the tokens it is', async () => {
    const { tell, look } = openCore();
    tell(used());
    tell(used({ tokens: { ...TOKENS, input: 3_800 }, cost: null }));
    expect((await look()).models[CHAIN[1]]).toEqual({
      tokens: { input: 4_600, output: 800, reasoning: 200, cacheRead: 400, cacheWrite: 0 },
      total: 6_000,
      internal: 0,
      cost: 0.00996,
      pricedShare: 0.25,
    });
  });

  it('when no step has a price, then there is no money', async () => {
    const { tell, look } = openCore();
    tell(used({ cost: null }));
    expect((await look()).session).toMatchObject({ cost: null, pricedShare: 0 });
  });

  it('when ten steps cost 0.1 each, then they cost 1 together', async () => {
    const { tell, look } = openCore();
    for (let count = 0; count < 10; count++) tell(used({ cost: 0.1 }));
    expect((await look()).session?.cost).toBe(1);
  });

  it('when a compaction is told, then it counts, as what OpenCode used for itself, in no place of a chain', async () => {
    const { tell, look } = openCore();
    tell(used());
    tell(used({ agent: 'compaction', purpose: 'internal' }));
    const { session } = await look();
    expect([session?.total, session?.internal]).toEqual([3_000, 1_500]);
    expect(session?.by.map(({ agent, position, internal }) => [agent, position, internal])).toEqual([
      ['build', 1, 0],
      ['compaction', null, 1_500],
    ]);
  });

  it('when a sub-agent uses something, then it is part of the conversation that started it', async () => {
    const { tell, look } = openCore();
    tell(used());
    tell(started({ attempt: 'a3', turn: 't2', session: 's2', parentSession: 's1', agent: 'helper' }));
    tell(used({ session: 's2', turn: 't2', agent: 'helper', model: CHAIN[0] }));
    const { session } = await look();
    expect([session?.total, session?.by.map(({ agent, position, total }) => [agent, position, total])]).toEqual([
      3_000,
      [
        ['build', 1, 1_500],
        ['helper', 0, 1_500],
      ],
    ]);
  });

  it('when the same number is told twice, then it counts once', async () => {
    const { core, clock, look } = openCore();
    for (let times = 0; times < 2; times++) core.told('i1', { seq: 99, ageMs: 0, sentAt: clock.wall(), event: used() });
    expect((await look()).session?.total).toBe(1_500);
  });

  it('when usage is told, then the engine is as it was', () => {
    const { core, tell } = openCore();
    const before = core.state();
    tell(used());
    expect(core.state()).toBe(before);
  });
});

describe('given an app that starts again', () => {
  it('when it replays its log, then models and sessions have used what they had', async () => {
    const first = openCore();
    first.tell(used());
    first.tell(used({ model: CHAIN[0], cost: null }));
    const before = await first.look();
    const second = openTestCore(virtualClock(first.clock.now()));
    second.core.replay(first.log);
    second.core.connected(COMPANION);
    const { models, sessions } = await second.core.host.handlers['snapshot.get'](null);
    expect(before.session?.total).toBe(3_000);
    expect(sessions[0]?.usage).toEqual(before.session);
    expect(Object.fromEntries(models.map(({ model, usage }) => [model, usage]))).toEqual(before.models);
  });
});

describe('given more sessions than are remembered', () => {
  it('when 201 have used something, then the model has it all and the first session is forgotten', async () => {
    const { tell, look } = openCore();
    tell(used());
    for (let at = 1; at <= 200; at++) tell(used({ session: `other-${at}` }));
    const { models, session } = await look();
    expect([models[CHAIN[1]]?.total, session]).toEqual([201 * 1_500, null]);
  });
});
