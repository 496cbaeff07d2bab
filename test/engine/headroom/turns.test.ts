import { describe, expect, it } from 'vitest';
import type { EngineEvent, ScopeConfig, SeenWindow, Step } from '../../../src/engine';
import { PRESETS } from '../../../src/engine/policy/presets';
import { exportHealth, get, type LogEntry, replay, restoreState, saveState } from '../../../src/engine/tools';
import { DIRECTORY, EVIDENCE, HOUR, MINUTE, outline, SECOND, scopeOf, World } from '../world';
import { bucketWith, LENGTH, MOVE, Near, planAt, spends, tokensWith } from './seen';

/** A world whose lead has answered once and said that its plan is so full, 3 h before it begins anew. */
function spent(used = 0.97, changes: Partial<ScopeConfig> = {}, chain?: readonly string[]): Near {
  const world = new Near(chain, changes);
  world.prompt('t0');
  world.round('t0', 'a/1', planAt(used, { resetInMs: 3 * HOUR }));
  return world;
}

describe('given a lead whose plan is at 97 %', () => {
  it('when a message comes, then the understudy speaks, with the numbers as the reason and the reset as the return', () => {
    const decision = spent().wait(MINUTE).prompt('t1');
    expect(decision).toEqual({
      ...{ turn: 't1', attempt: null, session: 's', agent: 'build', failure: null },
      action: { kind: 'redirect', from: 'a/1', to: 'b/1', position: 1 },
      code: 'headroom.plan',
      short: {
        ...{
          code: 'headroom.plan',
          window: 'unified-5h',
          unit: 'share',
          lengthMs: LENGTH,
          limit: null,
          remaining: null,
        },
        ...{ used: 0.97, needs: null, until: 3 * HOUR },
      },
      trace: [
        {
          ...{ model: 'a/1', position: 0, verdict: 'skipped', code: 'headroom.plan', state: 'ready' },
          backInMs: 3 * HOUR - MINUTE,
        },
        { model: 'b/1', position: 1, verdict: 'chosen', code: 'chain.first', state: 'unseen', backInMs: null },
        { model: 'c/1', position: 2, verdict: 'skipped', code: 'chain.later', state: 'unseen', backInMs: null },
      ],
    });
  });

  it('when turns have moved away, then its health is as it was: nothing has failed', () => {
    const world = spent();
    world.prompt('t1');
    world.answering('t1', 'b/1');
    expect(world.standing('a/1')).toEqual({ state: 'ready', use: 'first', code: null, inMs: null });
    expect(get(world.state.models, 'a/1')).toMatchObject({ failed: 0, limit: null, rest: null, block: null });
    expect(get(world.state.turns, 't1')).toMatchObject({ switches: 0, tried: [], failedAttempts: 0 });
  });

  it('when it has not begun anew, then the next messages stay with the understudy; afterwards they go home', () => {
    const world = spent();
    const codes = [MINUTE, HOUR, 3 * HOUR - 5_001, 3 * HOUR, 3 * HOUR + 1].map((at) => {
      world.now = at;
      const { code, action } = world.prompt(`t${at}`, at > MINUTE ? { model: at <= 3 * HOUR ? 'b/1' : 'a/1' } : {});
      world.answering(`t${at}`, 'to' in action ? action.to : 'none');
      return [code, 'to' in action ? action.to : null];
    });
    expect(codes).toEqual([
      ['headroom.plan', 'b/1'],
      ['headroom.plan', 'b/1'],
      ['headroom.plan', 'b/1'],
      ['home.ready', 'a/1'],
      ['keep.lead', 'a/1'],
    ]);
  });

  it('when it begins anew within 5 s, then the message goes to it, and its request waits for that', () => {
    const world = spent();
    world.now = 3 * HOUR - 5_000;
    expect(outline(world.prompt('t1'))).toEqual({ kind: 'keep', to: 'a/1', code: 'keep.lead' });
    expect(world.start('t1', 'a/1').decision).toMatchObject({
      action: { kind: 'hold', to: 'a/1', waitMs: 5_001 },
      code: 'hold.headroom',
    });
    expect(world.wait(5_001).start('t1', 'a/1').decision).toBeNull();
    // Where the host cannot hold it, it does not.
    const hasty = spent(0.97, { abilities: [] });
    hasty.now = 3 * HOUR - 5_000;
    expect(outline(hasty.prompt('t1'))).toMatchObject({ kind: 'redirect', to: 'b/1', code: 'headroom.plan' });
  });

  it('when the speaker is looked at, then it says before which limit it moved', () => {
    const world = spent();
    world.prompt('t1');
    expect(get(world.state.speakers, 's|build')).toMatchObject({
      ...{ lead: 'a/1', active: 'b/1', switches: 0 },
      why: { kind: 'quota', status: null, from: 'a/1', short: { code: 'headroom.plan', until: 3 * HOUR } },
    });
  });

  it('when it is one below, then it speaks', () => {
    expect(outline(spent(0.9699).prompt('t1'))).toEqual({ kind: 'keep', to: 'a/1', code: 'keep.lead' });
  });

  it.each([
    ['is only to be told', { headroom: { ...MOVE, act: 'warn' } }],
    ['is off', { headroom: { ...MOVE, act: 'off' } }],
    ['is set nowhere', { headroom: undefined }],
    ['is to move later', { headroom: { ...MOVE, moveAt: 0.98 } }],
  ] as const)('when that %s, then the lead speaks', (_, changes) => {
    const world = spent(0.97, changes as Partial<ScopeConfig>);
    expect(outline(world.prompt('t1'))).toEqual({ kind: 'keep', to: 'a/1', code: 'keep.lead' });
    expect(world.start('t1', 'a/1').decision).toBeNull();
  });

  it('when nothing is known of its windows, then the lead speaks', () => {
    const world = new Near();
    world.hears('b/1', planAt(1));
    expect([world.prompt('t1').code, world.start('t1', 'a/1').decision]).toEqual(['keep.lead', null]);
  });

  it('when all models are short, then the lead is asked anyway: a refusal costs less than no answer', () => {
    const world = spent();
    for (const model of ['b/1', 'c/1']) world.hears(model, planAt(0.99));
    const { code, action, trace } = world.prompt('t1');
    expect([action, code]).toEqual([{ kind: 'keep', to: 'a/1' }, 'keep.lead']);
    expect(trace.map((each) => [each.verdict, each.code])).toEqual([
      ['chosen', 'chain.short'],
      ['skipped', 'headroom.plan'],
      ['skipped', 'headroom.plan'],
    ]);
    expect(world.start('t1', 'a/1').decision).toBeNull();
  });

  it('when there is nobody else, then the lead is asked', () => {
    const world = spent(1, {}, ['a/1']);
    expect([world.prompt('t1').action.kind, world.start('t1', 'a/1').decision]).toEqual(['keep', null]);
  });

  it('when the understudy is short too, then the third speaks', () => {
    const world = spent();
    world.hears('b/1', planAt(0.98));
    const { action, trace } = world.prompt('t1');
    expect([action, trace.map(({ code }) => code)]).toEqual([
      { kind: 'redirect', from: 'a/1', to: 'c/1', position: 2 },
      ['headroom.plan', 'headroom.plan', 'chain.first'],
    ]);
  });

  it('when the understudy rests, then it speaks before a lead that is short; one that is out does not', () => {
    const world = spent(0.97, {}, ['a/1', 'b/1']);
    world.failingAlone('b/1', EVIDENCE.serverError);
    expect(outline(world.prompt('t1'))).toMatchObject({ to: 'b/1', code: 'headroom.plan' });
    world.failingAlone('b/1', EVIDENCE.rateLimit);
    expect(outline(world.prompt('t2'))).toMatchObject({ to: 'a/1', code: 'home.ready' });
  });

  it('when the understudy is of the same account, then it is as short; of another account it is not', () => {
    const chain = ['a/1', 'a/2', 'a@work/1', 'b/1'];
    expect(outline(spent(0.97, {}, chain).prompt('t1'))).toMatchObject({ to: 'a@work/1', code: 'headroom.plan' });
  });

  it('when only models of its vendor may speak, then the lock holds: the lead is asked', () => {
    const [same, other] = [{ vendor: 'x' }, { vendor: 'y' }];
    const ask = (models: NonNullable<ScopeConfig['models']>) =>
      outline(spent(0.98, { vendorLock: true, models }).prompt('t1'));
    expect(ask({ 'a/1': same, 'b/1': other, 'c/1': same })).toMatchObject({ to: 'c/1', code: 'headroom.plan' });
    expect(ask({ 'a/1': same, 'b/1': other, 'c/1': other })).toMatchObject({ to: 'a/1', code: 'keep.lead' });
  });

  it('when its agent is pinned to it, or switching is paused, then nobody is moved', () => {
    for (const event of [
      { type: 'agent.pinned', directory: DIRECTORY, agent: 'build', model: 'a/1', forMs: null, actor: 'ann' },
      { type: 'switching.paused', forMs: HOUR, actor: 'ann' },
    ] satisfies EngineEvent[]) {
      const world = spent(1);
      world.tell(event);
      const { code, action } = world.prompt('t1');
      expect([action, code, world.start('t1', 'a/1').decision]).toEqual([
        { kind: 'keep', to: 'a/1' },
        event.type === 'agent.pinned' ? 'keep.pinned' : 'keep.paused',
        null,
      ]);
    }
  });

  it('when a person is asked before another model speaks, then nobody is moved before a refusal', () => {
    const agents = { '*': { chain: ['a/1', 'b/1'], policy: PRESETS.council } };
    const asks = spent(1, { agents, abilities: ['ask', 'hold.start'] });
    expect([asks.prompt('t1').code, asks.start('t1', 'a/1').decision]).toEqual(['keep.lead', null]);
    // Where nobody can be asked, the same policy moves.
    expect(outline(spent(1, { agents }).prompt('t1'))).toMatchObject({ to: 'b/1', code: 'headroom.plan' });
  });

  it('when fallback is off, then nobody is moved', () => {
    const world = spent(1, { enabled: false });
    expect([world.prompt('t1').action, world.start('t1', 'a/1').decision]).toEqual([{ kind: 'keep', to: 'a/1' }, null]);
  });

  it('when another turn of the same plan fails elsewhere, then a model that is short comes last there', () => {
    const world = spent(0.98, {}, ['b/1', 'a/1', 'c/1']);
    world.prompt('t1', { model: 'b/1', hostLead: 'b/1' });
    const decision = world.failing('t1', 'b/1', EVIDENCE.serverError);
    expect(decision?.action).toEqual({ kind: 'switch', from: 'b/1', to: 'c/1', position: 2 });
    expect(decision?.trace.map(({ code }) => code)).toEqual(['chain.tried', 'headroom.plan', 'chain.first']);
  });
});

