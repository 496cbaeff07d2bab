import { describe, expect, it } from 'vitest';
import { revisionOf, step } from '../../../src/engine';
import { DEFAULT_HEALTH } from '../../../src/engine/base/config';
import { get } from '../../../src/engine/base/table';
import { exportHealth, preferredAtIn } from '../../../src/engine/tools';
import {
  createEngine,
  DIRECTORY,
  type Engine,
  HOUR,
  MINUTE,
  NO_KEY,
  RATE_LIMIT,
  SERVER_ERROR,
  scope,
} from '../harness';

const open = { type: 'health.held', model: 'a/1', state: 'open', actor: 'ann' } as const;

describe('given a person who holds a model', () => {
  it('when it is held open for 10 minutes, then turns go elsewhere until T and it says who comes back when', () => {
    const engine = createEngine();
    const { facts, wakeAt } = engine.tell({ ...open, forMs: 10 * MINUTE });
    expect(facts).toMatchObject([
      { type: 'manual.open', model: 'a/1', actor: 'ann', forMs: 600_000 },
      { type: 'model.changed', model: 'a/1', to: 'held', code: 'held.open', forMs: 600_000 },
    ]);
    expect(wakeAt).toBe(10 * MINUTE);
    const chosen = (now: number) => engine.at(now).prompt(`t${now}`).action;
    expect(chosen(10 * MINUTE - 1)).toMatchObject({ kind: 'redirect', to: 'b/1' });
    expect([chosen(10 * MINUTE).kind, chosen(10 * MINUTE + 1).kind]).toEqual(['home', 'keep']);
  });

  it('when it is limited for an hour and held open for 20 s, then nobody waits 20 s for it, and the hour is named', () => {
    const engine = createEngine(scope({ chain: ['a/1', 'b/1'], abilities: ['hold.start', 'hold.other'] }));
    engine.prompt('t');
    engine.fail('t', 'a/1', { ...RATE_LIMIT, headers: { 'retry-after': '3600' } });
    engine.tell({ ...open, forMs: 20_000 });
    expect(engine.shown('a/1')).toMatchObject({ state: 'held', code: 'held.open', until: HOUR });
    const decision = engine.fail('t', 'b/1', NO_KEY);
    expect(decision.action).toEqual({ kind: 'exhausted', soonest: { model: 'a/1', inMs: HOUR } });
    expect(engine.at(20_000).start('t', 'a/1').refusal?.action).toMatchObject({ kind: 'exhausted' });
    expect(engine.at(HOUR).shown('a/1').use).toBe('first');
  });

  it('when it is held closed, then even an open breaker lets requests through', () => {
    const engine = createEngine();
    for (const turn of ['t', 'u', 'v']) {
      engine.prompt(turn);
      engine.fail(turn, 'a/1', SERVER_ERROR);
    }
    expect(engine.shown('a/1').state).toBe('open');
    engine.tell({ ...open, state: 'closed', forMs: null });
    expect(engine.prompt('w').action).toMatchObject({ kind: 'home', to: 'a/1' });
    expect(engine.start('w', 'a/1').refusal).toBeNull();
    engine.tell({ ...open, state: null, forMs: null });
    expect(engine.shown('a/1').state).toBe('open');
  });

  it('when the model has changed since they looked, then the act is refused; an act on what they see is not', () => {
    const engine = createEngine();
    const seen = revisionOf(engine.state(), 'a/1');
    engine.prompt('t');
    engine.fail('t', 'a/1', RATE_LIMIT);
    const acts = [
      { ...open, forMs: null, rev: seen },
      { type: 'health.isolated', model: 'a/1', actor: 'ann', rev: seen },
      { type: 'health.reset', target: { model: 'a/1' }, actor: 'ann', rev: seen },
    ] as const;
    for (const act of acts) {
      expect(engine.tell(act).facts).toEqual([{ type: 'event.ignored', code: 'manual.stale', subject: 'a/1' }]);
    }
    engine.tell({ ...acts[2], rev: revisionOf(engine.state(), 'a/1') });
    expect(engine.shown('a/1').state).toBe('ready');
  });

  it('when two isolate it, then each act is told with its author, and it is back after two releases', () => {
    const engine = createEngine();
    for (const [type, actor] of [
      ['health.isolated', 'ann'],
      ['health.isolated', 'bob'],
      ['health.released', 'ann'],
    ] as const) {
      engine.tell({ type, model: 'a/1', actor });
    }
    expect(engine.shown('a/1')).toMatchObject({ state: 'held', code: 'held.isolated' });
    engine.tell({ type: 'health.released', model: 'a/1', actor: 'bob' });
    expect(engine.shown('a/1').state).toBe('unseen');
    expect(engine.asides().map((fact) => `${fact.type} ${'actor' in fact ? fact.actor : ''}`)).toEqual([
      'manual.isolated ann',
      'manual.isolated bob',
      'manual.released ann',
      'manual.released bob',
    ]);
  });

  it('when health goes to another host, then what people said goes with it, with the time that is left', () => {
    const engine = createEngine();
    engine.tell({ ...open, forMs: 10_000 });
    const health = exportHealth(engine.at(4_000).state(), engine.now());
    const other = createEngine();
    other.at(1_000_000).tell({ type: 'health.synced', health });
    expect(other.shown('a/1')).toMatchObject({ state: 'held', until: 1_006_000 });
  });
});

