import { describe, expect, it } from 'vitest';
import type { Decision, ScopeConfig, SeenWindow, Step } from '../../../src/engine';
import { PRESETS } from '../../../src/engine/policy/presets';
import { exportHealth, get, restoreState, saveState, spreadNow, viewOf } from '../../../src/engine/tools';
import { DIRECTORY, EVIDENCE, HOUR, MINUTE, outline, SECOND, scopeOf } from '../world';
import { bucketWith, LENGTH, MOVE, Near, planAt, tokensWith } from './seen';
import { WEEK, worked } from './worked';

/** Two accounts of one model, and another model that stands between them. */
const LEAD = 'claude/sonnet';
const OTHER = 'openai/gpt';
const WORK = 'claude@work/sonnet';
const CHAIN = [LEAD, OTHER, WORK] as const;
const SPREAD = { ...MOVE, spread: true };

const week = (used: number, changes: Partial<SeenWindow> = {}): SeenWindow =>
  planAt(used, { id: 'week', lengthMs: WEEK, resetInMs: 3 * 24 * HOUR, ...changes });

type Known = Readonly<Record<string, SeenWindow | readonly SeenWindow[]>>;

/** A world in which the accounts have said how full their plans are. */
function known(windows: Known, changes: Partial<ScopeConfig> = {}, chain: readonly string[] = CHAIN): Near {
  const world = new Near(chain, { headroom: SPREAD, ...changes });
  for (const [model, seen] of Object.entries(windows)) world.hears(model, seen);
  return world;
}

/** A message to the lead, as a session sends it whose model was never changed. */
const ask = (world: Near, turn = 't', changes: Parameters<Near['prompt']>[1] = {}): Decision =>
  world.prompt(turn, { model: LEAD, hostLead: LEAD, ...changes });
const targetOf = ({ action }: Decision): unknown => 'to' in action && action.to;
const speakerOf = (world: Near) => get(world.state.speakers, 's|build');

/** One turn, answered by whoever it goes to. @returns who that was. */
function turn(world: Near, name: string): unknown {
  const to = targetOf(ask(world, name));
  world.answering(name, String(to));
  world.tell({ type: 'session.idle', session: 's' });
  return to;
}