describe('given a turn that is under way with its lead', () => {
  /** It has begun at 96.5 %, and its first answer says that it is at `used` now; one request takes 0.4 %. */
  const underWay = (used: number): Near => {
    const world = new Near();
    const hears = (part: number, attempt: string | null) =>
      world.hears('a/1', planAt(part, { resetInMs: 3 * HOUR - world.now }), attempt);
    for (const part of [0.961, 0.965]) hears(part, null);
    world.prompt('t1');
    const { attempt } = world.wait(SECOND).start('t1', 'a/1');
    hears(used, attempt);
    world.succeed(attempt);
    return world.wait(SECOND);
  };

  it('when its plan passes 97 %, then it goes on; the next turn begins elsewhere', () => {
    const world = underWay(0.97);
    expect(world.start('t1', 'a/1').decision).toBeNull();
    expect(world.prompt('t2', { session: 'other' }).code).toBe('headroom.plan');
  });

  it('when one more request does not fit, then it moves before it is sent, and nothing has failed', () => {
    const world = underWay(0.999);
    const { attempt, decision } = world.start('t1', 'a/1');
    expect(outline(decision)).toEqual({ kind: 'switch', from: 'a/1', to: 'b/1', position: 1, code: 'headroom.plan' });
    expect([decision?.failure, decision?.short?.used, get(world.state.attempts, attempt)]).toEqual([
      null,
      expect.any(Number),
      undefined,
    ]);
    expect(world.start('t1', 'b/1').decision).toBeNull();
    expect(world.standing('a/1')).toMatchObject({ state: 'ready', use: 'first' });
  });

  it('when its provider says that it refuses, then it moves', () => {
    const world = underWay(0.966);
    world.hears('a/1', planAt(0.966, { resetInMs: 3 * HOUR - 2 * SECOND, isRefusing: true }));
    expect(outline(world.start('t1', 'a/1').decision)).toMatchObject({ to: 'b/1', code: 'headroom.refused' });
  });

  it('when it has moved, then it stays; only the next message may go home', () => {
    const world = underWay(0.999);
    world.start('t1', 'a/1');
    world.answering('t1', 'b/1');
    world.wait(3 * HOUR);
    expect(world.start('t1', 'b/1').decision).toBeNull();
    expect(outline(world.prompt('t2', { model: 'b/1' }))).toEqual({ kind: 'home', to: 'a/1', code: 'home.ready' });
  });
});

