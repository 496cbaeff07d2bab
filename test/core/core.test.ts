import { describe, expect, it } from 'vitest';
import { onPush } from '../../src/contract/contract';
import { Snapshot } from '../../src/contract/snapshot';
import { createKindReader } from '../../src/core/base/kind-reader';
import { LogRecord } from '../../src/core/base/record';
import type { EngineState, Evidence } from '../../src/engine';
import { initialHealth } from '../../src/engine/health/health';
import { get, saveState } from '../../src/engine/tools';
import { stateReason } from '../../src/wording/act-words';
import { eventSentence } from '../../src/wording/event-words';
import {
  CHAIN,
  COMPANION,
  carried,
  configured,
  DIRECTORY,
  failed,
  openArmedCore,
  openTestCore,
  prompted,
  START,
  SWITCHED_TURN,
  started,
  succeeded,
  type TestCore,
  virtualClock,
} from './virtual-core';

const MINUTE = 60_000;
const look = ({ core }: TestCore): Snapshot => Snapshot.parse(core.host.handlers['snapshot.get'](null));
/** Codes of what happened, oldest first. */
const codes = (test: TestCore): string[] =>
  look(test)
    .events.map(({ code }) => code)
    .reverse();
const stateOf = (test: TestCore, model: string) => look(test).models.find((row) => row.model === model)?.state;
const play = (test: TestCore, events = SWITCHED_TURN): void => {
  for (const event of events) test.tell(event);
};
const pushed = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('given somebody who hears of each step', () => {
  it('when one is made, then they find the state of before it, and the core has that of after it', () => {
    const seen: unknown[] = [];
    const limitOf = ({ models }: EngineState) => get(models, CHAIN[0])?.limit?.machine ?? null;
    const { core } = openArmedCore({
      onStep: (before, { type }) => void (type === 'fleet.heard' && seen.push(limitOf(before), limitOf(core.state()))),
    });
    const limit = { kind: 'quota', until: 9, preferAt: 9, source: 'provider', since: 0, machine: 'two' } as const;
    core.toldFleet({
      type: 'fleet.heard',
      health: { models: [[CHAIN[0], { ...initialHealth, limit }]], providers: [] },
    });
    expect(seen).toEqual([null, 'two']);
  });
});

describe('given nothing yet', () => {
  it('when it is looked at, then it waits for OpenCode and has nothing to show', () => {
    expect(look(openTestCore())).toEqual({
      v: 1,
      rev: 0,
      at: START,
      app: { version: '0.1.0', runtime: 'test' },
      connection: { status: 'waiting', since: START },
      instances: [],
      sessions: [],
      chains: [],
      others: [],
      headroom: [],
      unknownHeaders: [],
      budgets: [],
      models: [],
      events: [],
      lastDrill: null,
      config: [],
      pins: [],
      pause: null,
      questions: [],
      unknownPhrases: 0,
      settings: 0,
      unreadNotices: 0,
      councils: [],
      urgentNotices: 0,
    });
  });

  it('when somebody unknown tells something, then it is not taken', () => {
    const test = openTestCore();
    test.tell(prompted());
    expect([look(test).sessions, test.log]).toEqual([[], []]);
  });
});