describe('given an agent pinned to b/1 for 30 minutes', () => {
  const pinned = () => {
    const engine = createEngine();
    engine.tell({
      type: 'agent.pinned',
      directory: DIRECTORY,
      agent: 'build',
      model: 'b/1',
      forMs: 30 * MINUTE,
      actor: 'ann',
    });
    return engine;
  };

  it('when messages come, then b/1 speaks until T', () => {
    const engine = pinned();
    const at = (now: number) => engine.at(now).prompt(`t${now}`);
    expect(at(30 * MINUTE - 1)).toMatchObject({ code: 'redirect.pinned', action: { kind: 'redirect', to: 'b/1' } });
    expect(at(30 * MINUTE).action).toMatchObject({ to: 'a/1' });
  });

  it('when b/1 fails, then nobody takes over', () => {
    const engine = pinned();
    engine.prompt('t');
    expect(engine.fail('t', 'b/1', SERVER_ERROR)).toMatchObject({ code: 'pass.pinned', action: { kind: 'pass' } });
  });

  it.each([
    ['isolates', { type: 'health.isolated', model: 'b/1', actor: 'bob' }],
    ['holds out', { type: 'health.held', model: 'b/1', state: 'open', forMs: null, actor: 'bob' }],
  ] as const)('when somebody %s b/1, then it is not asked: the chain is followed', (_, event) => {
    const engine = pinned();
    engine.tell(event);
    expect(engine.prompt('t').action).toMatchObject({ to: 'a/1' });
    expect(engine.fail('t', 'a/1', SERVER_ERROR).action).toMatchObject({ kind: 'switch', to: 'c/1' });
  });

  it('when b/1 is isolated in the middle of a turn, then its request is not sent any more', () => {
    const engine = pinned();
    engine.prompt('t');
    engine.tell({ type: 'health.isolated', model: 'b/1', actor: 'bob' });
    expect(engine.start('t', 'b/1').refusal?.action).toMatchObject({ kind: 'switch', to: 'c/1' });
  });
});

describe('given an agent that is pinned elsewhere in the middle of a turn', () => {
  it('when somebody isolates the model it has, then that is not asked: the chain is followed', () => {
    const engine = createEngine();
    engine.prompt('t');
    const pin = { type: 'agent.pinned', directory: DIRECTORY, agent: 'build', forMs: HOUR, actor: 'ann' } as const;
    engine.tell({ ...pin, model: 'b/1' });
    engine.tell({ type: 'health.isolated', model: 'a/1', actor: 'bob' });
    expect(engine.start('t', 'a/1').refusal?.action).toMatchObject({ kind: 'switch', from: 'a/1', to: 'b/1' });
  });
});