describe('given a lead whose minute has no request left', () => {
  /** 60 a minute, of which the last was taken just now; one comes back each second. */
  const empty = (abilities: ScopeConfig['abilities'] = ['hold.start'], seen: SeenWindow = bucketWith(0)): Near => {
    const world = new Near(['a/1', 'b/1', 'c/1'], { abilities: abilities ?? [] });
    world.prompt('t1');
    world.hears('a/1', seen);
    return world;
  };

  it('when one comes back within 5 s, then the request waits for it, and is then sent', () => {
    const world = empty();
    const { decision } = world.start('t1', 'a/1');
    expect(decision).toMatchObject({
      action: { kind: 'hold', to: 'a/1', waitMs: SECOND + 1, task: 'soonest' },
      code: 'hold.headroom',
      short: { code: 'headroom.requests', remaining: 0, needs: 1, until: SECOND },
    });
    expect(get(world.state.turns, 't1')?.left ?? []).toEqual([]);
    expect(world.wait(SECOND + 1).start('t1', 'a/1').decision).toBeNull();
  });

  it('when the host cannot hold a request, then another model is asked', () => {
    expect(outline(empty([]).start('t1', 'a/1').decision)).toEqual({
      ...{ kind: 'switch', from: 'a/1', to: 'b/1', position: 1, code: 'headroom.requests' },
    });
  });

  it.each([
    [5 * SECOND, 'hold.headroom'],
    [5 * SECOND + 1, 'headroom.requests'],
  ])('when it begins anew in %i ms, then the request meets with %s', (resetInMs, expected) => {
    const world = empty(['hold.start'], bucketWith(0, { refills: 'at_reset', resetInMs }));
    expect(world.start('t1', 'a/1').decision?.code).toBe(expected);
  });

  it('when nobody says when, then another model is asked', () => {
    const world = empty(['hold.start'], bucketWith(0, { resetInMs: null }));
    expect(outline(world.start('t1', 'a/1').decision)).toMatchObject({ to: 'b/1', code: 'headroom.requests' });
  });

  it('when others take what comes back, then it waits twice and then asks another model', () => {
    const world = empty();
    const codes = [1, 2, 3].map(() => {
      const code = world.start('t1', 'a/1').decision?.code;
      world.wait(SECOND).hears('a/1', bucketWith(0));
      return code;
    });
    expect(codes).toEqual(['hold.headroom', 'hold.headroom', 'headroom.requests']);
  });

  it('when an answer has come in between, then it may wait twice once more', () => {
    const world = empty();
    const codes = [1, 2, 3, 4].map((count) => {
      const code = world.start('t1', 'a/1').decision?.code;
      if (count % 2 === 0) world.wait(SECOND).answering('t1', 'a/1');
      world.wait(SECOND).hears('a/1', bucketWith(0));
      return code;
    });
    expect(codes).toEqual(Array.from({ length: 4 }, () => 'hold.headroom'));
  });

  it('when the turn has moved for it, then it returns with the next message', () => {
    const world = empty([], bucketWith(0, { refills: 'at_reset', resetInMs: 20 * SECOND }));
    world.start('t1', 'a/1');
    world.answering('t1', 'b/1');
    world.wait(20 * SECOND);
    expect([world.start('t1', 'b/1').decision, world.start('t1', 'a/1').decision]).toEqual([null, null]);
    expect(outline(world.prompt('t2', { model: 'b/1' }))).toEqual({ kind: 'home', to: 'a/1', code: 'home.ready' });
  });

  it('when the understudy is back soon as well, then it is chosen and waited for; its own limit does not pass it over', () => {
    const world = empty(['hold.start'], bucketWith(0, { refills: 'at_reset', resetInMs: 20 * SECOND }));
    world.hears('b/1', bucketWith(0, { refills: 'at_reset', resetInMs: 3 * SECOND }));
    expect(outline(world.start('t1', 'a/1').decision)).toMatchObject({ kind: 'switch', to: 'b/1' });
    expect(world.start('t1', 'b/1').decision?.action).toMatchObject({
      kind: 'hold',
      to: 'b/1',
      waitMs: 3 * SECOND + 1,
    });
  });

  it('when all are short and none is back soon, then the request is sent', () => {
    const world = empty([], bucketWith(0, { refills: 'at_reset', resetInMs: 20 * SECOND }));
    for (const model of ['b/1', 'c/1']) world.hears(model, planAt(1));
    expect(world.start('t1', 'a/1').decision).toBeNull();
  });

  it('when what a request takes is known, then tokens that do not fit move it', () => {
    const world = empty(['hold.start'], tokensWith(4_000, { resetInMs: 36 * SECOND }));
    const start = (most: number) => world.start('t1', 'a/1', { spend: spends(3_000, 100, most) });
    const small = start(1_000);
    expect(small.decision).toBeNull();
    world.tell({ type: 'attempt.aborted', attempt: small.attempt });
    // 3,000 are missing, which takes 18 s.
    expect(start(4_000).decision).toMatchObject({
      action: { kind: 'switch', to: 'b/1' },
      code: 'headroom.tokens',
      short: { needs: 7_000, remaining: 4_000, until: expect.closeTo(18 * SECOND, 3) },
    });
  });

  it('when the message already says what it takes, then it does not begin there', () => {
    const decide = (input: number, abilities: ScopeConfig['abilities']) =>
      empty(abilities, tokensWith(4_000)).prompt('t2', { spend: spends(input, 0) }).code;
    expect([decide(4_000, []), decide(4_001, [])]).toEqual(['keep.lead', 'headroom.tokens']);
    // 10,000 a minute: 833 of them come back in 5 s.
    const waits = [4_833, 4_834].map((input) => decide(input, ['hold.start']));
    expect(waits).toEqual(['keep.lead', 'headroom.tokens']);
  });

  it('when requests are under way, then those count until their response has told of them or they have ended', () => {
    const world = empty([], bucketWith(1));
    const code = () => {
      const { attempt, decision } = world.start('t2', 'a/1', { session: 'other' });
      if (!decision) world.tell({ type: 'attempt.aborted', attempt });
      return decision?.code ?? null;
    };
    const { attempt } = world.start('t1', 'a/1');
    expect(code()).toBe('headroom.requests');
    world.hears('a/1', bucketWith(1), attempt);
    expect(code()).toBeNull();
  });

  it('when the request is OpenCode’s own, then it is let go', () => {
    expect(empty([]).start('t1', 'a/1', { purpose: 'internal' }).decision).toBeNull();
  });
});