describe('given a companion', () => {
  it('when it is new, then nothing of it is known, and it is shown', () => {
    const test = openTestCore();
    expect(test.core.connected(COMPANION)).toBeNull();
    expect(look(test)).toMatchObject({
      connection: { status: 'connected' },
      instances: [
        { instance: 'i1', pid: 42, opencode: '1.18.33', plugin: '0.1.0', status: 'connected', directories: [] },
      ],
    });
  });

  it('when it comes back in the same life, then the core has its last number; in a new life it has none', () => {
    const test = openArmedCore();
    test.tell(prompted());
    test.core.lost('i1');
    expect([test.core.connected(COMPANION), test.core.connected({ ...COMPANION, epoch: 'e2' })]).toEqual([2, null]);
  });

  it('when it tells a number again, or an older one, then it is ignored', () => {
    const test = openArmedCore();
    play(test);
    const before = look(test);
    const logged = test.log.length;
    for (const seq of [7, 1, 3]) test.core.told('i1', { seq, ageMs: 0, sentAt: START, event: failed() });
    expect([look(test), test.log.length]).toEqual([before, logged]);
  });

  it('when it is lost, then what it told stays, and the connection says so', () => {
    const test = openArmedCore();
    play(test);
    const before = look(test);
    test.clock.advance(5);
    test.core.lost('i1');
    const after = look(test);
    expect([
      after.connection,
      after.instances[0]?.status,
      after.models,
      after.sessions[0]?.agents,
      after.sessions[0]?.isLive,
    ]).toEqual([{ status: 'lost', since: START + 5 }, 'lost', before.models, before.sessions[0]?.agents, false]);
  });

  it('when it closes its project, then the chain is gone, unless another one works there', () => {
    const test = openArmedCore();
    test.core.connected({ ...COMPANION, instance: 'i2' });
    test.tell(configured(), 'i2');
    test.tell({ type: 'scope.closed', directory: DIRECTORY }, 'i2');
    const left = look(test).chains.length;
    test.core.lost('i2');
    test.tell({ type: 'scope.closed', directory: DIRECTORY });
    expect([left, look(test).chains]).toEqual([1, []]);
  });

  it('when it closes a project, then its row is without it and the conversation there is not live, until it is opened again', () => {
    const test = openArmedCore();
    test.tell(prompted());
    const shown = () => {
      const { instances, sessions } = look(test);
      return [instances[0]?.directories, sessions[0]?.isLive];
    };
    expect(shown()).toEqual([[DIRECTORY], true]);
    test.tell({ type: 'scope.closed', directory: DIRECTORY });
    expect(shown()).toEqual([[], false]);
    test.tell(configured());
    expect(shown()).toEqual([[DIRECTORY], true]);
    // It closes what it has open before it goes: where it worked is known still.
    test.tell({ type: 'scope.closed', directory: DIRECTORY });
    test.core.lost('i1');
    expect(shown()).toEqual([[DIRECTORY], false]);
  });

  it('when it is lost twice, then that is one row', () => {
    const test = openArmedCore();
    test.core.lost('i1');
    test.core.lost('i1');
    test.core.lost('never there');
    expect(codes(test).filter((code) => code === 'instance.lost')).toHaveLength(1);
  });

  it('when eight have gone, then the newest five are shown', () => {
    const test = openTestCore();
    for (let at = 1; at <= 8; at++) {
      test.core.connected({ ...COMPANION, instance: `i${at}` });
      test.core.lost(`i${at}`);
    }
    expect(look(test).instances.map(({ instance }) => instance)).toEqual(['i4', 'i5', 'i6', 'i7', 'i8']);
  });

  it('when it says what happened 4 s ago, then the row has that time', () => {
    const test = openArmedCore();
    test.clock.advance(10_000);
    test.core.told('i1', { seq: 2, ageMs: 4_000, sentAt: test.clock.wall(), event: prompted() });
    test.core.told('i1', { seq: 3, ageMs: 4_000, sentAt: test.clock.wall(), event: started() });
    test.core.told('i1', { seq: 4, ageMs: 4_000, sentAt: test.clock.wall(), event: failed() });
    expect(look(test).events[0]).toMatchObject({ code: 'switch.rate_limit', at: START + 6_000 });
  });
});

