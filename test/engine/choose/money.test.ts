import { describe, expect, it } from 'vitest';
import { type CountedBudget, type ScopeConfig, type Step, unpricedId } from '../../../src/engine';
import { get, PRESETS, restoreState, saveState } from '../../../src/engine/tools';
import { DAY, DIRECTORY, EVIDENCE, HOUR, outline, World } from '../world';

const PRICES: NonNullable<ScopeConfig['models']> = {
  ...{ 'a/1': { priceIn: 5, priceOut: 25 }, 'b/1': { priceIn: 5, priceOut: 25 }, 'c/1': { priceIn: 1, priceOut: 4 } },
};

const budget = (spent: number, over: Partial<CountedBudget> = {}): CountedBudget => ({
  ...{ id: 'day|2026-11-27|5', period: 'day', action: 'degrade', provider: null, agent: null, directory: null },
  ...{ session: null, limit: 5, spent, maxPrice: null, endsInMs: DAY, isAllowed: false },
  ...over,
});

function spending(levels: readonly CountedBudget[], changes: Partial<ScopeConfig> = {}): World {
  const world = new World(['a/1', 'b/1', 'c/1'], { models: PRICES, abilities: ['ask', 'hold.start'], ...changes });
  world.tell({ type: 'money.counted', levels });
  return world;
}

const typesOf = ({ facts }: Step, type: string) => facts.filter((fact) => fact.type === type);

describe('given a day’s budget of 5 dollars that is to be gone on beneath', () => {
  it('when 5.12 are spent, then the first model that costs less than the lead answers, with the numbers as the reason', () => {
    expect(spending([budget(5.12)]).prompt('t')).toMatchObject({
      action: { kind: 'redirect', from: 'a/1', to: 'c/1', position: 2 },
      code: 'money.day',
      short: { code: 'money.day', window: 'day|2026-11-27|5', unit: 'dollars', limit: 5, used: 5.12 / 5, until: DAY },
      trace: [
        { model: 'a/1', verdict: 'skipped', code: 'money.day', backInMs: DAY },
        { model: 'b/1', verdict: 'skipped', code: 'money.day' },
        { model: 'c/1', verdict: 'chosen', code: 'chain.first' },
      ],
    });
  });

  it('when it is spent in the middle of a turn, then its next request goes to that model', () => {
    const world = spending([budget(4.9)]);
    world.prompt('t');
    world.answering('t', 'a/1');
    world.tell({ type: 'money.counted', levels: [budget(5)] });
    expect(outline(world.start('t', 'a/1').decision)).toEqual({
      ...{ kind: 'switch', from: 'a/1', to: 'c/1', position: 2, code: 'money.day' },
    });
    expect(get(world.state.turns, 't')).toMatchObject({ switches: 0, tried: [] });
  });

  it.each([
    ['a cent is left', [budget(4.99)]],
    ['it is only to be told of', [budget(9, { action: 'warn' })]],
    ['a person has said to go on', [budget(9, { action: 'ask', isAllowed: true })]],
    ['it is another agent’s', [budget(9, { agent: 'plan' })]],
    ['it is another provider’s', [budget(9, { provider: 'b' })]],
    ['it is another project’s', [budget(9, { directory: '/other' })]],
    ['it is another conversation’s', [budget(9, { session: 'other' })]],
    ['nothing has been counted', []],
  ])('when %s, then the lead answers', (_case, levels) => {
    const world = spending(levels);
    expect(outline(world.prompt('t'))).toEqual({ kind: 'keep', to: 'a/1', code: 'keep.lead' });
    expect(world.start('t', 'a/1').decision).toBeNull();
  });

  it('when the next day has begun, then the lead answers', () => {
    const world = spending([budget(9)]);
    world.prompt('t');
    world.answering('t', 'c/1');
    world.now = DAY;
    expect(outline(world.prompt('u', { model: 'c/1' }))).toEqual({ kind: 'home', to: 'a/1', code: 'home.ready' });
  });

  it('when only models under 3 dollars a million tokens may go on, and none is, then the lead is asked: nobody is stopped', () => {
    const world = spending([budget(9, { maxPrice: 3 })]);
    expect(outline(world.prompt('t'))).toEqual({ kind: 'keep', to: 'a/1', code: 'keep.lead' });
    expect(world.start('t', 'a/1').decision).toBeNull();
  });

  it('when what a model costs is not known, then it is not taken for cheap', () => {
    const world = spending([budget(9, { maxPrice: 3 })], { models: { ...PRICES, 'b/1': {}, 'c/1': { priceOut: 0 } } });
    expect(outline(world.prompt('t'))).toMatchObject({ to: 'c/1', code: 'money.day' });
  });

  it('when it is that of one provider, then models of others answer, whatever they cost', () => {
    const world = spending([budget(9, { provider: 'a', action: 'stop' })]);
    expect(outline(world.prompt('t'))).toMatchObject({ to: 'b/1', code: 'money.day' });
  });

  it('when the model that costs less fails, then the turn goes on with the others rather than to end', () => {
    const world = spending([budget(9)]);
    world.prompt('t');
    expect(outline(world.failing('t', 'c/1', EVIDENCE.serverError))).toMatchObject({ kind: 'switch', to: 'a/1' });
  });
});