describe('given one provider in two books', () => {
  const BOOK = '0123456789ab';

  it('when a response comes, then it speaks of the account of its directory alone', () => {
    const world = new Near(undefined, { books: { a: BOOK } });
    world.configure(scopeOf(['a/1', 'b/1'], { headroom: MOVE }), '/other');
    world.hears('a/1', planAt(0.99));
    expect([world.windows(`a@${BOOK}`).length, world.windows('a').length]).toEqual([1, 0]);
    const ask = (directory: string) => world.prompt(`t${directory}`, { directory, session: directory }).code;
    expect([ask(DIRECTORY), ask('/other')]).toEqual(['headroom.plan', 'keep.lead']);
  });

  it('when it is seen only as a request leaves whose account it goes to, then its response speaks of that one', () => {
    const world = new Near(undefined, { books: { a: BOOK } });
    world.prompt('t1');
    const { attempt } = world.start('t1', 'a/1');
    world.configure(scopeOf(['a/1', 'b/1'], { headroom: MOVE, books: { a: 'ba9876543210' } }));
    world.hears('a/1', planAt(0.5), attempt);
    expect([world.windows(`a@${BOOK}`).length, world.windows('a@ba9876543210').length]).toEqual([0, 1]);
  });

  it('when a reserve names the provider, then it holds in every book of it', () => {
    const headroom = { ...MOVE, reserve: { a: { oracle: 0.15 } } };
    const world = new Near(undefined, { headroom, books: { a: BOOK } });
    world.hears('a/1', planAt(0.9));
    expect([world.prompt('t1').code, world.prompt('t2', { agent: 'oracle' }).code]).toEqual([
      'headroom.reserve',
      'keep.lead',
    ]);
  });

  it('when a person resets the model, then its books forget their windows', () => {
    const world = new Near(undefined, { books: { a: BOOK } });
    world.hears('a/1', planAt(0.99));
    world.hears('b/1', planAt(0.5));
    world.tell({ type: 'health.reset', target: { model: 'a/1' }, actor: 'ann' });
    expect([world.windows(`a@${BOOK}`).length, world.windows('b').length]).toEqual([0, 1]);
  });
});