describe('given a model that somebody takes out of use before its request leaves', () => {
  const isolated = { type: 'health.isolated', model: 'a/1', actor: 'ann' } as const;
  const paused = { type: 'switching.paused', forMs: HOUR, actor: 'bob' } as const;
  const taken = (engine: Engine) => {
    engine.prompt('t');
    engine.tell(isolated);
    return engine.start('t', 'a/1').refusal;
  };

  it.each<[string, Parameters<typeof scope>[0]]>([
    ['it is alone in its chain', { chain: ['a/1'] }],
    ['OpenCode itself goes on where the chain ends', { chain: ['a/1'], onExhausted: 'native' }],
    ['its agent has no chain', { chain: [] }],
  ])('when %s, then it is not asked, and the turn ends', (_, setting) => {
    const engine = createEngine(scope(setting));
    expect(taken(engine)).toMatchObject({
      action: { kind: 'exhausted', soonest: null },
      code: 'exhausted.out',
      trace: [{ model: 'a/1', verdict: 'skipped', code: 'held.isolated', state: 'held' }],
    });
  });

  it('when its agent is not configured at all, then it is not asked either; where fallback is off, nobody looks', () => {
    const nobody = createEngine({ ...scope(), agents: {} });
    expect(taken(nobody)).toMatchObject({ action: { kind: 'exhausted' }, code: 'exhausted.out' });
    expect(taken(createEngine(scope({ enabled: false })))).toBeNull();
  });

  it('when OpenCode itself goes on where the chain ends and the others are out, then it is told who is back first', () => {
    const engine = createEngine(scope({ chain: ['a/1', 'b/1'], onExhausted: 'native' }));
    engine.prompt('t');
    engine.fail('t', 'b/1', RATE_LIMIT);
    engine.tell(isolated);
    expect(engine.start('t', 'a/1').refusal?.action).toEqual({
      kind: 'exhausted',
      soonest: { model: 'b/1', inMs: 5 * MINUTE },
    });
  });

  it('when switching is paused, then nobody else is asked in its place, and the end says both', () => {
    const engine = createEngine();
    engine.tell(paused);
    expect(taken(engine)).toMatchObject({
      action: { kind: 'exhausted', soonest: null },
      code: 'exhausted.paused',
      trace: [{ model: 'a/1', code: 'held.isolated' }],
    });
    engine.tell({ type: 'switching.resumed', actor: 'bob' });
    expect(engine.start('t', 'a/1').refusal?.action).toMatchObject({ kind: 'switch', to: 'b/1' });
  });

  it('when it is held out for 10 minutes, then a turn that is alone with it, or paused, says so', () => {
    for (const engine of [createEngine(scope({ chain: ['a/1'] })), createEngine()]) {
      engine.tell(paused);
      engine.prompt('t');
      engine.tell({ ...open, forMs: 10 * MINUTE });
      expect(engine.start('t', 'a/1').refusal?.action).toEqual({
        kind: 'exhausted',
        soonest: { model: 'a/1', inMs: 10 * MINUTE },
      });
      expect(engine.at(10 * MINUTE).start('t', 'a/1').refusal).toBeNull();
    }
  });

  it('when a message was to have its blocked models tried, then the newer word counts', () => {
    const engine = createEngine(scope({ chain: ['a/1', 'b/1'] }));
    engine.prompt('t');
    for (const model of ['a/1', 'b/1']) engine.fail('t', model, NO_KEY);
    expect(engine.prompt('u').code).toBe('keep.blocked');
    engine.tell(isolated);
    expect(engine.start('u', 'a/1').refusal?.action).toEqual({ kind: 'exhausted', soonest: null });
  });

  it('when another host has decided so, then this one takes it over with the same reason', () => {
    const engine = createEngine();
    engine.tell(isolated);
    engine.prompt('t', { decided: { kind: 'keep', to: 'a/1', code: 'keep.paused' } });
    const decided = { kind: 'exhausted', code: 'exhausted.paused' } as const;
    expect(engine.start('t', 'a/1', { decided }).refusal).toMatchObject({
      code: 'exhausted.paused',
      trace: [{ model: 'a/1', code: 'held.isolated' }],
    });
  });
});