describe('given two accounts of one model, 72 % and 23 % of whose weeks are used', () => {
  const both = { [LEAD]: week(0.72), [WORK]: week(0.23) };

  it('when a turn begins, then the emptier one answers, past the model between them, with the numbers of both', () => {
    const decision = ask(known(both));
    expect(outline(decision)).toEqual({ kind: 'redirect', from: LEAD, to: WORK, position: 2, code: 'headroom.spread' });
    expect(decision.short).toEqual({
      ...{ code: 'headroom.spread', window: 'week', unit: 'share', lengthMs: WEEK, used: 0.72 },
      ...{ limit: null, remaining: null, needs: null, until: null },
      there: { model: WORK, unit: 'share', lengthMs: WEEK, used: 0.23 },
    });
    expect(decision.trace.map(({ model, verdict, code }) => [model, verdict, code])).toEqual([
      [LEAD, 'skipped', 'headroom.spread'],
      [OTHER, 'skipped', 'chain.later'],
      [WORK, 'chosen', 'chain.spread'],
    ]);
  });

  it('when its request leaves, then it goes, and one that leaves for the lead all the same is not refused', () => {
    const world = known(both);
    ask(world);
    expect(world.start('t', WORK).decision).toBeNull();
    const other = known(both);
    ask(other);
    expect(other.start('t', LEAD).decision).toBeNull();
  });

  it('when a turn goes there, then nothing has failed, nobody was left, and no books count it as a move', () => {
    const world = known(both);
    ask(world);
    expect((world.last as Step).facts.map(({ type }) => type)).toEqual(['turn.began']);
    world.answering('t', WORK);
    expect(get(world.state.turns, 't')).toMatchObject({ switches: 0, tried: [], failedAttempts: 0, left: undefined });
    expect(world.standing(LEAD)).toMatchObject({ state: 'unseen', use: 'first' });
    expect(speakerOf(world)).toMatchObject({
      ...{ lead: LEAD, active: WORK, switches: 0 },
      why: { from: LEAD, short: { code: 'headroom.spread' } },
    });
  });

  it('when they are two providers, as on OpenCode 1, then that is the same', () => {
    const chain = ['claude/sonnet', 'claude-2/sonnet'];
    expect(targetOf(ask(known({ 'claude/sonnet': week(0.72), 'claude-2/sonnet': week(0.23) }, {}, chain)))).toBe(
      'claude-2/sonnet',
    );
  });

  it('when it is another model, however empty, then the lead answers', () => {
    const names = ['claude/opus', 'openai/gpt', 'claude/sonnet-2', 'x/claude/sonnet'];
    for (const name of names)
      expect(targetOf(ask(known({ [LEAD]: week(0.72), [name]: week(0) }, {}, [LEAD, name])))).toBe(LEAD);
  });

  it.each<[string, Partial<ScopeConfig>]>([
    ['it is not wanted', { headroom: MOVE }],
    ['it is said not to be wanted', { headroom: { ...MOVE, spread: false } }],
    ['limits are only told of', { headroom: { ...SPREAD, act: 'warn' } }],
    ['limits are not heeded', { headroom: { ...SPREAD, act: 'off' } }],
    ['nothing is said of limits', { headroom: undefined as never }],
    ['fallback is off', { enabled: false }],
    [
      'a person is asked before any switch',
      { abilities: ['ask'], agents: { '*': { chain: [...CHAIN], policy: PRESETS.council } } },
    ],
  ])('when %s, then the lead answers', (_case, changes) => {
    expect(targetOf(ask(known(both, changes)))).toBe(LEAD);
  });

  it('when switching is paused, or the agent is pinned, then nobody is moved for it', () => {
    const paused = known(both);
    paused.tell({ type: 'switching.paused', forMs: null, actor: 'test' });
    expect(outline(ask(paused))).toMatchObject({ kind: 'keep', to: LEAD, code: 'keep.paused' });
    for (const model of [LEAD, OTHER]) {
      const pinned = known(both);
      pinned.tell({ type: 'agent.pinned', directory: DIRECTORY, agent: 'build', model, forMs: null, actor: 'test' });
      expect(targetOf(ask(pinned))).toBe(model);
    }
  });

  it('when a person has picked one of them by hand, then that one answers', () => {
    const world = known({ [LEAD]: week(0.23), [WORK]: week(0.72) });
    expect(targetOf(ask(world, 't', { model: WORK, isExplicit: true }))).toBe(WORK);
  });

  it('when the lead is in no chain of the agent’s, then its account in that chain answers', () => {
    const world = known(both, {}, [OTHER, WORK]);
    expect(targetOf(ask(world, 't', { hostLead: null, isExplicit: true }))).toBe(WORK);
  });

  it('when the state is saved and restored, or health goes to another host, then the same is decided', () => {
    const world = known(both);
    const saved = JSON.parse(JSON.stringify(saveState(world.state, world.now)));
    const there = new Near(CHAIN, { headroom: SPREAD });
    there.now = 90_000_000;
    there.state = restoreState(saved, there.now).state;
    const synced = new Near(CHAIN, { headroom: SPREAD });
    synced.tell({ type: 'health.synced', health: exportHealth(world.state, world.now) });
    expect([world, there, synced].map((each) => outline(ask(each)))).toEqual(Array(3).fill(outline(ask(known(both)))));
  });

  it('when another host has decided so, then its speaker is known here with the numbers', () => {
    const world = known(both);
    ask(world, 't', { decided: { kind: 'redirect', to: WORK, code: 'headroom.spread' } });
    expect(speakerOf(world)).toMatchObject({
      active: WORK,
      why: { from: LEAD, short: { used: 0.72, there: { used: 0.23 } } },
    });
    const unknowing = new Near(CHAIN, { headroom: SPREAD });
    ask(unknowing, 't', { decided: { kind: 'redirect', to: WORK, code: 'headroom.spread' } });
    expect(speakerOf(unknowing)).toMatchObject({ active: WORK, why: null });
  });
});

