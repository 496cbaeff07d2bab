import { describe, expect, it } from 'vitest';
import { SWIFT } from '../../../src/engine';
import { viewOf } from '../../../src/engine/tools';
import { EVIDENCE, HOUR, MINUTE, scopeOf, World } from '../world';

describe('given models in several states', () => {
  it('when they are listed, then the worst come first, then the busiest, then by name', () => {
    const world = new World(['a/1', 'b/1', 'c/1', 'd/1', 'e/1', 'f/1', 'g/1']);
    world.failingAlone('e/1', EVIDENCE.serverError);
    world.failingAlone('d/1', EVIDENCE.rateLimit);
    for (let count = 0; count < 3; count++) world.failingAlone('c/1', EVIDENCE.overloaded);
    world.failingAlone('b/1', EVIDENCE.auth);
    world.answering('t1', 'g/1');
    expect(viewOf(world.state, 0).models.map(({ model, standing }) => `${model} ${standing.state}`)).toEqual([
      'b/1 blocked',
      'c/1 open',
      'd/1 cooling',
      'e/1 resting',
      'g/1 ready',
      'a/1 unseen',
      'f/1 unseen',
    ]);
  });

  it('when only our estimates keep all of a chain out, then the one due first is marked, but none that its provider gave a time', () => {
    const world = new World(['a/1', 'b/1', 'c/1'], { guessProbe: true });
    world.failingAlone('b/1', EVIDENCE.rateLimit);
    world.wait(10).failingAlone('c/1', EVIDENCE.rateLimit);
    world.failingAlone('a/1', { ...EVIDENCE.rateLimit, headers: { 'retry-after': '60' } });
    const early = () => viewOf(world.state, world.now).chains[0]?.chain.filter(({ isEarly }) => isEarly);
    expect(early()?.map(({ model }) => model)).toEqual(['b/1']);
    world.configure(scopeOf(['a/1', 'b/1', 'c/1'], { guessProbe: false }));
    expect(early()).toEqual([]);
  });

  it('when one is shown, then it has its figures, its last failure and who uses it', () => {
    const world = new World();
    const plan = scopeOf(['openrouter/x/y', 'b/1']).agents['*'];
    if (!plan) throw new Error('no plan');
    world.configure(scopeOf([], { agents: { plan, build: plan } }));
    world.wait(10).failingAlone('openrouter/x/y', EVIDENCE.serverError);
    expect(viewOf(world.state, 20).models.find(({ model }) => model === 'openrouter/x/y')).toEqual({
      key: 'openrouter/x/y',
      model: 'openrouter/x/y',
      apart: null,
      provider: 'openrouter',
      name: 'x/y',
      standing: {
        state: 'resting',
        code: 'rest.server_error',
        use: 'last',
        until: 10 + MINUTE,
        source: 'estimate',
        since: 10,
        failures: 1,
        kind: 'server_error',
      },
      machine: null,
      failureThreshold: 3,
      calls: 1,
      failed: 1,
      last: { kind: 'server_error', status: 500, message: 'The server had an error', at: 10 },
      agents: ['build', 'plan'],
    });
  });
});