describe('given a reset by a person', () => {
  it.each([
    ['the model', { model: 'a/1' }, [0, 1]],
    ['another model of its provider', { model: 'a/7' }, [0, 1]],
    ['the provider', { provider: 'a' }, [0, 1]],
    ['another provider', { provider: 'c' }, [1, 1]],
    ['all', { all: true }, [0, 0]],
  ] as const)('when it is of %s, then what was known of such limits is forgotten', (_, target, expected) => {
    const world = spent();
    world.hears('b/1', planAt(0.5));
    world.tell({ type: 'health.reset', target, actor: 'ann' });
    expect([world.windows('a').length, world.windows('b').length]).toEqual(expected);
    expect(world.prompt('t1').code).toBe(expected[0] === 0 ? 'keep.lead' : 'headroom.plan');
  });
});

describe('given a 429 that names no time', () => {
  const limited = (windows: readonly SeenWindow[], evidence = EVIDENCE.rateLimit as Parameters<World['fail']>[1]) => {
    const world = new Near(undefined, { headroom: { ...MOVE, act: 'off' } });
    world.prompt('t1');
    if (windows.length > 0) world.hears('a/1', windows);
    world.wait(MINUTE);
    const decision = world.failing('t1', 'a/1', evidence);
    return { world, decision, limit: get(world.state.models, 'a/1')?.limit };
  };

  it('when a plan is spent, then the model is out until that begins anew, by its provider’s word', () => {
    const { world, decision, limit } = limited([planAt(1, { resetInMs: 3 * HOUR })]);
    expect(limit).toMatchObject({ until: 3 * HOUR, source: 'provider' });
    expect(decision?.failure?.hintMs).toBe(3 * HOUR - MINUTE);
    expect(world.standing('a/1')).toMatchObject({ state: 'cooling', inMs: 3 * HOUR - MINUTE });
  });

  it('when two are spent, then until the last of them begins anew', () => {
    const week = planAt(1, { id: 'unified-7d', resetInMs: 50 * HOUR });
    expect(limited([week, planAt(1)]).limit?.until).toBe(50 * HOUR);
  });

  it('when none is spent, or nothing is known, then it is out as long as ever, by our estimate', () => {
    for (const windows of [[], [planAt(0.8)], [planAt(1, { isOverdrawable: true })]]) {
      expect(limited(windows).limit).toMatchObject({ until: MINUTE + 5 * MINUTE, source: 'estimate' });
    }
  });

  it('when it does name a time, then that holds', () => {
    const evidence = { ...EVIDENCE.rateLimit, headers: { 'retry-after': '600' } };
    expect(limited([planAt(1)], evidence).limit).toMatchObject({ until: 11 * MINUTE, source: 'provider' });
  });

  it('when it is a quota, then it is out until the plan begins anew as well', () => {
    const { world } = limited([planAt(1, { resetInMs: 3 * HOUR })], EVIDENCE.quota);
    expect(get(world.state.providers, 'a')?.limit).toMatchObject({
      kind: 'quota',
      until: 3 * HOUR,
      source: 'provider',
    });
  });

  it('when it is no limit that failed, then the windows say nothing of it', () => {
    expect(limited([planAt(1)], EVIDENCE.serverError).decision?.failure?.hintMs).toBeNull();
  });

  it('when the window names a reset in a year, then it is out for 31 days', () => {
    const { limit } = limited([planAt(1, { lengthMs: null, resetInMs: 365 * 24 * HOUR })]);
    expect(limit?.until).toBe(MINUTE + 31 * 24 * HOUR);
  });

  it('when the refusal itself says that the window is spent, then that counts', () => {
    const world = new Near();
    world.prompt('t1');
    const { attempt } = world.start('t1', 'a/1');
    world.hears('a/1', planAt(1, { resetInMs: 3 * HOUR, isRefusing: true }), attempt);
    world.fail(attempt, EVIDENCE.rateLimit);
    expect(world.standing('a/1')).toMatchObject({ state: 'cooling', inMs: 3 * HOUR });
  });
});