describe('given how much emptier the other account is', () => {
  it.each([
    [0.72, 0.63, LEAD],
    [0.72, 0.62, WORK],
    [0.3, 0.2, WORK],
    [0.3, 0.201, LEAD],
    [0.23, 0.72, LEAD],
    [0.1, 0, WORK],
    // What is paid for beyond a plan is fuller than full.
    [1.1, 0.95, WORK],
    [1, 0.93, WORK],
  ])('when %d and %d are used, then it takes ten points to go there', (own, other, expected) => {
    const lead = week(own, { isOverdrawable: true });
    expect(targetOf(ask(known({ [LEAD]: lead, [WORK]: week(other) })))).toBe(expected);
  });

  it.each<[string, Known, string]>([
    ['the other is not known', { [LEAD]: week(0.72) }, LEAD],
    ['the lead is not known', { [WORK]: week(0) }, LEAD],
    ['only a minute’s limit of one is', { [LEAD]: tokensWith(3_000), [WORK]: week(0) }, LEAD],
    ['only a minute’s limit of the other is', { [LEAD]: week(0.72), [WORK]: bucketWith(60) }, LEAD],
    ['what is known is only shown', { [LEAD]: week(0.72, { isShownOnly: true }), [WORK]: week(0) }, LEAD],
    ['what is known is another model’s', { [LEAD]: week(0.72, { of: { family: 'opus' } }), [WORK]: week(0) }, LEAD],
    ['it is the family’s own', { [LEAD]: week(0.72, { of: { family: 'sonnet' } }), [WORK]: week(0) }, WORK],
    ['the fullest of each counts', { [LEAD]: [week(0.3), planAt(0.8)], [WORK]: [week(0.75), planAt(0)] }, LEAD],
    ['those are of other lengths', { [LEAD]: [week(0.3), planAt(0.8)], [WORK]: [week(0.5), planAt(0)] }, WORK],
  ])('when %s, then it is %j', (_case, windows, expected) => {
    expect(targetOf(ask(known(windows)))).toBe(expected);
  });

  it('when the fullest plans are of other lengths, then both are told of', () => {
    const { short } = ask(known({ [LEAD]: [week(0.3), planAt(0.8)], [WORK]: [week(0.5), planAt(0)] }));
    expect(short).toMatchObject({ used: 0.8, lengthMs: LENGTH, there: { used: 0.5, lengthMs: WEEK } });
  });

  it('when what is known was only counted here, then nobody is moved for it', () => {
    const world = known({ [LEAD]: week(0.72), [WORK]: week(0.23) });
    world.state = JSON.parse(JSON.stringify(world.state).replaceAll('"source":"provider"', '"source":"counted"'));
    expect(targetOf(ask(world))).toBe(LEAD);
  });

  it('when it begins anew, then it is not known any more, and the lead answers', () => {
    const world = known({ [LEAD]: week(0.72), [WORK]: planAt(0.23) });
    world.now = 2 * HOUR - 1;
    expect(targetOf(ask(world, 't1'))).toBe(WORK);
    world.now = 2 * HOUR;
    expect(outline(ask(world, 't2', { model: WORK }))).toEqual({ kind: 'home', to: LEAD, code: 'home.ready' });
  });

  it('when there are three, then the emptiest answers, and of those alike the first', () => {
    const chain = [LEAD, WORK, 'claude@home/sonnet', 'claude@old/sonnet'];
    const at = (work: number, home: number, old: number) =>
      targetOf(
        ask(
          known(
            {
              [LEAD]: week(0.72),
              [WORK]: week(work),
              'claude@home/sonnet': week(home),
              'claude@old/sonnet': week(old),
            },
            {},
            chain,
          ),
        ),
      );
    expect([at(0.4, 0.35, 0.6), at(0.4, 0.4, 0.6), at(0.7, 0.65, 0.61)]).toEqual([
      'claude@home/sonnet',
      WORK,
      'claude@old/sonnet',
    ]);
  });
});

