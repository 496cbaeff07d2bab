import { describe, expect, it } from 'vitest';
import type { CountedBudget, ScopeConfig, Step } from '../../../src/engine';
import { get, restoreState, saveState } from '../../../src/engine/tools';
import { TOO_LONG } from '../rules-world';
import { DAY, EVIDENCE, HOUR, MINUTE, outline, SECOND, scopeOf } from '../world';
import { MOVE, type Near } from './seen';
import { RESET, type Story, WEEK, worked } from './worked';

/** The quota of `a` is spent for two days. */
const QUOTA = { ...EVIDENCE.quota, headers: { 'retry-after': String((2 * DAY) / SECOND) } };

/** As `worked`, of a chain and rules of its own. */
const scope = (chain: readonly string[], changes: Partial<ScopeConfig> = {}): ScopeConfig =>
  scopeOf(chain, { headroom: MOVE, abilities: ['ask', 'hold.start'], ...changes });
const asking: Partial<ScopeConfig> = { headroom: { ...MOVE, drain: 'ask' } };
const never: Partial<ScopeConfig> = { headroom: { ...MOVE, drain: 'never' } };
const typesOf = ({ facts }: Step, type: string) => facts.filter((fact) => fact.type === type);
const answered = (world: Near, yes: boolean): Step => world.tell({ type: 'question.answered', yes, actor: 'test' });

describe('given a week’s plan that is spent, and a second one that its work would use up in six hours', () => {
  it('when a message comes, then a model of neither plan answers it, and the reason is told', () => {
    const decision = worked().prompt('t');
    expect(outline(decision)).toEqual({ kind: 'redirect', from: 'a/1', to: 'c/1', position: 2, code: 'headroom.plan' });
    expect(decision.trace.map(({ model, verdict, code }) => [model, verdict, code])).toEqual([
      ['a/1', 'skipped', 'headroom.plan'],
      ['b/1', 'skipped', 'headroom.drain'],
      ['c/1', 'chosen', 'chain.first'],
    ]);
  });

  it('when nobody else is left, then it goes there all the same, and is told of it with the numbers, once a day', () => {
    const world = worked();
    world.configure(scope(['a/1', 'b/1']));
    expect(outline(world.prompt('t'))).toMatchObject({ to: 'b/1', code: 'headroom.plan' });
    expect(typesOf(world.last as Step, 'headroom.drains')).toEqual([
      {
        ...{ type: 'headroom.drains', session: 's', agent: 'build', model: 'b/1' },
        short: {
          ...{ code: 'headroom.drain', window: 'week', unit: 'share', lengthMs: WEEK, limit: null, remaining: null },
          ...{ used: expect.closeTo(0.41, 6), needs: null, until: RESET, fullInMs: expect.closeTo(5.9 * HOUR, -5) },
        },
      },
    ]);
    world.answering('t', 'b/1');
    world.wait(MINUTE).prompt('u', { model: 'b/1' });
    expect(typesOf(world.last as Step, 'headroom.drains')).toEqual([]);
  });

  it.each([
    ['its requests take too little to use it up in a day', { each: 0.002 }],
    ['nobody knows how much work it is', { isWorked: false }],
    ['limits are only told of', { changes: { headroom: { ...MOVE, act: 'warn' } } }],
  ] as const)('when %s, then nothing stands against it', (_case, story) => {
    const world = worked(story as Story);
    const { trace } = world.prompt('t');
    expect(trace.filter(({ code }) => code === 'headroom.drain')).toEqual([]);
  });

  it('when its plan is not known, then nothing stands against it: what is not known keeps nobody from working', () => {
    const world = worked();
    world.tell({ type: 'health.reset', target: { provider: 'b' }, actor: 'test' });
    expect(outline(world.prompt('t'))).toMatchObject({ to: 'b/1' });
  });

  it('when the lead is away for a minute alone, then nothing stands against it: no plan’s work goes elsewhere', () => {
    const world = worked({ changes: { headroom: { ...MOVE, moveAt: 1 } } });
    world.prompt('t');
    expect(
      outline(world.failing('t', 'a/1', { ...EVIDENCE.rateLimit, headers: { 'retry-after': '60' } })),
    ).toMatchObject({
      kind: 'switch',
      to: 'b/1',
    });
  });

  it('when its work is never to go there, then it goes elsewhere, or where nobody else is, the lead is asked on', () => {
    const world = worked({ changes: never });
    expect(outline(world.prompt('t'))).toMatchObject({ to: 'c/1' });
    world.configure(scope(['a/1', 'b/1'], never));
    expect(outline(world.prompt('u'))).toMatchObject({ to: 'a/1' });
    expect(world.start('u', 'a/1').decision).toBeNull();
  });

  it('when it is never to go there for a spent quota alone, then other failures take it there', () => {
    const world = worked({ changes: { headroom: { ...MOVE, moveAt: 1, drain: { quota: 'never' } } } });
    world.configure(scope(['a/1', 'b/1'], { headroom: { ...MOVE, moveAt: 1, drain: { quota: 'never' } } }));
    world.prompt('t');
    expect(world.failing('t', 'a/1', QUOTA)?.action).toMatchObject({ kind: 'exhausted' });
    const other = worked();
    other.configure(scope(['a/1', 'b/1'], { headroom: { ...MOVE, moveAt: 1, drain: { rate_limit: 'never' } } }));
    other.prompt('t');
    expect(other.failing('t', 'a/1', QUOTA)?.action).toMatchObject({ kind: 'switch', to: 'b/1' });
  });

  it('when a conversation is too long, then a larger model is not one that it is never to go to', () => {
    const models = { 'a/1': { context: 8_000 }, 'c/1': { context: 8_000 }, 'b/1': { context: 200_000 } };
    const larger = [never, {}].map((changes) => {
      const world = worked();
      world.configure(scope(['a/1', 'c/1', 'b/1'], { models, ...changes }));
      world.prompt('t');
      world.failing('t', 'c/1', TOO_LONG);
      return world.failing('t', 'c/1', TOO_LONG)?.action;
    });
    expect(larger).toEqual([{ kind: 'pass' }, { kind: 'switch', from: 'c/1', to: 'b/1', position: 2 }]);
  });
});