describe('given a budget of one provider that stops', () => {
  const ofA = { provider: 'a', action: 'stop' } as const;

  it('when it is spent in the middle of a turn, then its next request goes to another provider', () => {
    const world = spending([budget(4.9, ofA)]);
    world.prompt('t');
    world.answering('t', 'a/1');
    world.tell({ type: 'money.counted', levels: [budget(5, ofA)] });
    expect(outline(world.start('t', 'a/1').decision)).toMatchObject({ kind: 'switch', to: 'b/1', code: 'money.day' });
  });

  it('when an agent is pinned to it, or switching is paused, then nothing is sent', () => {
    const pinned = spending([budget(5, ofA)]);
    pinned.tell({
      ...{ type: 'agent.pinned', directory: DIRECTORY, agent: 'build', model: 'a/1', forMs: null, actor: 'ann' },
    });
    pinned.prompt('t');
    expect(pinned.start('t', 'a/1').decision?.code).toBe('exhausted.money');
    const paused = spending([budget(5, ofA)]);
    paused.tell({ type: 'switching.paused', forMs: null, actor: 'ann' });
    paused.prompt('t');
    expect(paused.start('t', 'a/1').decision?.code).toBe('exhausted.money');
  });

  it('when the others are only too dear for another budget, then they answer all the same', () => {
    const world = spending([budget(9, ofA), budget(9, { id: 'w', period: 'week', provider: 'b', maxPrice: 1 })]);
    const two = { ...(get(world.state.scopes, DIRECTORY) as ScopeConfig) };
    world.configure({ ...two, agents: { '*': { chain: ['a/1', 'b/1'], policy: PRESETS.swift } } });
    expect(outline(world.prompt('t'))).toMatchObject({ kind: 'redirect', to: 'b/1' });
    expect(world.start('t', 'b/1').decision).toBeNull();
  });
});