describe('given a sibling that has something against it', () => {
  const both = { [LEAD]: week(0.72), [WORK]: week(0.23) };

  it.each<[string, (world: Near) => unknown]>([
    ['is limited', (world) => world.failingAlone(WORK, EVIDENCE.rateLimit)],
    ['is refused', (world) => world.failingAlone(WORK, EVIDENCE.auth)],
    ['rests', (world) => world.failingAlone(WORK, EVIDENCE.serverError)],
    [
      'is held out of use',
      (world) => world.tell({ type: 'health.held', model: WORK, state: 'open', forMs: null, actor: 'test' }),
    ],
    ['is taken out of all chains', (world) => world.tell({ type: 'health.isolated', model: WORK, actor: 'test' })],
    ['is before a minute’s limit', (world) => world.hears(WORK, bucketWith(0))],
    // Its request would wait for it.
    ['is before one that has room in a second', (world) => world.hears(WORK, bucketWith(0, { resetInMs: SECOND }))],
    ['is refusing', (world) => world.hears(WORK, week(0.23, { id: 'x', isRefusing: true }))],
  ])('when it %s, then the lead answers', (_case, happens) => {
    const world = known(both);
    happens(world);
    expect(targetOf(ask(world))).toBe(LEAD);
  });

  it('when its last part is kept for another agent, then the lead answers', () => {
    const reserve = { 'claude@work': { oracle: 0.8 } };
    expect(targetOf(ask(known(both, { headroom: { ...SPREAD, reserve } })))).toBe(LEAD);
  });

  it('when it cannot read what is sent, then the lead answers', () => {
    const models = { [WORK]: { vision: false } };
    const at = (vision: boolean) => targetOf(ask(known(both, { models }), 't', { needs: { vision } }));
    expect([at(true), at(false)]).toEqual([LEAD, WORK]);
  });

  it('when its week would be used up within a day by that work, then the lead answers', () => {
    const chain = ['a/m', 'b/m'] as const;
    // Ten requests an hour went to the lead: of a percent each they use up the 59 % that are left in six hours.
    const at = (each: number) => {
      const world = worked({ chain, each, changes: { headroom: { ...SPREAD, moveAt: 1 } } });
      return targetOf(world.prompt('t', { model: 'a/m', hostLead: 'a/m' }));
    };
    expect([at(0.01), at(0.002)]).toEqual(['a/m', 'b/m']);
  });

  it('when a person has said no to that account, then the lead answers, and after a yes it does', () => {
    const at = (said: 'yes' | 'no') => {
      const world = worked({ chain: ['a/m', 'b/m'] });
      const rules = { ...SPREAD, moveAt: 1, drain: 'ask' } as const;
      world.configure(scopeOf(['a/m', 'b/m'], { headroom: rules, abilities: ['ask', 'hold.start'] }));
      world.failingAlone('a/m', { ...EVIDENCE.quota, headers: { 'retry-after': String((12 * HOUR) / SECOND) } });
      world.prompt('u', { model: 'a/m', hostLead: 'a/m' });
      expect(world.start('u', 'a/m').decision?.code).toBe('ask.drain');
      world.tell({ type: 'question.answered', yes: said === 'yes', actor: 'test' });
      world.tell({ type: 'session.idle', session: 's' });
      world.wait(13 * HOUR);
      expect(world.standing('a/m')).toMatchObject({ use: 'first' });
      return targetOf(world.prompt('t', { model: 'a/m', hostLead: 'a/m' }));
    };
    expect([at('no'), at('yes')]).toEqual(['a/m', 'b/m']);
  });

  it('when a budget of its provider is spent, then the lead answers', () => {
    const chain = ['claude/sonnet', 'claude-2/sonnet'];
    const world = known({ 'claude/sonnet': week(0.72), 'claude-2/sonnet': week(0.23) }, {}, chain);
    const whose = { provider: 'claude-2', agent: null, directory: null, session: null };
    const level = { id: 'x', period: 'day', action: 'stop', limit: 5, spent: 6, maxPrice: null, ...whose } as const;
    world.tell({ type: 'money.counted', levels: [{ ...level, endsInMs: HOUR, isAllowed: false }] });
    expect(targetOf(ask(world))).toBe('claude/sonnet');
  });
});