describe('given a person who is to be asked before that', () => {
  /** A message whose request waits for an answer. */
  function put(world = asked()): Near {
    expect(outline(world.prompt('t'))).toEqual({ kind: 'keep', to: 'a/1', code: 'keep.ask' });
    expect(outline(world.start('t', 'a/1').decision)).toEqual({
      ...{ kind: 'hold', to: 'a/1', waitMs: 10 * SECOND, task: 'ask', code: 'ask.drain' },
    });
    return world;
  }
  function asked(): Near {
    const world = worked();
    world.configure(scope(['a/1', 'b/1'], asking));
    return world;
  }

  it('when a message comes, then its request waits, and the question has the numbers', () => {
    const world = put();
    expect(world.state.questions).toMatchObject([
      { model: 'a/1', to: 'b/1', attempt: null, short: { code: 'headroom.drain', used: expect.closeTo(0.41, 6) } },
    ]);
  });

  it('when they say yes, then it goes there, and nobody asks again for a day', () => {
    const world = put();
    expect(outline(answered(world, true).decisions[0] ?? null)).toEqual({
      ...{ kind: 'switch', from: 'a/1', to: 'b/1', position: 1, code: 'headroom.plan' },
    });
    expect(get(world.state.turns, 't')).toMatchObject({ model: 'b/1', switches: 0, tried: [] });
    world.answering('t', 'b/1');
    world.wait(HOUR);
    expect(outline(world.prompt('u', { model: 'b/1' }))).toMatchObject({ to: 'b/1' });
    expect(world.start('u', 'b/1').decision).toBeNull();
  });

  it('when they say no, then the lead goes on while it can, and the turn ends once it cannot', () => {
    const world = put();
    expect(outline(answered(world, false).decisions[0] ?? null)).toMatchObject({ to: 'a/1', code: 'hold.drain' });
    expect(world.start('t', 'a/1').decision).toBeNull();
    const ended = worked();
    ended.configure(scope(['a/1', 'b/1'], { headroom: { ...MOVE, moveAt: 1, drain: 'ask' } }));
    ended.prompt('t');
    expect(outline(ended.failing('t', 'a/1', QUOTA))).toMatchObject({ kind: 'hold', to: 'a/1', code: 'ask.drain' });
    expect(answered(ended, false).decisions[0]?.action).toMatchObject({ kind: 'exhausted', soonest: { model: 'a/1' } });
    expect(get(ended.state.speakers, 's|build')?.degraded).toBeUndefined();
    // With the next message as well, and unasked.
    expect(ended.wait(MINUTE).prompt('u').action).toMatchObject({ kind: 'exhausted' });
  });

  it('when nobody says anything for ten seconds, then it goes there, and the next message does so unasked', () => {
    const world = put();
    world.wait(10 * SECOND - 1).tick();
    expect(world.state.questions).toHaveLength(1);
    expect(outline(world.wait(1).tick().decisions[0] ?? null)).toMatchObject({ to: 'b/1', code: 'headroom.plan' });
    expect(world.state.questions).toEqual([]);
    world.answering('t', 'b/1');
    expect(outline(world.wait(MINUTE).prompt('u', { model: 'b/1' }))).toMatchObject({ to: 'b/1' });
  });

  it('when its request has failed for the quota, then a yes, or silence, moves it in flight', () => {
    for (const say of [(world: Near) => answered(world, true), (world: Near) => world.wait(10 * SECOND).tick()]) {
      const world = worked();
      world.configure(scope(['a/1', 'b/1'], { headroom: { ...MOVE, moveAt: 1, drain: 'ask' } }));
      world.prompt('t');
      world.failing('t', 'a/1', QUOTA);
      expect(outline(say(world).decisions[0] ?? null)).toMatchObject({
        kind: 'switch',
        from: 'a/1',
        to: 'b/1',
        code: 'switch.quota',
      });
      expect(get(world.state.turns, 't')).toMatchObject({ switches: 1, tried: [{ model: 'a/1', kind: 'quota' }] });
    }
  });

  it('when another model is left that no plan stands against, then nobody is asked', () => {
    const world = worked({ changes: asking });
    expect(outline(world.prompt('t'))).toMatchObject({ to: 'c/1' });
    expect(world.state.questions).toEqual([]);
  });

  it('when the host cannot ask, then it goes there unasked', () => {
    const world = worked();
    world.configure(scope(['a/1', 'b/1'], { ...asking, abilities: ['hold.start'] }));
    expect(outline(world.prompt('t'))).toMatchObject({ kind: 'redirect', to: 'b/1' });
  });

  it('when the state is saved and restored, then what was said still holds', () => {
    const world = put();
    answered(world, false);
    const { state, damage } = restoreState(saveState(world.state, world.now), world.now + HOUR);
    expect([damage, get(state.drains, 's|b')]).toEqual([null, { said: 'no', until: world.now + HOUR + DAY }]);
  });

  it('when they said no, then that holds for a day, however soon the lead is back', () => {
    const world = worked();
    world.configure(scope(['a/1', 'b/1'], { headroom: { ...MOVE, moveAt: 1, drain: 'ask' } }));
    world.prompt('t');
    world.failing('t', 'a/1', QUOTA);
    answered(world, false);
    const kinds = [HOUR, 12 * HOUR, 23 * HOUR].map((at) => {
      world.now = 6 * HOUR + at;
      return world.prompt(`u${at}`).action.kind;
    });
    expect(kinds).toEqual(['exhausted', 'exhausted', 'exhausted']);
  });

  it('when OpenCode goes on with that very model, then the lead waits for the answer', () => {
    const world = worked();
    world.configure(scope(['a/1', 'b/1'], { headroom: { ...MOVE, moveAt: 1, drain: 'ask' } }));
    world.prompt('t');
    // Ten minutes use up nothing.
    world.failing('t', 'a/1', { ...EVIDENCE.rateLimit, headers: { 'retry-after': '600' } });
    world.answering('t', 'b/1');
    world.wait(11 * MINUTE).failingAlone('a/1', QUOTA);
    const decision = world.prompt('u', { model: 'b/1' });
    expect(outline(decision)).toEqual({ kind: 'redirect', from: 'b/1', to: 'a/1', position: 0, code: 'redirect.lead' });
    expect(outline(world.start('u', 'a/1').decision)).toMatchObject({ code: 'ask.drain' });
  });

  it('when they were only told before, then they are asked all the same', () => {
    const world = worked();
    world.configure(scope(['a/1', 'b/1']));
    world.prompt('t');
    world.answering('t', 'b/1');
    world.configure(scope(['a/1', 'b/1'], asking));
    expect(outline(world.prompt('u', { model: 'a/1' }))).toMatchObject({ code: 'keep.ask' });
  });

  it('when another host asked whose numbers this one does not know, then nobody is left out for silence here either', () => {
    const world = worked();
    world.configure(scope(['a/1', 'b/1'], { abilities: ['ask', 'hold.start'] }));
    world.prompt('t');
    const decided = { kind: 'hold', to: 'a/1', waitMs: 10 * SECOND, task: 'ask', code: 'ask.drain' } as const;
    world.start('t', 'a/1', { decided });
    expect(world.state.questions).toMatchObject([{ isOfPlan: true }]);
    world.wait(10 * SECOND).tick();
    expect([world.state.questions, get(world.state.speakers, 's|build')?.degraded]).toEqual([[], undefined]);
  });
});