describe('given a budget that stops', () => {
  it('when it is spent, then no request leaves, whoever asks for it: nobody else, no pin and no pause goes past it', () => {
    const world = spending([budget(5, { action: 'stop' })]);
    world.prompt('t');
    expect(world.start('t', 'a/1').decision).toMatchObject({
      ...{ action: { kind: 'exhausted', soonest: null }, code: 'exhausted.money' },
      short: { code: 'money.day', limit: 5, remaining: 0 },
    });
    world.tell({ type: 'switching.paused', forMs: null, actor: 'ann' });
    world.tell({
      ...{ type: 'agent.pinned', directory: DIRECTORY, agent: 'build', model: 'b/1' },
      forMs: null,
      actor: 'ann',
    });
    world.prompt('u', { model: 'b/1' });
    expect(world.start('u', 'b/1').decision?.code).toBe('exhausted.money');
  });

  it('when an agent has no chain, then it is stopped as well; where Understudy is off, nobody is', () => {
    const world = spending([budget(5, { action: 'stop' })]);
    world.configure({ ...(get(world.state.scopes, DIRECTORY) as ScopeConfig), agents: {} });
    world.prompt('t');
    expect(world.start('t', 'a/1').decision?.code).toBe('exhausted.money');
    world.configure({ ...(get(world.state.scopes, DIRECTORY) as ScopeConfig), enabled: false });
    expect(world.start('t', 'a/1').decision).toBeNull();
  });

  it('when OpenCode asks for a title, then that goes: it is no turn', () => {
    const world = spending([budget(5, { action: 'stop' })]);
    expect(world.start('t', 'a/1', { purpose: 'internal' }).decision).toBeNull();
  });

  it('when a sub-agent asks, then what its conversation has spent counts', () => {
    const world = spending([budget(2, { period: 'session', session: 's', limit: 2, action: 'stop', endsInMs: null })]);
    world.prompt('t');
    world.prompt('u', { session: 'child', parentSession: 's' });
    expect(world.start('u', 'a/1', { session: 'child', parentSession: 's' }).decision).toMatchObject({
      ...{ code: 'exhausted.money', short: { code: 'money.session' } },
    });
  });

  it.each([
    ['the strictest rules', [budget(9), budget(5, { id: 'w', period: 'week', action: 'stop' })], 'money.week'],
    [
      'of two alike that with the least left rules',
      [budget(6, { action: 'stop' }), budget(8, { id: 'w', period: 'week', action: 'stop' })],
      'money.week',
    ],
  ] as const)('when several are spent, then %s', (_case, levels, code) => {
    const world = spending(levels as readonly CountedBudget[]);
    world.prompt('t');
    expect(world.start('t', 'a/1').decision).toMatchObject({ code: 'exhausted.money', short: { code } });
  });
});