describe('given plans that fill', () => {
  const passed = ({ facts }: Step) => facts.filter(({ type }) => type === 'headroom.passed');

  it('when a plan passes 80 and 95 %, then each is told once, until the next window', () => {
    const world = new Near();
    const marks = [0.79, 0.8, 0.81, 0.94, 0.95, 0.99, 1].map((used, at) => {
      world.now = at * MINUTE;
      return passed(world.hears('a/1', planAt(used, { resetInMs: 2 * HOUR - world.now }))).map((fact) =>
        'mark' in fact ? fact.mark : null,
      );
    });
    expect(marks).toEqual([[], [0.8], [], [], [0.95], [], []]);
    world.now = 2 * HOUR;
    const again = [0.5, 0.96].map((used) => {
      world.wait(MINUTE);
      return passed(world.hears('a/1', planAt(used, { resetInMs: 5 * HOUR - (world.now - 2 * HOUR) }))).length;
    });
    expect(again).toEqual([0, 1]);
  });

  it('when it passes both at once, then only the higher is told, with its numbers', () => {
    const world = new Near(undefined, { books: { a: '0123456789ab' } });
    world.now = HOUR;
    expect(passed(world.hears('a/1', planAt(0.96)))).toEqual([
      {
        ...{ type: 'headroom.passed', account: 'a@0123456789ab', model: 'a/1', window: 'unified-5h', unit: 'share' },
        ...{ family: null, only: null, lengthMs: LENGTH, mark: 0.95, used: 0.96, resetInMs: 2 * HOUR, fullInMs: null },
      },
    ]);
  });

  it('when it will be full before its reset at this pace, then it is told when', () => {
    const world = new Near();
    const facts = Array.from({ length: 7 }, (_, at) => {
      world.now = at * 10 * MINUTE;
      return passed(world.hears('a/1', planAt(0.75 + at / 100, { resetInMs: 4 * HOUR - world.now })));
    }).flat();
    // 6 % an hour: 20 % last 200 minutes; the reset comes after 190.
    expect(facts).toMatchObject([{ mark: 0.8, fullInMs: null, resetInMs: 190 * MINUTE }]);
    const fast = new Near();
    const told = Array.from({ length: 7 }, (_, at) => {
      fast.now = at * 10 * MINUTE;
      return passed(fast.hears('a/1', planAt(0.71 + at / 50, { resetInMs: 4 * HOUR - fast.now })));
    }).flat();
    // 12 % an hour: 19 % last 95 minutes.
    expect(told).toMatchObject([
      { mark: 0.8, used: expect.closeTo(0.81, 9), fullInMs: expect.closeTo(95 * MINUTE, 0) },
    ]);
  });

  it('when a late response says less, and a newer one the same again, then nothing is told twice', () => {
    const world = new Near();
    world.prompt('t1');
    const { attempt } = world.start('t1', 'a/1');
    world.wait(SECOND);
    const told = [
      world.hears('a/1', planAt(0.81)),
      world.hears('a/1', planAt(0.79), attempt),
      world.wait(SECOND).hears('a/1', planAt(0.82, { resetInMs: 2 * HOUR - SECOND })),
    ].map((each) => passed(each).length);
    expect(told).toEqual([1, 0, 0]);
  });

  it('when it is a minute that fills, then nobody is told', () => {
    const world = new Near();
    const seen = [bucketWith(0), tokensWith(1), bucketWith(1, { lengthMs: HOUR - 1, id: 'x' })];
    expect(passed(world.hears('a/1', seen))).toEqual([]);
  });

  it('when nothing is to be done about limits, then it is told all the same', () => {
    for (const act of ['warn', 'off'] as const) {
      expect(passed(new Near(undefined, { headroom: { ...MOVE, act } }).hears('a/1', planAt(0.9)))).toHaveLength(1);
    }
  });
});