describe('given a plan that a turn is never to go to, and ways around the chain', () => {
  /** The lead is out for two days, and `b/1` for a quarter of a minute. */
  function resting(changes: Partial<ScopeConfig> = {}): Near {
    const world = worked();
    const rules = { ...MOVE, moveAt: 1 };
    world.configure(scope(['a/1', 'b/1'], { headroom: { ...rules, drain: 'never' }, ...changes }));
    world.failingAlone('a/1', QUOTA);
    world.failingAlone('b/1', { ...EVIDENCE.rateLimit, headers: { 'retry-after': '15' } });
    return world;
  }

  it.each([
    ['it is back in a moment', {}, 'exhausted'],
    ['anybody may be asked early', { panicProbe: true }, 'a/1'],
  ])('when %s, then nobody goes there', (_case, changes, asked) => {
    const world = resting(changes);
    const { action } = world.prompt('t');
    expect('to' in action ? action.to : action.kind).toBe(asked);
  });

  it('when a budget of the lead’s provider is spent as well, then it is not taken for that', () => {
    const world = worked();
    world.configure(scope(['a/1', 'b/1'], { ...never, models: { 'a/1': { priceOut: 25 }, 'b/1': { priceOut: 5 } } }));
    const level: CountedBudget = {
      ...{
        id: 'day',
        period: 'day' as const,
        action: 'degrade' as const,
        provider: 'a',
        agent: null,
        directory: null,
        session: null,
      },
      ...{ limit: 5, spent: 6, maxPrice: null, endsInMs: DAY, isAllowed: false },
    };
    world.tell({ type: 'money.counted', levels: [level] });
    expect(outline(world.prompt('t'))).toMatchObject({ to: 'a/1' });
  });

  it('when it is the model of last resort, then it is asked about as well, and never taken where it is never to be', () => {
    const world = worked();
    const spare = { backupModel: 'b/1' };
    world.configure(scope(['a/1'], { ...asking, ...spare }));
    expect(outline(world.prompt('t'))).toMatchObject({ code: 'keep.ask' });
    expect(outline(world.start('t', 'a/1').decision)).toMatchObject({ code: 'ask.drain' });
    const kept = worked();
    kept.configure(scope(['a/1'], { ...never, ...spare }));
    expect(outline(kept.prompt('t'))).toMatchObject({ kind: 'keep', to: 'a/1' });
    const free = worked();
    free.configure(scope(['a/1'], spare));
    expect(outline(free.prompt('t'))).toMatchObject({ to: 'b/1', code: 'headroom.plan' });
  });
});