describe('given events of a companion that no disk has taken', () => {
  const droppedIn = (test: ReturnType<typeof openArmedCore>) => look(test).instances[0]?.dropped;

  it('when the app gives two of them up, then its row counts them beside those it has forgotten itself', () => {
    const test = openArmedCore();
    play(test);
    test.core.givenUp(test.log.slice(0, 3));
    expect([test.log.slice(0, 3).filter(({ from }) => from !== null).length, droppedIn(test)]).toEqual([2, 2]);
    test.core.told('i1', { seq: 8, ageMs: 0, sentAt: START, dropped: 3, event: failed() });
    expect(droppedIn(test)).toBe(5);
    test.core.told('i1', { seq: 9, ageMs: 0, sentAt: START, dropped: 0, event: failed() });
    expect(droppedIn(test)).toBe(2);
  });

  it('when it comes back, then they still count; in a new life they do not', () => {
    const test = openArmedCore();
    test.core.givenUp(test.log.slice(1, 2));
    test.core.lost('i1');
    test.core.connected(COMPANION);
    const back = droppedIn(test);
    test.core.connected({ ...COMPANION, epoch: 'e2' });
    expect([back, droppedIn(test)]).toEqual([1, undefined]);
  });
});

describe('given a companion of another version', () => {
  it('when it knocks every five seconds, then it is one row, and nothing more is published', async () => {
    const test = openTestCore();
    let pushes = 0;
    onPush(test.core.host, 'snapshot', () => pushes++);
    for (let at = 0; at < 5; at++) {
      test.core.incompatible({ ...COMPANION, plugin: '9.0.0' });
      test.clock.advance(5_000);
      await pushed();
    }
    const { connection, instances } = look(test);
    expect([connection, instances.length, instances[0]?.status, pushes]).toEqual([
      { status: 'incompatible', since: START },
      1,
      'incompatible',
      1,
    ]);
  });

  it('when it does not even say who it is, then the connection says that versions differ', () => {
    const test = openTestCore();
    test.core.incompatible(null);
    expect(look(test)).toMatchObject({ connection: { status: 'incompatible' }, instances: [] });
  });

  it('when a right one is connected, then the connection stays', () => {
    const test = openArmedCore();
    test.core.incompatible({ ...COMPANION, instance: 'i9' });
    expect([look(test).connection.status, look(test).instances.map(({ status }) => status)]).toEqual([
      'connected',
      ['connected', 'incompatible'],
    ]);
  });
});

describe('given a turn that switches', () => {
  it('when it is over, then it is one row with what it took and every model considered', () => {
    const test = openArmedCore();
    play(test, SWITCHED_TURN.slice(0, 4));
    expect(codes(test)).toEqual(['instance.connected', 'config.loaded', 'switch.rate_limit']);
    expect(look(test).events[0]).toEqual({
      id: 3,
      at: START,
      code: 'switch.rate_limit',
      state: 'cooling',
      agent: 'build',
      session: 's1',
      model: CHAIN[0],
      to: CHAIN[1],
      kind: 'rate_limit',
      status: 429,
      until: START + 15 * MINUTE,
      detail: 'Rate limit reached',
      durationMs: 31,
      trace: [
        { model: CHAIN[0], position: 0, verdict: 'failed', code: 'chain.tried', state: 'cooling' },
        { model: CHAIN[1], position: 1, verdict: 'chosen', code: 'chain.first', state: 'unseen' },
        { model: CHAIN[2], position: 2, verdict: 'skipped', code: 'chain.later', state: 'unseen' },
      ],
    });
  });

  it('when the session rests, then a row says who finished it', () => {
    const test = openArmedCore();
    play(test, [...SWITCHED_TURN, { type: 'session.idle', session: 's1' }]);
    expect(look(test).events[0]).toMatchObject({
      code: 'turn.finished',
      model: CHAIN[1],
      agent: 'build',
      state: 'ready',
    });
  });

  it('when the re-point failed, then a row says so', () => {
    const test = openArmedCore();
    play(test, [prompted(), started(), failed(), carried(false)]);
    expect(look(test).events[0]).toMatchObject({
      code: 'carry.failed',
      model: CHAIN[0],
      to: CHAIN[1],
      detail: 'OpenCode did not accept the new model',
    });
  });

  it('when nobody is left, then one row says when the first is back', () => {
    const test = openTestCore();
    test.core.connected(COMPANION);
    test.tell(configured(DIRECTORY, CHAIN.slice(0, 2)));
    play(test, [prompted(), started(), failed(), carried(), started({ attempt: 'a2', model: CHAIN[1] }), failed('a2')]);
    expect(codes(test).slice(2)).toEqual(['switch.rate_limit', 'exhausted.rate_limit']);
    expect(look(test).events[0]).toMatchObject({ until: START + 5 * MINUTE });
    expect(look(test).sessions[0]?.agents[0]?.status).toBe('exhausted');
  });

  it('when the primary of a longer chain fails last, then the row names it, and not the last of the chain', () => {
    const test = openTestCore();
    test.core.connected(COMPANION);
    test.tell(configured(DIRECTORY, CHAIN.slice(0, 2)));
    const first = { attempt: 'a2', model: CHAIN[1] };
    play(test, [prompted({ model: CHAIN[1] }), started({ ...first }), failed('a2'), carried()]);
    const last = look(test).sessions[0]?.agents[0]?.active ?? '';
    play(test, [started({ attempt: 'a3', model: last }), failed('a3')]);
    expect(look(test).events[0]).toMatchObject({ code: 'exhausted.rate_limit', model: last });
    expect(last).toBe(CHAIN[0]);
  });

  it('when all goes well, then there is no row', () => {
    const test = openArmedCore();
    play(test, [prompted(), started(), succeeded('a1'), { type: 'session.idle', session: 's1' }]);
    expect(codes(test)).toEqual(['instance.connected', 'config.loaded']);
  });

  it('when 60 things happen, then the newest 50 are shown, newest first', () => {
    const test = openArmedCore();
    for (let at = 0; at < 60; at++) test.tell(configured(`/p/${at}`));
    const { events } = look(test);
    expect([events.length, events[0]?.detail, events.at(-1)?.detail]).toEqual([50, '59', '10']);
  });
});