/** A world in which windows of every sort are known, one request is under way, one is owed, and a turn has moved. */
function motley(): Near {
  const world = new Near();
  world.now = 7 * HOUR;
  world.prompt('t0');
  for (let at = 0; at < 6; at++) {
    world
      .wait(5 * MINUTE)
      .round('t0', 'a/1', [planAt(0.8 + at * 0.03, { resetInMs: 4 * HOUR - at * 5 * MINUTE }), bucketWith(20 + at)]);
  }
  world.hears('b/1', tokensWith(300));
  world.start('t0', 'a/1');
  world.prompt('t1', { session: 'other' });
  return world;
}

/** Every time of the windows of a world, seen from its own present. */
const windowsFrom = ({ state, now }: World) => exportHealth(state, now).windows;

describe('given windows that travel to another clock', () => {
  it('when a state is saved and taken up again, then all times have moved with it', () => {
    const world = motley();
    const there = new World();
    there.now = 3 * SECOND;
    const saved = JSON.parse(JSON.stringify(saveState(world.state, world.now))) as unknown;
    const { state, damage } = restoreState(saved, there.now);
    there.state = state;
    expect(damage).toBeNull();
    expect(windowsFrom(there)).toEqual(windowsFrom(world));
    const byMs = there.now - world.now;
    for (const [at, window] of world.windows().entries()) {
      expect(get(state.windows, 'a')?.[at]).toEqual({
        ...window,
        ...{ at: window.at + byMs, asOf: window.asOf + byMs, resetAt: (window.resetAt ?? 0) + byMs },
        owed: window.owed.map(({ at: endedAt, part }) => ({ at: endedAt + byMs, part })),
        pace: window.pace && { ...window.pace, since: window.pace.since + byMs },
      });
    }
    for (const each of [world, there]) each.wait(MINUTE);
    const [here, other] = [world, there].map((each) => each.prompt('t9', { session: 'x' }));
    expect(other?.code).toBe('headroom.plan');
    expect(other?.trace).toEqual(here?.trace);
  });

  it('when it is damaged, then it is not taken up', () => {
    const world = motley();
    const text = JSON.stringify(saveState(world.state, world.now)).replace('"asOf":', '"asWas":');
    expect(restoreState(JSON.parse(text), 0).damage).not.toBeNull();
  });

  it('when health is synced to another host, then it knows as much and decides the same', () => {
    const world = motley();
    const there = new Near();
    there.now = 90_000_000;
    const health = JSON.parse(JSON.stringify(exportHealth(world.state, world.now))) as ReturnType<typeof exportHealth>;
    there.tell({ type: 'health.synced', health });
    expect(windowsFrom(there)).toEqual(windowsFrom(world));
    for (const each of [world, there]) each.wait(MINUTE);
    const [here, other] = [world, there].map((each) => each.prompt('t9', { session: 'x' }));
    expect([other?.code, other?.trace[0]?.backInMs]).toEqual([here?.code, here?.trace[0]?.backInMs]);
  });

  it('when a health says nothing of windows, as from an older host, then what is known stays', () => {
    const world = motley();
    const { windows, ...health } = exportHealth(world.state, world.now);
    world.tell({ type: 'health.synced', health });
    expect(windowsFrom(world)).toEqual(windows);
  });

  it('when a speaker that has moved before a limit is saved, then the reset it tells moves along', () => {
    const world = new Near();
    world.now = 7 * HOUR;
    world.hears('a/1', planAt(0.97));
    world.prompt('t1');
    const { state } = restoreState(saveState(world.state, world.now), 0);
    const until = (each: typeof state) => get(each.speakers, 's|build')?.why?.short?.until;
    expect([until(world.state), until(state)]).toEqual([9 * HOUR, 2 * HOUR]);
  });
});