describe('given an agent that speaks by the emptier account', () => {
  it('when that fills, then it stays as long as it is emptier at all, and is home when it is not', () => {
    const world = known({ [LEAD]: week(0.4), [WORK]: week(0.29) });
    const to = [0.29, 0.32, 0.399, 0.4].map((used, at) => {
      world.wait(MINUTE).hears(WORK, week(used));
      return turn(world, `t${at}`);
    });
    expect(to).toEqual([WORK, WORK, WORK, LEAD]);
    // From the lead it takes ten points again.
    world.wait(MINUTE).hears(LEAD, week(0.45));
    expect(turn(world, 'u1')).toBe(LEAD);
    world.wait(MINUTE).hears(LEAD, week(0.5));
    expect(turn(world, 'u2')).toBe(WORK);
  });

  it('when the lead’s week begins anew, then it is home with the next message', () => {
    const world = known({ [LEAD]: week(0.72, { resetInMs: HOUR }), [WORK]: week(0.23) });
    expect(turn(world, 't1')).toBe(WORK);
    world.wait(HOUR);
    expect(outline(ask(world, 't2'))).toEqual({ kind: 'home', to: LEAD, code: 'home.ready' });
    world.round('t2', LEAD, week(0.01, { resetInMs: WEEK }));
    expect(outline(ask(world, 't3'))).toEqual({ kind: 'keep', to: LEAD, code: 'keep.lead' });
  });

  it('when a third account is clearly emptier than the one it is at, then it goes there', () => {
    const chain = [LEAD, WORK, 'claude@home/sonnet'];
    const world = known({ [LEAD]: week(0.9), [WORK]: week(0.6), 'claude@home/sonnet': week(0.62) }, {}, chain);
    expect(turn(world, 't1')).toBe(WORK);
    world.wait(MINUTE).hears(WORK, week(0.71));
    expect(turn(world, 't2')).toBe(WORK);
    world.wait(MINUTE).hears(WORK, week(0.72));
    expect(turn(world, 't3')).toBe('claude@home/sonnet');
  });

  it('when a turn is under way, then it stays where it is whatever is heard, also if its message is told again', () => {
    const world = known({ [LEAD]: week(0.4), [WORK]: week(0.2) });
    ask(world, 't');
    world.round('t', WORK, week(0.9));
    expect(world.start('t', WORK).decision).toBeNull();
    expect(outline(ask(world, 't', { model: WORK }))).toMatchObject({ to: WORK, code: 'headroom.spread' });
    const other = known({ [LEAD]: week(0.2), [WORK]: week(0.2) });
    ask(other, 't');
    other.round('t', LEAD, week(0.9));
    expect(other.start('t', LEAD).decision).toBeNull();
    expect(targetOf(ask(other, 't'))).toBe(LEAD);
  });

  it('when it refuses, then the lead answers in flight, and the next message as well', () => {
    const world = known({ [LEAD]: week(0.72), [WORK]: week(0.23) });
    ask(world, 't');
    expect(outline(world.failing('t', WORK, EVIDENCE.rateLimit))).toMatchObject({
      kind: 'switch',
      from: WORK,
      to: LEAD,
      code: 'switch.rate_limit',
    });
    world.answering('t', LEAD);
    expect(speakerOf(world)).toMatchObject({ active: LEAD, why: null });
    expect(turn(world, 'u')).toBe(LEAD);
  });

  it('when it comes near its own limit, then the lead answers the next message, and is not left for good in the turn', () => {
    const world = known({ [LEAD]: week(0.96), [WORK]: week(0.2) });
    expect(turn(world, 't')).toBe(WORK);
    world.hears(WORK, planAt(0.97));
    expect(outline(ask(world, 'u'))).toMatchObject({ kind: 'home', to: LEAD });
  });

  it('when the lead comes near its limit, then that is the reason', () => {
    const world = known({ [LEAD]: week(0.9), [WORK]: week(0.2) }, {}, [LEAD, WORK]);
    expect(turn(world, 't')).toBe(WORK);
    world.hears(LEAD, week(0.98));
    expect(outline(ask(world, 'u'))).toMatchObject({ to: WORK, code: 'headroom.plan' });
    expect(speakerOf(world)?.why?.short).not.toHaveProperty('there');
  });

  it('when its numbers are asked for later, then they are today’s, and none where it is emptier no longer', () => {
    const world = known({ [LEAD]: week(0.4), [WORK]: week(0.2) });
    turn(world, 't');
    const now = () => {
      const [speaker] = viewOf(world.state, world.now).speakers;
      return speaker && spreadNow(world.state, speaker, world.now);
    };
    world.wait(MINUTE).hears(WORK, week(0.39));
    expect(now()).toMatchObject({ used: 0.4, there: { used: 0.39 } });
    world.wait(MINUTE).hears(WORK, week(0.41));
    expect(now()).toBeNull();
  });

  it('when its requests are counted, then they are the lead’s turn: it stands in the lead’s place', () => {
    const world = known({ [LEAD]: week(0.72), [WORK]: week(0.23) });
    ask(world, 't');
    world.start('t', WORK);
    expect((world.last as Step).facts).toMatchObject([{ type: 'attempt.began', model: WORK, position: 0 }]);
  });
});