describe('given a model that cools', () => {
  it('when its time has come, then a row says it rests and another that it is ready, with nobody asking', () => {
    const test = openArmedCore();
    play(test);
    const before = codes(test).length;
    test.clock.advance(5 * MINUTE - 1);
    expect(codes(test).slice(before)).toEqual([]);
    test.clock.advance(1);
    expect([codes(test).slice(before), stateOf(test, CHAIN[0])]).toEqual([['model.resting'], 'resting']);
    test.clock.advance(10 * MINUTE);
    expect([codes(test).slice(before), stateOf(test, CHAIN[0])]).toEqual([['model.resting', 'model.ready'], 'ready']);
    // Only the end of the session, 30 minutes after its last word, is still waited for.
    expect([look(test).events[0]?.at, test.clock.waiting()]).toEqual([START + 15 * MINUTE, 1]);
    test.clock.advance(15 * MINUTE);
    expect(test.clock.waiting()).toBe(0);
  });

  /** A core whose timers never fire, an hour after its lead was told to be left alone. */
  const late = () => {
    const clock = { ...virtualClock(), schedule: () => () => undefined };
    const test = openTestCore(clock);
    test.core.connected(COMPANION);
    test.tell(configured());
    test.tell(prompted({ turn: 't2', session: 's2' }));
    test.tell(started({ attempt: 'b1', turn: 't2', session: 's2' }));
    play(test);
    clock.advance(60 * MINUTE);
    return test;
  };
  const newest = (test: TestCore, count: number) =>
    look(test)
      .events.slice(0, count)
      .map(({ code, model, at }) => [code, model, (at - START) / MINUTE])
      .reverse();

  it('when an event comes before the clock has told, then both changes are told first, at their own moments', () => {
    const test = late();
    test.tell(failed('b1', { phase: 'body', status: 503, message: 'down' }));
    expect(newest(test, 3)).toEqual([
      ['model.resting', CHAIN[0], 5],
      ['model.ready', CHAIN[0], 15],
      ['switch.server_error', CHAIN[0], 60],
    ]);
    expect(test.log.map(({ event }) => event.type)).not.toContain('tick');
    const again = openTestCore(virtualClock(test.clock.now()));
    again.core.replay(test.log);
    expect(newest(again, 3)).toEqual(newest(test, 3));
    expect(saveState(again.core.state(), 0)).toEqual(saveState(test.core.state(), 0));
  });

  it('when it is a person who resets the model, then they are told as well', () => {
    const test = late();
    test.core.host.handlers['health.reset']({ target: { model: CHAIN[0] }, rev: 1_000, actor: 'panel' });
    expect(newest(test, 3)).toEqual([
      ['model.resting', CHAIN[0], 5],
      ['model.ready', CHAIN[0], 15],
      ['reset.model', CHAIN[0], 60],
    ]);
  });

  it('when the core is disposed of, then no timer is left', () => {
    const test = openArmedCore();
    play(test);
    const before = test.clock.waiting();
    test.core.dispose();
    expect([before, test.clock.waiting()]).toEqual([3, 0]);
  });
});