describe('given a log with responses in it', () => {
  it('when it is played again, also through JSON, then the state is the same, byte for byte', () => {
    const log: LogEntry[] = [];
    class Logged extends Near {
      override tell(event: EngineEvent): Step {
        log.push({ at: this.now ?? 0, random: 0.5, event });
        return super.tell(event);
      }
    }
    const world = new Logged();
    world.prompt('t0');
    world.hears('b/1', tokensWith(300));
    for (let at = 0; at < 8; at++) {
      world.wait(5 * MINUTE);
      const model = at < 7 ? 'a/1' : 'b/1';
      const { attempt, decision } = world.start('t0', model, { spend: spends(900, 100) });
      world.hears(
        model,
        [planAt(0.8 + at * 0.028, { resetInMs: 4 * HOUR - at * 5 * MINUTE }), bucketWith(at)],
        attempt,
      );
      if (!decision) world.succeed(attempt);
    }
    world.prompt('t1');
    world.failing('t1', 'b/1', EVIDENCE.rateLimit);
    const played = JSON.parse(JSON.stringify(log)) as LogEntry[];
    expect(JSON.stringify(replay(played))).toBe(JSON.stringify(world.state));
    expect(windowsFrom(world)?.flatMap(([, windows]) => windows).length).toBe(4);
  });
});