describe('given switching paused for 5 minutes', () => {
  it('when a model fails, then it is left as it is until T', () => {
    const engine = createEngine();
    engine.tell({ type: 'switching.paused', forMs: 5 * MINUTE, actor: 'ann' });
    expect(engine.wakeAt()).toBe(5 * MINUTE);
    const failed = (turn: string) => {
      engine.prompt(turn);
      return engine.fail(turn, 'a/1', NO_KEY).code;
    };
    expect(failed('t')).toBe('pass.paused');
    expect(engine.at(5 * MINUTE - 1).prompt('u').code).toBe('keep.paused');
    expect(engine.start('u', 'a/1').refusal).toBeNull();
    expect(engine.at(5 * MINUTE).prompt('v').action.kind).toBe('redirect');
  });

  it('when somebody resumes, then switching goes on at once; twice is idle', () => {
    const engine = createEngine();
    engine.tell({ type: 'switching.paused', forMs: null, actor: 'ann' });
    engine.tell({ type: 'switching.resumed', actor: 'bob' });
    expect(engine.codes()).toEqual(['switching.paused', 'switching.resumed']);
    expect(engine.tell({ type: 'switching.resumed', actor: 'bob' }).facts).toMatchObject([{ code: 'switching.idle' }]);
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', NO_KEY).action.kind).toBe('switch');
  });
});