describe('given an app that is started again while no OpenCode is there', () => {
  it('when it has read its log, then it was last connected when it last heard of OpenCode, and no OpenCode went away', () => {
    const test = openArmedCore();
    play(test);
    const heardAt = test.clock.wall();
    test.clock.advance(6 * 3_600_000);
    const again = openTestCore(test.clock.nextLife());
    again.core.replay(test.log);
    const { connection, events } = look(again);
    expect(connection.status).toBe('lost');
    expect(Math.abs(connection.since - heardAt)).toBeLessThan(60_000);
    expect(events.map(({ code }) => code)).not.toContain('instance.lost');
  });
});

describe('given a person who resets', () => {
  const reset = (test: TestCore, target: object, rev = look(test).rev) =>
    test.core.host.handlers['health.reset']({ target, rev, actor: 'panel' } as Parameters<
      TestCore['core']['host']['handlers']['health.reset']
    >[0]);

  it.each<[string, object, string]>([
    ['a model', { model: CHAIN[0] }, 'reset.model'],
    ['its provider', { provider: 'lead' }, 'reset.provider'],
    ['everything', { all: true }, 'reset.all'],
  ])('when they have seen the newest state of %s, then it is ready and the log says who did it', (_, target, code) => {
    const test = openArmedCore();
    play(test);
    const rev = look(test).rev;
    expect(reset(test, target)).toEqual({ accepted: true, rev: rev + 1 });
    expect([stateOf(test, CHAIN[0]), codes(test).at(-1), test.log.at(-1)?.event]).toEqual([
      'ready',
      code,
      { type: 'health.reset', target, actor: 'panel' },
    ]);
  });

  it.each([[{ model: CHAIN[0] }], [{ provider: 'lead' }], [{ all: true }]])(
    'when %j has changed since they looked, then it is refused with a reason',
    (target) => {
      const test = openArmedCore();
      const { rev } = look(test);
      play(test);
      expect([reset(test, target, rev), stateOf(test, CHAIN[0])]).toEqual([
        { accepted: false, reason: 'lead/one has changed since you last viewed it. Review it, then decide.' },
        'cooling',
      ]);
    },
  );

  it('when only another model has changed, then it is done', () => {
    const test = openArmedCore();
    const { rev } = look(test);
    play(test);
    expect(reset(test, { model: CHAIN[1] }, rev)).toMatchObject({ accepted: true });
  });

  it.each([[{ model: 'no/such' }], [{ model: '' }], [{ provider: 'nobody' }]])(
    'when %j is nothing known, then it is refused, and the snapshot still passes its schema',
    (target) => {
      const test = openArmedCore();
      const logged = test.log.length;
      expect([reset(test, target), test.log.length]).toEqual([
        { accepted: false, reason: expect.stringContaining('No model ') },
        logged,
      ]);
      look(test);
    },
  );
});

describe('given listeners', () => {
  it('when many things happen at once, then each hears of one picture, the newest', async () => {
    const test = openArmedCore();
    await pushed();
    const revs: number[] = [];
    let syncs = 0;
    const stop = onPush(test.core.host, 'snapshot', ({ rev }) => revs.push(rev));
    const stopHealth = test.core.onHealth(() => syncs++);
    play(test);
    await pushed();
    stop();
    stopHealth();
    test.tell(prompted({ turn: 't2' }));
    await pushed();
    expect([revs, syncs]).toEqual([[8], 1]);
  });

  it('when configuration files have problems, then the picture shows them', () => {
    const test = openTestCore();
    const row = { path: '/p/x.json', directory: null, problems: [] };
    test.core.setConfig([row]);
    expect(look(test).config).toEqual([row]);
  });
});

