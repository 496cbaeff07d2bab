import { describe, expect, it } from 'vitest';
import {
  type DecidedAction,
  type Decision,
  type EngineEvent,
  type EngineState,
  type Evidence,
  initialState,
  type SyncedHealth,
  standingOf,
  step,
} from '../../../src/engine';
import { isPaused, pinOf } from '../../../src/engine/health/pins';
import { exportHealth } from '../../../src/engine/tools';
import { EVIDENCE, HOUR, MINUTE, World } from '../world';

const MODELS = ['a/1', 'a/2', 'b/1', 'c/1', 'd/1', 'd/2', 'e/1'];

/** One model in every state that time or a person ends. */
function motley(): World {
  const world = new World();
  for (let count = 0; count < 3; count++) world.wait(MINUTE).failingAlone('b/1', EVIDENCE.serverError);
  world.failingAlone('a/1', EVIDENCE.quota);
  world.failingAlone('c/1', EVIDENCE.auth);
  world.wait(MINUTE).failingAlone('d/1', EVIDENCE.rateLimit);
  world.failingAlone('d/2', EVIDENCE.overloaded);
  return world.wait(30_000);
}

/** Through JSON, as it travels. */
const travelled = (health: SyncedHealth): SyncedHealth => JSON.parse(JSON.stringify(health)) as SyncedHealth;

describe('given health that travels to a host whose clock is 3 days behind', () => {
  it('when it arrives, then every model stands as it stood, with the same time left', () => {
    const world = motley();
    const there = new World();
    there.now = world.now - 72 * HOUR;
    there.tell({ type: 'health.synced', health: travelled(exportHealth(world.state, world.now)) });
    expect(MODELS.map((model) => there.standing(model))).toEqual(MODELS.map((model) => world.standing(model)));
  });

  it('when half an hour passes on both, then they still agree', () => {
    const world = motley();
    const there = new World();
    there.now = 5;
    there.tell({ type: 'health.synced', health: travelled(exportHealth(world.state, world.now)) });
    world.wait(HOUR / 2);
    there.wait(HOUR / 2);
    expect(MODELS.map((model) => there.standing(model))).toEqual(MODELS.map((model) => world.standing(model)));
  });

  it('when a probe is out, then the other host sees it as probing', () => {
    const world = new World();
    for (let count = 0; count < 3; count++) world.failingAlone('a/1', EVIDENCE.serverError);
    world.wait(HOUR).start('t', 'a/1');
    const there = new World();
    there.tell({ type: 'health.synced', health: travelled(exportHealth(world.state, world.now)) });
    expect(there.standing('a/1').state).toBe('probing');
  });

  it('when it arrives, then the changes are told and a wake-up is due', () => {
    const there = new World();
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    there.now = 1_000;
    const { facts, wakeAt } = there.tell({ type: 'health.synced', health: exportHealth(world.state, world.now) });
    expect({ facts, wakeAt }).toEqual({
      facts: [
        {
          type: 'model.changed',
          model: 'a/1',
          from: 'unseen',
          to: 'cooling',
          code: 'limit.rate_limit',
          kind: 'rate_limit',
          forMs: 5 * MINUTE,
        },
      ],
      wakeAt: 1_000 + 5 * MINUTE,
    });
  });
});

describe('given a model that is blocked here and unknown there', () => {
  it('when the other host’s health arrives, then it is told that it is no longer blocked', () => {
    const world = new World();
    world.failingAlone('a/1', { phase: 'body', status: 404, message: 'gone' });
    const { facts } = world.tell({ type: 'health.synced', health: { models: [], providers: [] } });
    expect(facts).toEqual([
      { type: 'model.changed', model: 'a/1', from: 'blocked', to: 'unseen', code: null, kind: null, forMs: null },
    ]);
  });
});

const decidedBy = ({ action, code }: Decision): DecidedAction => ({
  kind: action.kind,
  code,
  ...('to' in action ? { to: action.to } : {}),
  ...('waitMs' in action ? { waitMs: action.waitMs } : {}),
});