describe('given a lead that is away, and two accounts of one model behind it', () => {
  const CHAIN_OF_THREE = [OTHER, LEAD, WORK];
  const away = (): Near => {
    const world = known({ [LEAD]: week(0.72), [WORK]: week(0.23) }, {}, CHAIN_OF_THREE);
    world.failingAlone(OTHER, EVIDENCE.rateLimit);
    return world;
  };
  const prompt = (world: Near, name: string) => world.prompt(name, { model: OTHER, hostLead: OTHER });

  it('when a turn begins, then the emptier one stands in, for the lead’s failure, and stays while it is emptier', () => {
    const world = away();
    const decision = prompt(world, 't');
    expect(outline(decision)).toMatchObject({ from: OTHER, to: WORK, position: 2, code: 'redirect.rate_limit' });
    expect(decision.short).toBeUndefined();
    expect(decision.trace.map(({ code }) => code)).toEqual(['limit.rate_limit', 'headroom.spread', 'chain.spread']);
    world.answering('t', WORK);
    world.wait(MINUTE).hears(WORK, week(0.71));
    expect(targetOf(prompt(world, 'u'))).toBe(WORK);
    world.answering('u', WORK);
    world.wait(MINUTE).hears(WORK, week(0.72));
    expect(targetOf(prompt(world, 'v'))).toBe(LEAD);
  });

  it('when the lead fails within a turn, then the first in the chain takes it, as ever', () => {
    const world = known({ [LEAD]: week(0.72), [WORK]: week(0.23) }, {}, CHAIN_OF_THREE);
    prompt(world, 't');
    expect(outline(world.failing('t', OTHER, EVIDENCE.rateLimit))).toMatchObject({ kind: 'switch', to: LEAD });
  });

  it('when the lead is back, then it answers, however empty the others are', () => {
    const world = away();
    prompt(world, 't');
    world.answering('t', WORK);
    world.wait(HOUR);
    expect(outline(prompt(world, 'u'))).toMatchObject({ kind: 'home', to: OTHER });
  });
});

describe('given a configuration that changes under an agent at the emptier account', () => {
  it('when it is no longer wanted, then the agent is home with the next message', () => {
    const world = known({ [LEAD]: week(0.72), [WORK]: week(0.23) });
    expect(turn(world, 't')).toBe(WORK);
    world.configure(scopeOf(CHAIN, { headroom: MOVE }));
    expect(outline(ask(world, 'u'))).toMatchObject({ kind: 'home', to: LEAD });
  });
});