describe('given a budget beyond which a person is asked', () => {
  const asking = (changes: Partial<ScopeConfig> = {}) => {
    const world = spending([budget(5, { action: 'ask' })], changes);
    world.prompt('t');
    return world;
  };

  it('when it is spent, then the request waits for their word, a minute at most', () => {
    const world = asking();
    expect(world.start('t', 'a/1').decision).toMatchObject({
      ...{ code: 'ask.money', action: { kind: 'hold', to: 'a/1', waitMs: 60_000, task: 'ask' } },
      short: { code: 'money.day' },
    });
    expect(world.state.questions).toMatchObject([{ model: 'a/1', to: null, short: { code: 'money.day' } }]);
  });

  it('when they say yes, then the same model is asked, and nobody is asked again that day', () => {
    const world = asking();
    world.start('t', 'a/1');
    const step = world.tell({ type: 'question.answered', yes: true, actor: 'ann' });
    expect(step.decisions).toMatchObject([{ code: 'hold.money', action: { kind: 'hold', to: 'a/1', waitMs: 0 } }]);
    expect(typesOf(step, 'money.allowed')).toEqual([{ type: 'money.allowed', id: 'day|2026-11-27|5', actor: 'ann' }]);
    expect(world.start('t', 'a/1').decision).toBeNull();
    world.tell({ type: 'money.counted', levels: [budget(7, { action: 'ask' })] });
    world.prompt('u');
    expect(world.start('u', 'a/1').decision).toBeNull();
  });

  it('when they say no, then the turn ends, the agent is not left out, and the next message asks again', () => {
    const world = asking();
    world.start('t', 'a/1');
    const step = world.tell({ type: 'question.answered', yes: false, actor: 'ann' });
    expect(step.decisions).toMatchObject([{ code: 'declined.money', action: { kind: 'pass' }, short: { limit: 5 } }]);
    expect(get(world.state.speakers, 's|build')?.degraded).toBeFalsy();
    world.prompt('u');
    expect(world.start('u', 'a/1').decision?.code).toBe('ask.money');
  });

  it('when nobody answers within a minute, then nothing is spent', () => {
    const world = asking();
    world.start('t', 'a/1');
    expect(world.wait(60_000).tick().decisions).toMatchObject([{ code: 'skipped.money' }]);
  });

  it('when two wait for the same budget, then one word is for both', () => {
    const world = asking();
    world.start('t', 'a/1');
    world.prompt('u', { session: 'child', parentSession: 's' });
    world.start('u', 'a/1', { session: 'child', parentSession: 's' });
    const { decisions } = world.tell({ type: 'question.answered', yes: true, actor: 'ann' });
    expect(decisions.map(({ turn, code }) => [turn, code])).toEqual([
      ['t', 'hold.money'],
      ['u', 'hold.money'],
    ]);
    expect(world.state.questions).toEqual([]);
  });

  it('when the yes comes from another process, or the limit is raised, then the turn that waits goes on', () => {
    for (const level of [budget(5, { action: 'ask', isAllowed: true }), budget(5, { action: 'ask', limit: 9 })]) {
      const world = asking();
      world.start('t', 'a/1');
      const { decisions } = world.tell({ type: 'money.counted', levels: [level] });
      expect([decisions.map(({ code }) => code), world.state.questions]).toEqual([['hold.money'], []]);
      expect(world.start('t', 'a/1').decision).toBeNull();
    }
  });

  it('when two of a conversation wait and nobody answers, then both end after the same minute', () => {
    const world = asking();
    world.start('t', 'a/1');
    world.prompt('u', { session: 'child', parentSession: 's' });
    world.start('u', 'a/1', { session: 'child', parentSession: 's' });
    const { decisions } = world.wait(60_000).tick();
    expect(decisions.map(({ turn, code }) => [turn, code])).toEqual([
      ['t', 'skipped.money'],
      ['u', 'skipped.money'],
    ]);
    expect(world.state.questions).toEqual([]);
  });

  it('when its action becomes to stop, then an old yes counts for nothing', () => {
    const world = spending([budget(9, { action: 'stop', isAllowed: true })]);
    world.prompt('t');
    expect(world.start('t', 'a/1').decision?.code).toBe('exhausted.money');
  });

  it('when nobody can be asked, then nothing is spent', () => {
    expect(asking({ abilities: [] }).start('t', 'a/1').decision?.code).toBe('exhausted.money');
  });
});

describe('given budgets that fill up', () => {
  it('when 80 % and when all is spent, then each is told once; with a new day anew', () => {
    const world = spending([]);
    const marks = [3.9, 4, 4.5, 5, 9].map((spent) => {
      const told = typesOf(world.tell({ type: 'money.counted', levels: [budget(spent)] }), 'money.passed');
      return told.map((fact) => 'mark' in fact && fact.mark);
    });
    expect(marks).toEqual([[], [0.8], [], [1], []]);
    const next = budget(4.2, { id: 'day|2026-11-28|5', endsInMs: 23 * HOUR });
    world.now = DAY + HOUR;
    expect(typesOf(world.tell({ type: 'money.counted', levels: [next] }), 'money.passed')).toMatchObject([
      { mark: 0.8, spent: 4.2, limit: 5, endsInMs: 23 * HOUR },
    ]);
  });

  it('when the engine is stored and restored, then what was told is not told again', () => {
    const world = spending([budget(5)]);
    world.state = restoreState(JSON.parse(JSON.stringify(saveState(world.state, world.now))), world.now).state;
    expect(world.state.money).toHaveLength(1);
    expect(typesOf(world.tell({ type: 'money.counted', levels: [budget(5.5)] }), 'money.passed')).toEqual([]);
  });
});