describe('given a model that goes in and out', () => {
  const health = {
    ...DEFAULT_HEALTH,
    ...{ restMs: 0, breaker: { ...DEFAULT_HEALTH.breaker, failureThreshold: 1, cooldownMs: MINUTE } },
  };
  /** Its circuit opens at 0, 1 min and a minute before `lastAt`, when it is usable for the third time. */
  const flapping = (lastAt: number) => {
    const engine = createEngine(scope({ health }));
    for (const at of [0, MINUTE, lastAt - MINUTE]) {
      engine.at(at).tick();
      engine.prompt(`t${at}`);
      engine.fail(`t${at}`, 'a/1', SERVER_ERROR);
    }
    return engine.at(lastAt);
  };

  it('when the fourth change comes within 10 minutes, then it is held open for 10 minutes', () => {
    const engine = flapping(3 * MINUTE);
    expect(engine.tick().facts).toMatchObject([{ from: 'open', to: 'held', code: 'held.flapping', forMs: 600_000 }]);
    expect([13 * MINUTE - 1, 13 * MINUTE].map((now) => engine.at(now).shown('a/1').use)).toEqual(['out', 'first']);
    expect(engine.tick().facts).toMatchObject([{ from: 'held', to: 'ready' }]);
  });

  it('when two rate limits come within 20 s, then it is not held: a limit ends by itself', () => {
    const quick = { ...DEFAULT_HEALTH, cooldownMs: 5_000, retryOriginalAfterMs: 10_000 };
    const engine = createEngine(scope({ health: quick }));
    for (const at of [0, 20_000, 40_000, 60_000]) {
      engine.at(at).prompt(`t${at}`);
      engine.fail(`t${at}`, 'a/1', RATE_LIMIT);
      engine.after(5_000).tick();
      engine.after(5_000).tick();
    }
    expect(engine.shown('a/1')).toMatchObject({ state: 'ready', use: 'first' });
  });

  it('when a file sets three changes and a hold of a minute, then the third change holds it for that', () => {
    const flaps = { changes: 3, windowMs: 10 * MINUTE, holdMs: MINUTE };
    const engine = createEngine(scope({ health: { ...health, flapping: flaps } }));
    engine.prompt('t');
    engine.fail('t', 'a/1', SERVER_ERROR);
    engine.at(MINUTE).prompt('u');
    engine.fail('u', 'a/1', SERVER_ERROR);
    expect(engine.shown('a/1')).toMatchObject({ state: 'open', until: 3 * MINUTE });
    expect(engine.at(2 * MINUTE).tick().facts).toMatchObject([{ to: 'held', forMs: MINUTE }]);
    expect(engine.at(3 * MINUTE).shown('a/1').use).toBe('first');
  });

  it('when its next return will be the fourth, then whoever counts down to it counts the 10 minutes after as well', () => {
    const engine = createEngine(scope({ health, chain: ['a/1', 'b/1'] }));
    engine.prompt('t');
    engine.fail('t', 'a/1', SERVER_ERROR);
    const soonest = (inMs: number) => ({ kind: 'exhausted', soonest: { model: 'a/1', inMs } });
    expect(engine.fail('t', 'b/1', NO_KEY).action).toEqual(soonest(MINUTE));
    engine.at(MINUTE).tick();
    engine.prompt('u');
    expect(engine.fail('u', 'a/1', SERVER_ERROR).action).toEqual(soonest(MINUTE));
    engine.at(2 * MINUTE).tick();
    engine.prompt('v');
    expect(engine.fail('v', 'a/1', SERVER_ERROR).action).toEqual(soonest(11 * MINUTE));
    expect(engine.shown('a/1')).toMatchObject({ state: 'open', until: 13 * MINUTE });
    engine.at(3 * MINUTE).tick();
    expect(engine.shown('a/1')).toMatchObject({ state: 'held', until: 13 * MINUTE });
    expect(preferredAtIn(engine.state(), 'a/1', 3 * MINUTE)).toBe(13 * MINUTE);
  });

  it('when going out is the fourth change itself, then whoever counts down counts the 10 minutes from then on', () => {
    const other = createEngine(scope({ health }));
    other.prompt('t');
    other.fail('t', 'a/1', SERVER_ERROR);
    const engine = createEngine(scope({ health, chain: ['a/1', 'b/1'] }));
    // Another host's word is no change of its own; coming back is.
    engine.tell({ type: 'health.synced', health: exportHealth(other.state(), 0) });
    engine.prompt('n');
    engine.fail('n', 'b/1', NO_KEY);
    for (const at of [MINUTE, 2 * MINUTE]) {
      engine.at(at).tick();
      engine.prompt(`ok${at}`);
      engine.succeed(`ok${at}`, 'a/1');
      engine.prompt(`t${at}`);
      const { action } = engine.fail(`t${at}`, 'a/1', SERVER_ERROR);
      const inMs = at === MINUTE ? MINUTE : 10 * MINUTE;
      expect(action).toEqual({ kind: 'exhausted', soonest: { model: 'a/1', inMs } });
    }
    expect(engine.shown('a/1')).toMatchObject({ state: 'held', until: 12 * MINUTE });
  });

  it('when another host’s word puts it out after two changes, then its return is told as it is: that word is no change', () => {
    const other = createEngine(scope({ health }));
    const engine = createEngine(scope({ health }));
    engine.prompt('t');
    engine.fail('t', 'a/1', SERVER_ERROR);
    engine.at(MINUTE).tick();
    other.at(MINUTE).prompt('t');
    other.fail('t', 'a/1', SERVER_ERROR);
    const { facts } = engine.tell({ type: 'health.synced', health: exportHealth(other.state(), MINUTE) });
    expect(facts).toMatchObject([{ type: 'model.changed', model: 'a/1', to: 'open', forMs: MINUTE }]);
    expect(engine.at(2 * MINUTE).shown('a/1').use).toBe('first');
  });

  it.each([
    ['isolates it', { type: 'health.isolated' } as const, null],
    ['holds it beyond that', { type: 'health.held', state: 'open', forMs: 2 * MINUTE } as const, 4 * MINUTE],
    ['holds it for less', { type: 'health.held', state: 'open', forMs: 30_000 } as const, 13 * MINUTE],
  ])('when a person %s before that return, then the countdown is to when it is asked again', (_, act, until) => {
    const engine = flapping(3 * MINUTE);
    engine.at(2 * MINUTE).tell({ ...act, model: 'a/1', actor: 'ann' });
    expect(engine.shown('a/1')).toMatchObject({ use: 'out', until });
    const back = until ?? HOUR;
    expect([back - 1, back].map((at) => engine.at(at).prompt(`u${at}`).action.kind)).toEqual([
      ...['redirect', until === null ? 'redirect' : 'home'],
    ]);
  });

  it.each([
    [10 * MINUTE - 1, 'held'],
    [10 * MINUTE, 'ready'],
  ])('when it comes at %i, then it is %s', (at, state) => {
    const engine = flapping(at);
    engine.tick();
    expect(engine.shown('a/1').state).toBe(state);
  });

  it('when the clock tells of the fourth change an hour late, then it was held for the 10 minutes after it', () => {
    const engine = flapping(3 * MINUTE);
    const facts = engine.after(HOUR).tick().facts;
    expect(facts).toMatchObject([
      { to: 'held', code: 'held.flapping', agoMs: HOUR },
      { from: 'held', to: 'ready', agoMs: HOUR - 10 * MINUTE },
    ]);
  });

  it('when a person resets it, then it flaps no more', () => {
    const engine = flapping(3 * MINUTE);
    engine.tick();
    engine.tell({ type: 'health.reset', target: { model: 'a/1' }, actor: 'ann' });
    expect(engine.shown('a/1').state).toBe('ready');
  });
});