describe('given a failure that nobody can name', () => {
  const STRANGE: Evidence = { phase: 'body', message: 'Moon 17 hides your allowance' };
  const stranger = (): TestCore => {
    const test = openArmedCore();
    play(test, [prompted(), started(), failed('a1', STRANGE)]);
    test.clock.advance(MINUTE);
    play(test, [prompted({ turn: 't2' }), started({ attempt: 'a2', turn: 't2' }), failed('a2', STRANGE)]);
    return test;
  };
  const unknown = ({ core }: TestCore) => core.host.handlers['phrases.unknown']({ offset: 0, limit: 50 });

  it('when it comes twice, then it is counted, listed once and still there after a replay', () => {
    const test = stranger();
    const again = openTestCore(test.clock);
    again.core.replay(test.log);
    const entry = {
      id: expect.any(String),
      provider: 'lead',
      status: null,
      code: null,
      text: STRANGE.message,
      count: 2,
      firstSeen: START,
      lastSeen: START + MINUTE,
      model: CHAIN[0],
      suggestion: 'hides your allowance',
    };
    expect([look(test).unknownPhrases, unknown(test), unknown(again)]).toEqual([
      1,
      { entries: [entry], total: 1 },
      { entries: [entry], total: 1 },
    ]);
  });

  it('when a configuration names it, then it is gone from the list and the picture, and does not come back', () => {
    const test = stranger();
    test.core.setConfig([], [createKindReader(() => [], [{ phrase: 'hides your allowance', kind: 'quota' }])]);
    const gone = [look(test).unknownPhrases, unknown(test)];
    play(test, [prompted({ turn: 't3' }), started({ attempt: 'a3', turn: 't3' }), failed('a3', STRANGE)]);
    expect([gone, look(test).unknownPhrases]).toEqual([[0, { entries: [], total: 0 }], 0]);
  });
});

describe('given sub-agents', () => {
  it('when they speak, then they are shown with the conversation that started them', () => {
    const test = openArmedCore();
    test.tell(prompted());
    test.tell(prompted({ turn: 't2', session: 's2', parentSession: 's1', agent: 'helper' }));
    test.tell(prompted({ turn: 't3', session: 's3', parentSession: 's2', agent: 'deep' }));
    const [session, ...others] = look(test).sessions;
    expect([
      session?.session,
      session?.agents.map(({ agent, session: own, parentSession }) => [agent, own, parentSession]).sort(),
      others,
    ]).toEqual([
      's1',
      [
        ['build', 's1', null],
        ['deep', 's3', 's2'],
        ['helper', 's2', 's1'],
      ],
      [],
    ]);
  });

  it('when one still works, then the conversation is not idle', () => {
    const test = openArmedCore();
    test.tell(prompted());
    test.tell(prompted({ turn: 't2', session: 's2', parentSession: 's1' }));
    test.tell({ type: 'session.idle', session: 's1' });
    const isBusy = look(test).sessions[0]?.isIdle;
    test.tell({ type: 'session.idle', session: 's2' });
    expect([isBusy, look(test).sessions[0]?.isIdle]).toEqual([false, true]);
  });

  it('when a conversation has been idle for half an hour, then it is over', () => {
    const test = openArmedCore();
    play(test, [prompted(), { type: 'session.idle', session: 's1' }]);
    const live = (): boolean | undefined => look(test).sessions[0]?.isLive;
    test.clock.advance(30 * MINUTE - 1);
    const before = live();
    test.clock.advance(1);
    expect([before, live()]).toEqual([true, false]);
  });

  it('when its OpenCode is killed while another one is open, then its project counts as closed; with nobody left it is the last known', () => {
    const test = openArmedCore();
    const armed = () => look(test).chains.map(({ directory }) => directory);
    const other = '/home/ada/blog';
    test.core.connected({ ...COMPANION, instance: 'i2', pid: 43 });
    test.tell(configured(other), 'i2');
    const both = armed();
    test.core.lost('i1');
    const one = armed();
    test.core.lost('i2');
    expect([both, one, armed()]).toEqual([[other, DIRECTORY], [other], [other, DIRECTORY]]);
  });

  it('when its OpenCode is gone, then it is over, though another one has its directory open, until that one goes on with it', () => {
    const test = openArmedCore();
    test.core.connected({ ...COMPANION, instance: 'run' });
    test.tell(configured(), 'run');
    const live = () => look(test).sessions.map(({ session, isLive, instance }) => [session, isLive, instance]);
    test.tell(prompted(), 'run');
    test.tell(prompted({ turn: 't2', session: 's2' }));
    expect(live().toSorted()).toEqual([
      ['s1', true, 'run'],
      ['s2', true, 'i1'],
    ]);
    test.tell({ type: 'session.idle', session: 's1' }, 'run');
    test.core.lost('run');
    const over = [
      ['s2', true, 'i1'],
      ['s1', false, ''],
    ];
    expect(live()).toEqual(over);
    // The app starts anew: what it reads in its log says the same.
    const next = openTestCore(test.clock.nextLife());
    next.core.replay(test.log);
    next.core.connected(COMPANION);
    expect(look(next).sessions.map(({ session, isLive, instance }) => [session, isLive, instance])).toEqual(over);
    test.tell(prompted({ turn: 't3' }));
    expect(live().toSorted()).toEqual([
      ['s1', true, 'i1'],
      ['s2', true, 'i1'],
    ]);
  });
});