describe('given an agent that speaks through its understudy', () => {
  it('when it is shown, then chain, position, reason and the way home are', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.wait(5).failing('t1', 'a/1', EVIDENCE.rateLimit);
    const [speaker] = viewOf(world.state, world.now).speakers;
    expect({ ...speaker, chain: speaker?.chain.map(({ model, standing }) => `${model} ${standing.state}`) }).toEqual({
      session: 's',
      agent: 'build',
      directory: '/project',
      lead: 'a/1',
      active: 'b/1',
      since: 5,
      why: { kind: 'rate_limit', status: 429, from: 'a/1' },
      status: 'working',
      turns: 1,
      switches: 1,
      chain: ['a/1 cooling', 'b/1 unseen'],
      position: 1,
      homeAt: 5 + 15 * MINUTE,
      isAlone: false,
      runningSince: 0,
      silentSince: null,
      waitsFor: null,
    });
  });

  it('when only a person can mend the lead, then no clock says when it goes home', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.auth);
    expect(viewOf(world.state, world.now).speakers[0]?.homeAt).toBeNull();
  });

  it('when the lead’s breaker is open, then it goes home when that is due', () => {
    const world = new World(['a/1', 'b/1']);
    for (let count = 0; count < 3; count++) world.failingAlone('a/1', EVIDENCE.overloaded);
    world.prompt('t1');
    expect(viewOf(world.state, world.now).speakers[0]?.homeAt).toBe(HOUR);
  });

  it.each<[string, 'open' | 'closed', number | null, number | null]>([
    ['out for less than its limit', 'open', MINUTE, 15 * MINUTE],
    ['out for longer', 'open', HOUR, HOUR],
    ['out until further notice', 'open', null, null],
    ['in use', 'closed', HOUR, null],
  ])('when a person holds the limited lead %s, then the way home heeds that', (_, state, forMs, homeAt) => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    world.tell({ type: 'health.held', model: 'a/1', state, forMs, actor: 'ann' });
    expect(viewOf(world.state, world.now).speakers[0]?.homeAt).toBe(homeAt);
  });

  it('when it speaks through a model outside the chain, then that one stands at the end', () => {
    const world = new World(['a/1', 'b/1'], { backupModel: 'z/1' });
    world.failingAlone('b/1', EVIDENCE.auth);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    const [speaker] = viewOf(world.state, world.now).speakers;
    expect([speaker?.chain.map(({ model }) => model), speaker?.position]).toEqual([['a/1', 'b/1', 'z/1'], 2]);
  });
});