describe('given a model that a person has reset, and a companion that connects later', () => {
  const KINDS = [
    ['limit', RATE_LIMIT, 1, 'cooling'],
    ['rejected key', NO_KEY, 1, 'blocked'],
    ['row of server errors', SERVER_ERROR, 3, 'open'],
  ] as const;

  const failures = (engine: Engine, count: number, evidence: (typeof KINDS)[number][1]): void => {
    for (let n = 0; n < count; n++) {
      engine.prompt(`t${n}`);
      engine.fail(`t${n}`, 'a/1', evidence);
    }
  };

  it.each(KINDS)(
    'when it reports a %s of before the reset, then the model stays ready',
    (_, evidence, count, state) => {
      const other = createEngine();
      failures(other, count, evidence);
      const engine = createEngine();
      engine.at(MINUTE).tell({ type: 'health.synced', health: exportHealth(other.state(), 0) });
      expect(engine.shown('a/1').state).toBe(state);
      engine.tell({ type: 'health.reset', target: { model: 'a/1' }, actor: 'ann' });
      failures(engine.at(MINUTE - 1), count, evidence);
      expect(engine.at(MINUTE).shown('a/1').state).toBe('ready');
      expect(get(engine.state().models, 'a/1')?.last).toMatchObject({ at: MINUTE - 1 });
    },
  );

  it.each(KINDS)('when it reports a %s of after the reset, then it counts', (_, evidence, count, state) => {
    const engine = createEngine();
    failures(engine, count, evidence);
    engine.at(MINUTE).tell({ type: 'health.reset', target: { model: 'a/1' }, actor: 'ann' });
    expect(engine.shown('a/1').state).toBe('ready');
    failures(engine, count, evidence);
    expect(engine.shown('a/1').state).toBe(state);
  });
});

describe('given a lead that is being probed', () => {
  it('when it is asked when it is first choice again, then no clock is named: only the answer tells', () => {
    const engine = createEngine();
    for (const turn of ['t', 'u', 'v']) {
      engine.prompt(turn);
      engine.fail(turn, 'a/1', SERVER_ERROR);
    }
    const { until } = engine.shown('a/1');
    engine.at(until ?? 0).prompt('w');
    engine.start('w', 'a/1');
    expect([engine.shown('a/1').state, preferredAtIn(engine.state(), 'a/1', until ?? 0)]).toEqual(['probing', null]);
  });
});