describe('given models of which nobody but the project says what they cost', () => {
  const UNPRICED = { unpriced: { isAllBut: false, models: ['a/1', 'c/1'] } } as const;
  const NOBODYS = { unpriced: { isAllBut: true, models: [] } } as const;
  const HELD = { action: 'stop' } as const;

  it('when a budget stops, then none of it has to be spent for them not to be asked: the next model with a price answers', () => {
    expect(spending([budget(0, HELD)], UNPRICED).prompt('t')).toMatchObject({
      ...{ action: { kind: 'redirect', to: 'b/1' }, code: 'money.unpriced' },
      short: { code: 'money.unpriced', limit: 5, remaining: 5, until: DAY },
    });
  });

  it('when there is no such model, then the turn ends, a yes lets it go on, and an account makes no difference', () => {
    const all = { unpriced: { isAllBut: true, models: [] } };
    const stopped = spending([budget(0, HELD)], all);
    stopped.prompt('t', { model: 'a@work/1' });
    expect(stopped.start('t', 'a@work/1').decision).toMatchObject({
      ...{ code: 'exhausted.money', short: { code: 'money.unpriced' } },
    });
    const asking = spending([budget(0, { action: 'ask' })], all);
    asking.prompt('t');
    expect(asking.start('t', 'a/1').decision).toMatchObject({ code: 'ask.money', short: { code: 'money.unpriced' } });
    asking.tell({ type: 'question.answered', yes: true, actor: 'ann' });
    expect(asking.start('t', 'a/1').decision).toBeNull();
  });

  it('when a person says yes to one, then that lasts for others like it, also where it is counted anew, and says nothing of what is spent', () => {
    const world = spending([budget(0, { action: 'ask' })], NOBODYS);
    world.prompt('t');
    world.start('t', 'a/1');
    const said = world.tell({ type: 'question.answered', yes: true, actor: 'ann' });
    expect(typesOf(said, 'money.allowed')).toMatchObject([{ id: unpricedId('day|2026-11-27|5') }]);
    world.tell({ type: 'money.counted', levels: [budget(1, { action: 'ask' })] });
    world.prompt('t2', { session: 's2' });
    expect(world.start('t2', 'a/1').decision).toBeNull();
    world.tell({ type: 'money.counted', levels: [budget(5, { action: 'ask' })] });
    world.prompt('t3', { session: 's3' });
    expect(world.start('t3', 'a/1').decision).toMatchObject({ code: 'ask.money', short: { code: 'money.day' } });
  });

  it('when a person has said yes to what is beyond the budget, then one without a price is asked about all the same', () => {
    const world = spending([budget(9, { action: 'ask', isAllowed: true })], NOBODYS);
    world.prompt('t');
    expect(world.start('t', 'a/1').decision).toMatchObject({ code: 'ask.money', short: { code: 'money.unpriced' } });
  });

  it('when all but one have none, then that one is asked', () => {
    const world = spending([budget(0, HELD)], { unpriced: { isAllBut: true, models: ['a/1'] } });
    world.prompt('t', { model: 'a@work/1' });
    expect(world.start('t', 'a@work/1').decision).toBeNull();
  });

  it.each([
    ['only told of', [budget(1, { action: 'warn' })]],
    ['another provider’s', [budget(1, { ...HELD, provider: 'b' })]],
    ['another project’s', [budget(1, { ...HELD, directory: '/other' })]],
    ['over', [budget(1, { ...HELD, endsInMs: 0 })]],
    ['that of a conversation of which something is counted', [budget(1, { ...HELD, period: 'session', session: 's' })]],
  ])('when the budget is %s, then they are asked', (_case, levels) => {
    const world = spending(levels, UNPRICED);
    expect(outline(world.prompt('t'))).toMatchObject({ kind: 'keep', to: 'a/1' });
    expect(world.start('t', 'a/1').decision).toBeNull();
  });

  it('when cheaper ones are to go on, then none of them counts as cheap, whatever the project says', () => {
    const world = spending([budget(9, { maxPrice: 5 })], UNPRICED);
    expect(outline(world.prompt('t'))).toEqual({ kind: 'keep', to: 'a/1', code: 'keep.lead' });
  });
});