describe('given an agent whose last model leaves its chain', () => {
  const moved = () => {
    const world = new World(['a/1', 'b/1', 'c/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    return world;
  };
  const shown = (world: World) => {
    const [speaker] = viewOf(world.state, world.now).speakers;
    return [speaker?.chain.map(({ model }) => model), speaker?.active, speaker?.position, speaker?.why?.from ?? null];
  };

  it('when its turn runs, then that model stands at the end', () => {
    const world = moved();
    world.configure(scopeOf(['a/1', 'c/1']));
    expect(shown(world)).toEqual([['a/1', 'c/1', 'b/1'], 'b/1', 2, 'a/1']);
  });

  it('when its turn has ended, then it is back on its primary, and the chain is as it is written', () => {
    const world = moved();
    world.configure(scopeOf(['a/1', 'c/1']));
    world.tell({ type: 'session.idle', session: 's' });
    expect(shown(world)).toEqual([['a/1', 'c/1'], 'a/1', 0, null]);
  });

  it('when a person has pinned it to that model, then it stays there', () => {
    const world = moved();
    world.configure(scopeOf(['a/1', 'c/1']));
    world.tell({
      type: 'agent.pinned',
      directory: '/project',
      agent: 'build',
      model: 'b/1',
      forMs: null,
      actor: 'ann',
    });
    world.tell({ type: 'session.idle', session: 's' });
    expect(shown(world)).toEqual([['a/1', 'c/1', 'b/1'], 'b/1', 2, 'a/1']);
  });
});

describe('given a directory whose fallback is switched off', () => {
  it('when chains are listed, then it has none', () => {
    const world = new World(['a/1', 'b/1']);
    world.configure(scopeOf(['c/1', 'd/1'], { enabled: false }), '/off');
    const chains = viewOf(world.state, 0).chains.map(({ directory, agent, chain }) => [
      directory,
      agent,
      chain.map(({ model }) => model),
    ]);
    expect(chains).toEqual([['/project', '*', ['a/1', 'b/1']]]);
  });
});

describe('given agents that the host has beside those with a plan', () => {
  const planOf = (...chain: string[]) => ({ chain, policy: SWIFT });
  const seen = (change: Parameters<typeof scopeOf>[1]) => {
    const world = new World();
    world.configure(scopeOf([], change));
    const { others, chains } = viewOf(world.state, world.now);
    return [
      Object.fromEntries(others.map(({ agent, lead, by }) => [agent, `${lead} ${by}`])),
      Object.fromEntries(chains.map(({ agent, isAlone }) => [agent, isAlone])),
    ];
  };
  const unplanned = { plan: 'a/1', docs: null };

  it.each<[string, Parameters<typeof scopeOf>[1], object, object]>([
    [
      'none is for all',
      { agents: { build: planOf('a/1', 'b/1'), solo: planOf('a/1') }, unplanned },
      { plan: 'a/1 nobody', docs: 'null nobody' },
      { build: false, solo: true },
    ],
    [
      'one is for all',
      { agents: { '*': planOf('a/1', 'b/1') }, unplanned },
      { plan: 'a/1 rest', docs: 'null rest' },
      { '*': false },
    ],
    [
      'the one for all has one model, which one of them has already',
      { agents: { '*': planOf('a/1') }, unplanned: { ...unplanned, other: 'b/1' } },
      { plan: 'a/1 nobody', docs: 'null nobody', other: 'b/1 rest' },
      { '*': true },
    ],
    [
      'a model of last resort stands in for those with a plan',
      { agents: { solo: planOf('a/1'), last: planOf('z/9') }, backupModel: 'z/9', unplanned },
      { plan: 'a/1 nobody', docs: 'null nobody' },
      { solo: false, last: true },
    ],
    [
      'fallback is off, and nobody has a plan',
      { enabled: false, agents: {}, unplanned },
      { plan: 'a/1 nobody', docs: 'null nobody' },
      {},
    ],
    [
      'nobody has made a chain, and OpenCode has named the models',
      { enabled: false, agents: { build: planOf('a/1'), solo: planOf('b/1') }, unplanned: {} },
      { build: 'a/1 nobody', solo: 'b/1 nobody' },
      {},
    ],
    [
      'fallback is off',
      { enabled: false, agents: { build: planOf('a/1', 'b/1'), solo: planOf('a/1') }, unplanned },
      { build: 'a/1 off', solo: 'a/1 off', plan: 'a/1 off', docs: 'null off' },
      {},
    ],
  ])('when %s, then each says who stands in for it', (_, change, others, chains) => {
    expect(seen(change)).toEqual([others, chains]);
  });
});

describe('given a model of last resort', () => {
  it('when an agent with a chain speaks, then it comes after all of the chain, and the chain stays as it was written', () => {
    const world = new World();
    world.configure(scopeOf([], { agents: { build: { chain: ['a/1', 'b/1'], policy: SWIFT } }, backupModel: 'z/9' }));
    world.prompt('t1', { model: 'a/1' });
    const { speakers, chains } = viewOf(world.state, world.now);
    const names = (links: readonly { model: string }[]) => links.map(({ model }) => model).join(' ');
    expect([names(speakers[0]?.chain ?? []), chains.map(({ chain, backup }) => [names(chain), backup?.model])]).toEqual(
      ['a/1 b/1 z/9', [['a/1 b/1', 'z/9']]],
    );
  });

  it('when it is in the chain, then nobody is counted twice', () => {
    const world = new World();
    world.configure(scopeOf([], { agents: { build: { chain: ['a/1', 'z/9'], policy: SWIFT } }, backupModel: 'z/9' }));
    world.prompt('t1', { model: 'a/1' });
    const { speakers, chains } = viewOf(world.state, world.now);
    expect([speakers[0]?.chain.length, chains[0]?.backup]).toEqual([2, null]);
  });
});

describe('given an agent without any plan, and a model of last resort', () => {
  it('when it speaks, then nobody stands in for it', () => {
    const world = new World();
    world.configure(scopeOf([], { agents: {}, backupModel: 'z/9' }));
    world.prompt('t1', { model: 'a/1' });
    expect(viewOf(world.state, world.now).speakers.map(({ agent, isAlone }) => [agent, isAlone])).toEqual([
      ['build', true],
    ]);
  });
});