describe('given open times that grow by 2', () => {
  const breaker = { failureThreshold: 1, windowMs: HOUR, cooldownMs: MINUTE, growth: 2 };
  const tripped = (calmMs: number) => {
    const engine = createEngine(scope({ health: { ...DEFAULT_HEALTH, breaker } }));
    engine.prompt('t');
    engine.fail('t', 'a/1', SERVER_ERROR);
    engine.after(MINUTE).prompt('u');
    engine.succeed('u', 'a/1');
    engine.after(calmMs).prompt('v');
    const from = engine.now();
    engine.fail('v', 'a/1', SERVER_ERROR);
    return (engine.shown('a/1').until ?? 0) - from;
  };

  it.each([
    [HOUR - 1, 2 * MINUTE],
    [HOUR, MINUTE],
    [HOUR + 1, MINUTE],
  ])('when %i ms were healthy after the first trip, then the second lasts %i ms', (calmMs, openMs) => {
    expect(tripped(calmMs)).toBe(openMs);
  });
});

describe('given shadow mode', () => {
  it('when a breaker would have opened, then it is told and nobody is refused', () => {
    const engine = createEngine(scope({ health: { ...DEFAULT_HEALTH, shadow: true, restMs: 0 } }));
    for (const turn of ['t', 'u', 'v']) {
      engine.prompt(turn);
      engine.fail(turn, 'a/1', SERVER_ERROR);
    }
    expect(engine.asides().filter(({ type }) => type === 'breaker.shadow')).toEqual([
      { type: 'breaker.shadow', model: 'a/1' },
    ]);
    expect(engine.prompt('w').action).toMatchObject({ to: 'a/1' });
    expect(engine.start('w', 'a/1').refusal).toBeNull();
  });

  it('when its model fails 30 times while the circuit would open and be tried again, then it is told once', () => {
    const breaker = { ...DEFAULT_HEALTH.breaker, cooldownMs: 1_000 };
    const engine = createEngine(scope({ health: { ...DEFAULT_HEALTH, shadow: true, restMs: 0, breaker } }));
    for (let n = 0; n < 30; n++) {
      engine.at(n * 2_000).prompt(`t${n}`);
      engine.fail(`t${n}`, 'a/1', SERVER_ERROR);
    }
    expect(engine.asides().filter(({ type }) => type === 'breaker.shadow')).toHaveLength(1);
  });
});

describe('given a session whose requests fail', () => {
  it('when three of three failed, then it is an outage, the next prompt warns, and answers end it', () => {
    const engine = createEngine();
    engine.prompt('t');
    for (const model of ['a/1', 'b/1', 'c/1']) engine.fail('t', model, SERVER_ERROR);
    expect(engine.codes()).toEqual(['session.outage']);
    engine.prompt('u');
    expect(engine.codes().at(-1)).toBe('prompt.warned');
    for (let n = 0; n < 4; n++) engine.succeed('u', 'a/1');
    expect(engine.codes().at(-1)).toBe('session.connected');
  });
});

describe('given an app that is asked for probes', () => {
  const opened = () => {
    const engine = createEngine();
    for (const turn of ['t', 'u', 'v']) {
      engine.prompt(turn);
      engine.fail(turn, 'a/1', SERVER_ERROR);
    }
    return engine.at(HOUR + MINUTE);
  };

  it('when two lives ask the same app, then one is granted, and its request is the probe', () => {
    const app = opened();
    const asked = ['p1', 'p2'].map((epoch) =>
      app.tell({ type: 'lease.requested', model: 'a/1', epoch }).facts.find(({ type }) => type === 'lease.answered'),
    );
    expect(asked).toMatchObject([{ isGranted: true }, { isGranted: false }]);
    app.prompt('w');
    const decided = { kind: 'keep', code: 'keep.lead' } as const;
    const { attempt } = app.start('w', 'a/1', { epoch: 'p1', decided });
    expect(app.shown('a/1').state).toBe('probing');
    app.succeeded(attempt);
    expect(app.shown('a/1').state).toBe('ready');
  });

  it('when the model is healthy, then everybody may go', () => {
    const app = createEngine();
    expect(app.tell({ type: 'lease.requested', model: 'a/1', epoch: 'p1' }).facts[0]).toMatchObject({
      isGranted: true,
    });
    expect(step(app.state(), { type: 'tick' }, 0, 0).state.grants.flat()).toEqual([]);
  });
});