describe('given a companion that decides alone and an app that is told what it did', () => {
  it.each(Object.entries(EVIDENCE))(
    'when a turn meets %s, then both hold the same health and decision',
    (_, failure) => {
      const companion = new World();
      const app = new World();
      const prompt = companion.prompt('t1');
      app.prompt('t1', { decided: decidedBy(prompt) });
      const started = companion.start('t1', 'a/1');
      const { attempt } = app.start('t1', 'a/1', { decided: { kind: 'keep', code: 'keep.lead' } });
      companion.wait(700);
      app.wait(700);
      const decision = companion.fail(started.attempt, failure);
      if (!decision) throw new Error('no decision');
      const adopted = app.fail(attempt, failure, decidedBy(decision));
      const { models, providers, turns, speakers } = app.state;
      expect([adopted, { models, providers, turns, speakers }]).toEqual([
        decision,
        {
          models: companion.state.models,
          providers: companion.state.providers,
          turns: companion.state.turns,
          speakers: companion.state.speakers,
        },
      ]);
    },
  );

  it('when a short limit is waited for, then the app does not blame the model either', () => {
    const short: Evidence = { ...EVIDENCE.rateLimit, headers: { 'retry-after': '2' } };
    const app = new World();
    app.prompt('t1');
    const decided: DecidedAction = { kind: 'hold', to: 'a/1', waitMs: 2_000, code: 'hold.rate_limit' };
    app.fail(app.start('t1', 'a/1').attempt, short, decided);
    expect(app.standing('a/1').state).toBe('ready');
  });

  it('when it took another model than the app would have, then what was done counts and the trace says so', () => {
    const app = new World();
    app.prompt('t1');
    const { attempt } = app.start('t1', 'a/1');
    const decision = app.fail(attempt, EVIDENCE.serverError, {
      kind: 'switch',
      to: 'c/1',
      code: 'switch.server_error',
    });
    expect([
      decision?.action,
      decision?.trace.map(({ model, verdict, code }) => `${model} ${verdict} ${code}`),
    ]).toEqual([
      { kind: 'switch', from: 'a/1', to: 'c/1', position: 2 },
      ['a/1 failed chain.tried', 'b/1 skipped chain.later', 'c/1 chosen chain.decided'],
    ]);
  });

  it('when it went to a model outside the chain, then it stands behind the chain', () => {
    const app = new World();
    app.prompt('t1');
    const { attempt } = app.start('t1', 'a/1');
    const decision = app.fail(attempt, EVIDENCE.serverError, {
      kind: 'switch',
      to: 'z/1',
      code: 'switch.server_error',
    });
    expect(decision?.action).toEqual({ kind: 'switch', from: 'a/1', to: 'z/1', position: 3 });
  });

  it('when it left a model that it found out without asking, then the app records no failure', () => {
    const app = new World();
    app.prompt('t1');
    const { decision } = app.start('t1', 'a/1', {
      decided: { kind: 'switch', to: 'b/1', code: 'redirect.rate_limit' },
    });
    expect([decision?.action, app.standing('a/1').state, app.state.attempts.flat()]).toEqual([
      { kind: 'switch', from: 'a/1', to: 'b/1', position: 1 },
      'unseen',
      [],
    ]);
  });

  it('when it ended the turn, then the app names the soonest by what it knows', () => {
    const app = new World(['a/1', 'b/1']);
    app.failingAlone('b/1', EVIDENCE.rateLimit);
    app.prompt('t1');
    const { attempt } = app.start('t1', 'a/1');
    const decision = app.fail(attempt, EVIDENCE.auth, { kind: 'exhausted', code: 'exhausted.auth' });
    expect(decision?.action).toEqual({ kind: 'exhausted', soonest: { model: 'b/1', inMs: 5 * MINUTE } });
  });
});

describe('given health of nothing', () => {
  it('when it is exported and taken in, then every model is unseen', () => {
    const health = exportHealth(initialState, 99);
    const { state } = step(initialState, { type: 'health.synced', health }, 0, 0);
    expect([health, standingOf(state, 'a/1', 0).state]).toEqual([
      { models: [], providers: [], manual: [], pins: [], pause: null, windows: [], underWay: [] },
      'unseen',
    ]);
  });
});

describe('given what people have said on a host whose clock reads 1,000 ms', () => {
  const byHand = (): EngineState => {
    const events: readonly EngineEvent[] = [
      { type: 'agent.pinned', directory: '/p', agent: 'build', model: 'a/2', forMs: 60_000, actor: 'ada' },
      { type: 'switching.paused', forMs: 5_000, actor: 'ada' },
      { type: 'health.held', model: 'a/1', state: 'open', forMs: 30_000, actor: 'ada' },
    ];
    return events.reduce((state, event) => step(state, event, 1_000, 0.5).state, initialState);
  };

  it('when another host takes it in at 500 ms, then pin, pause and hold end as late as on the first', () => {
    const health = exportHealth(byHand(), 2_000);
    const { state } = step(initialState, { type: 'health.synced', health }, 500, 0.5);
    expect([pinOf(state.pins, '/p', 'build', 59_499)?.model, pinOf(state.pins, '/p', 'build', 59_500)]).toEqual([
      'a/2',
      null,
    ]);
    expect([isPaused(state.pause, 4_499), isPaused(state.pause, 4_500)]).toEqual([true, false]);
    expect(standingOf(state, 'a/1', 600)).toMatchObject({ state: 'held', until: 29_500 });
  });

  it('when the first host lets all of it go, then the other does as well', () => {
    const { state } = step(initialState, { type: 'health.synced', health: exportHealth(byHand(), 2_000) }, 500, 0.5);
    const freed = step(state, { type: 'health.synced', health: exportHealth(initialState, 9_000) }, 600, 0.5).state;
    expect([pinOf(freed.pins, '/p', 'build', 600), freed.pause, standingOf(freed, 'a/1', 600).state]).toEqual([
      null,
      null,
      'unseen',
    ]);
  });
});