describe('given a model whose key was refused', () => {
  const refused: Evidence = { phase: 'body', status: 401, message: 'Incorrect API key provided' };
  const shown = (test: TestCore) => {
    const { models, events } = look(test);
    return [models.find(({ model }) => model === CHAIN[0])?.state, events.map(eventSentence)[0]];
  };

  it('when one more OpenCode opens the project, then it is no better; loaded anew, it may be asked, and is not called ready', () => {
    const test = openArmedCore();
    play(test, [prompted(), started(), failed('a1', refused)]);
    test.core.connected({ ...COMPANION, instance: 'i2' });
    test.tell(configured(), 'i2');
    expect(shown(test)[0]).toBe('blocked');
    test.tell({ type: 'scope.closed', directory: DIRECTORY });
    test.core.lost('i2');
    test.tell({ type: 'scope.closed', directory: DIRECTORY });
    test.core.connected({ ...COMPANION, instance: 'i3' });
    test.tell({ type: 'scope.closed', directory: DIRECTORY }, 'i3');
    test.tell(configured(), 'i3');
    const { models, events } = look(test);
    const row = models.find(({ model }) => model === CHAIN[0]);
    expect([row?.state, row && stateReason(row, 0), events.map(eventSentence)]).toEqual([
      'ready',
      'Available, but its only request failed, the last one refusing the API key (401).',
      expect.arrayContaining(['one can be used again: OpenCode started, or its configuration changed']),
    ]);
    expect(events.map(eventSentence)).not.toContain('one may be asked again');
  });
});

describe('given secrets in what a peer says', () => {
  it('when its error holds a key and its headers a cookie, then neither reaches the log or the picture', () => {
    const test = openArmedCore();
    const evidence: Evidence = {
      phase: 'body',
      status: 401,
      message: 'Incorrect API key provided: sk-proj-abcdefghijklmnop1234, ask bob@example.com',
      headers: { 'retry-after': '90', authorization: 'Bearer SECRETSECRET', 'set-cookie': 'session=SECRET' },
    };
    play(test, [prompted(), started(), failed('a1', evidence)]);
    const everything = JSON.stringify([test.log, look(test)]);
    expect(['sk-proj', 'SECRET', 'bob@example'].filter((secret) => everything.includes(secret))).toEqual([]);
    expect(look(test).models.find(({ model }) => model === CHAIN[0])?.lastFailure?.message).toBe(
      'Incorrect API key provided: [key], ask [e-mail]',
    );
  });
});

describe('given the log of an earlier life', () => {
  /** A life with switches, limits that end, resets and instances that come and go. */
  function live(): TestCore {
    const test = openArmedCore();
    play(test);
    test.clock.advance(6 * MINUTE);
    test.core.host.handlers['health.reset']({ target: { model: CHAIN[0] }, rev: look(test).rev, actor: 'panel' });
    test.tell(prompted({ turn: 't2', session: 's2', parentSession: 's1' }));
    test.tell(started({ attempt: 'b1', turn: 't2', session: 's2' }));
    test.tell(failed('b1', { phase: 'body', status: 503, message: 'down' }));
    test.core.connected({ ...COMPANION, instance: 'i2', epoch: 'e9', pid: 43 });
    test.core.lost('i1');
    test.clock.advance(500);
    return test;
  }
  /** What a replay cannot know: when it is looked at, and who is connected now. */
  const lasting = ({ rev, at, connection, instances, events, sessions, ...rest }: Snapshot) => ({
    ...rest,
    events: events.filter(({ code }) => !code.startsWith('instance.lost')).map(({ id, ...row }) => row),
    sessions: sessions.map(({ isLive, instance, ...row }) => row),
    instances: instances.map(({ status, since, ...row }) => row),
  });

  it('when it is replayed, then the picture is the one that was lived', () => {
    const before = live();
    const after = openTestCore(virtualClock(before.clock.now()));
    after.core.replay(before.log.map((record) => LogRecord.parse(JSON.parse(JSON.stringify(record)))));
    // Nobody is connected in the next life; then the last known chains are shown, as they are here without the second one.
    before.core.lost('i2');
    expect(lasting(look(after))).toEqual(lasting(look(before)));
    expect(look(after).instances.map(({ status }) => status)).toEqual(['lost', 'lost']);
  });

  it('when it is replayed, then nothing is written twice, only what the clocks say, and they still run', () => {
    const before = openArmedCore();
    play(before);
    const after = openTestCore(virtualClock(before.clock.now()));
    after.core.replay(before.log);
    expect(after.log.map(({ event }) => event.type)).toEqual(['clock.read']);
    after.clock.advance(5 * MINUTE);
    expect([stateOf(after, CHAIN[0]), codes(after).at(-1)]).toEqual(['resting', 'model.resting']);
  });

  it('when a limit ended while the app was away, then the next start knows', () => {
    const before = openArmedCore();
    play(before);
    const after = openTestCore(virtualClock(before.clock.now() + 20 * MINUTE));
    after.core.replay(before.log);
    expect([stateOf(after, CHAIN[0]), codes(after).at(-1)]).toEqual(['ready', 'model.ready']);
  });

  it('when its companion comes back, then it is asked only for what is new', () => {
    const before = openArmedCore();
    play(before);
    const after = openTestCore();
    after.core.replay(before.log);
    expect(after.core.connected(COMPANION)).toBe(7);
  });

  it('when the part in which the companion arrived is no longer kept, then nothing of the rest is counted twice', () => {
    const before = openArmedCore();
    play(before);
    const after = openTestCore();
    after.core.replay(before.log.filter(({ from }) => from !== null));
    const calls = look(after).models.map((row) => row.calls);
    expect(after.core.connected(COMPANION)).toBe(7);
    after.core.told('i1', { seq: 6, ageMs: 0, sentAt: START, event: started({ attempt: 'a2', model: CHAIN[1] }) });
    expect(look(after).models.map((row) => row.calls)).toEqual(calls);
  });

  it('when a record is of no known kind, then it does not pass', () => {
    const wrong = [{ v: 2 }, { v: 1, at: 1, from: null, event: { type: 'health.synced' } }, null];
    expect(wrong.map((record) => LogRecord.safeParse(record).success)).toEqual([false, false, false]);
  });
});
