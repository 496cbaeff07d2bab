import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ABILITIES, type EngineEvent, type Evidence, initialState, step } from '../../src/engine';
import { exportHealth, PRESETS } from '../../src/engine/tools';
import { nodeClock } from '../../src/node/base/clock';
import { type Brain, createBrain } from '../../src/plugin/base/brain';
import { CompanionEvent } from '../../src/protocol';
import { CHAIN, COMPANION, DIRECTORY, LIMITED, openTestCore, START, scopeOf, virtualClock } from '../core/virtual-core';

function openBrain() {
  const clock = virtualClock();
  const brain = createBrain(clock.now, () => 0.5);
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
  return { brain, clock };
}

const prompt = (turn = 't1'): EngineEvent => ({
  ...{ type: 'prompt.submitted', turn, session: 's1', directory: DIRECTORY, agent: 'build', model: CHAIN[0] },
  ...{ hostLead: CHAIN[0], isExplicit: false },
});
const start = (attempt: string, model: string, turn = 't1'): EngineEvent => ({
  ...{ type: 'attempt.started', attempt, turn, session: 's1', directory: DIRECTORY, agent: 'build', model },
  purpose: 'turn',
});
const fail = (attempt: string, evidence: Evidence = LIMITED): EngineEvent => ({
  type: 'attempt.failed',
  attempt,
  evidence,
  durationMs: 5,
});
const decidedIn = (brain: Brain) =>
  brain.since(1).map(({ event }) => [event.type, 'decided' in event ? event.decided : undefined]);

describe('given a brain whose alarm comes late', () => {
  it('when an event comes first, then what time has changed is told before it, at its own moments, and to nobody else', () => {
    const clock = virtualClock();
    const brain = createBrain(
      clock.now,
      () => 0.5,
      null,
      () => () => undefined,
    );
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
    brain.tell(prompt());
    brain.tell(start('a1', CHAIN[0]));
    brain.tell(fail('a1'));
    brain.tell({ ...start('a2', CHAIN[0]), purpose: 'internal' } as EngineEvent);
    clock.advance(3_600_000);
    const heard: unknown[] = [];
    brain.onStep(({ facts }, event) => heard.push(event.type, ...facts));
    const entries = brain.since(0).length;
    brain.tell(fail('a2'));
    expect(heard).toMatchObject([
      'attempt.failed',
      { from: 'cooling', to: 'resting', agoMs: 55 * 60_000 },
      { from: 'resting', to: 'ready', agoMs: 45 * 60_000 },
      { type: 'attempt.ended' },
      { from: 'ready', to: 'cooling' },
    ]);
    expect(brain.since(0).length).toBe(entries + 1);
  });
});

describe('given a brain that is told a turn', () => {
  it('when the lead fails, then each entry has its number, its time, and what was decided', () => {
    const { brain, clock } = openBrain();
    brain.tell(prompt());
    clock.advance(10);
    brain.tell(start('a1', CHAIN[0]));
    clock.advance(5);
    const [decision] = brain.tell(fail('a1'));
    expect(decision?.action).toEqual({ kind: 'switch', from: CHAIN[0], to: CHAIN[1], position: 1 });
    expect(brain.since(0).map(({ seq, at }) => [seq, at - brain.now()])).toEqual([
      [1, -15],
      [2, -15],
      [3, -5],
      [4, 0],
    ]);
    expect(decidedIn(brain)).toEqual([
      ['prompt.submitted', { kind: 'keep', to: CHAIN[0], code: 'keep.lead' }],
      ['attempt.started', { kind: 'keep', code: 'keep.lead' }],
      ['attempt.failed', { kind: 'switch', to: CHAIN[1], code: 'switch.rate_limit' }],
    ]);
  });

  it('when a short limit is waited for, then the wait is told too', () => {
    const { brain } = openBrain();
    brain.tell(prompt());
    brain.tell(start('a1', CHAIN[0]));
    brain.tell(fail('a1', { ...LIMITED, headers: { 'retry-after-ms': '1500' } }));
    expect(decidedIn(brain).at(-1)).toEqual([
      'attempt.failed',
      { kind: 'hold', to: CHAIN[0], waitMs: 1_500, code: 'hold.rate_limit' },
    ]);
  });

  it('when OpenCode’s own request fails, then nothing was decided and nothing is claimed', () => {
    const { brain } = openBrain();
    brain.tell(prompt());
    brain.tell({ ...start('a1', CHAIN[0]), purpose: 'internal' } as EngineEvent);
    brain.tell(fail('a1'));
    expect(decidedIn(brain).at(-1)).toEqual(['attempt.failed', undefined]);
  });

  it('when it is asked for what follows a number, then only that is given, and listeners hear each once', () => {
    const { brain } = openBrain();
    const heard: number[] = [];
    const stop = brain.onEntry(({ seq }) => heard.push(seq));
    brain.tell(prompt());
    brain.tell(start('a1', CHAIN[0]));
    stop();
    brain.tell(fail('a1'));
    expect([brain.since(2).map(({ seq }) => seq), brain.since(9), heard]).toEqual([[3, 4], [], [2, 3]]);
  });

  it('when 2,500 things happen, then the newest 2,000 are kept, and the configuration', () => {
    const { brain } = openBrain();
    for (let at = 0; at < 2_499; at++) brain.tell({ type: 'session.idle', session: 's1' });
    const kept = brain.since(0);
    // The configuration was told first, and an app that appears late needs it all the same.
    expect([kept.length, kept[0]?.event.type, kept[1]?.seq, kept.at(-1)?.seq]).toEqual([
      2_001,
      'scope.configured',
      501,
      2_500,
    ]);
  });

  it('when an error repeats a key and names other headers, then neither is journalled', () => {
    const { brain } = openBrain();
    brain.tell(prompt());
    brain.tell(start('a1', CHAIN[0]));
    const headers = { 'retry-after': '90', 'set-cookie': 'session=SECRET' };
    brain.tell(fail('a1', { phase: 'body', status: 401, message: 'Bad key sk-abcdefghijklmnop', headers }));
    expect(brain.since(3)[0]?.event).toMatchObject({
      evidence: { message: 'Bad key [key]', headers: { 'retry-after': '90' } },
    });
    expect(JSON.stringify(brain.since(0))).not.toMatch(/sk-abc|SECRET/);
  });
});

describe('given the app’s view of health', () => {
  /** What an app would say that has seen the lead limited. */
  function limitedHealth() {
    const { brain } = openBrain();
    brain.tell(prompt());
    brain.tell(start('a1', CHAIN[0]));
    brain.tell(fail('a1'));
    return exportHealth(brain.state(), brain.now());
  }

  it('when the app has heard everything, then its view is taken', () => {
    const { brain } = openBrain();
    brain.sync(limitedHealth(), 1, 0);
    expect(exportHealth(brain.state(), brain.now())).toEqual(limitedHealth());
    expect(brain.tell(prompt())[0]?.action.kind).toBe('redirect');
  });

  it.each([
    ['one entry behind', 1],
    ['new and has heard nothing', null],
  ])('when the app is %s, then its view waits', (_, seenSeq) => {
    const { brain } = openBrain();
    brain.tell(prompt());
    brain.sync(limitedHealth(), seenSeq, 0);
    expect(exportHealth(brain.state(), brain.now())).toMatchObject({ models: [], providers: [] });
  });

  it('when nothing has happened here yet, then a view is taken without an acknowledgement', () => {
    const clock = virtualClock();
    const brain = createBrain(clock.now, () => 0.5);
    brain.sync(limitedHealth(), null, 0);
    expect(exportHealth(brain.state(), brain.now())).toEqual(limitedHealth());
  });

  it('when it is taken, then nothing is journalled: the app knows', () => {
    const { brain } = openBrain();
    brain.sync(limitedHealth(), 1, 0);
    expect(brain.since(1)).toEqual([]);
  });
});

describe('given anything that can happen to a companion', () => {
  const EVIDENCE: readonly Evidence[] = [
    LIMITED,
    { ...LIMITED, headers: { 'retry-after-ms': '20' } },
    { ...LIMITED, headers: { 'retry-after': '90' } },
    { phase: 'body', status: 503, message: 'down' },
    { phase: 'body', status: 401, message: 'key' },
    { phase: 'body', status: 400, message: 'bad' },
    { phase: 'body', status: 429, code: 'insufficient_quota', message: `${'long '.repeat(200)} try again in 5h` },
    { phase: 'headers', code: 'ECONNREFUSED', message: 'refused' },
    { phase: 'stream', observed: 'stream_interrupted', outputChars: 7 },
    { phase: 'watchdog', observed: 'timeout' },
  ];
  const op = fc.record({
    act: fc.constantFrom('prompt', 'start', 'start', 'fail', 'fail', 'succeed', 'abort', 'idle', 'close', 'carried'),
    turn: fc.constantFrom('t1', 't2'),
    model: fc.constantFrom(...CHAIN),
    attempt: fc.nat(5),
    evidence: fc.constantFrom(...EVIDENCE),
    purpose: fc.constantFrom('turn' as const, 'turn' as const, 'internal' as const),
    afterMs: fc.constantFrom(0, 3, 1_000, 70_000, 400_000, 4_000_000),
  });
  type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;

  function eventOf({ act, turn, model, attempt, evidence, purpose }: Op): EngineEvent {
    const id = `a${attempt}`;
    const done = { attempt: id, durationMs: 1 };
    switch (act) {
      case 'prompt':
        return { ...(prompt(turn) as Extract<EngineEvent, { type: 'prompt.submitted' }>), model };
      case 'start':
        return { ...(start(id, model, turn) as Extract<EngineEvent, { type: 'attempt.started' }>), purpose };
      case 'fail':
        return fail(id, evidence);
      case 'succeed':
        return { type: 'attempt.succeeded', ...done, firstTokenMs: 1, outputChars: 3 };
      case 'abort':
        return { type: 'attempt.aborted', attempt: id };
      case 'carried':
        return { type: 'switch.carried', turn, from: model, ok: attempt > 2, durationMs: 2 };
      case 'idle':
        return { type: 'session.idle', session: 's1' };
      default:
        return { type: 'session.closed', session: 's1' };
    }
  }

  it('when the app is told what happened, later and all at once, then both end with the same health', () => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 40 }), (ops) => {
        const { brain, clock } = openBrain();
        for (const one of ops) {
          clock.advance(one.afterMs);
          brain.tell(eventOf(one));
        }
        const { core } = openTestCore(clock);
        core.connected(COMPANION);
        for (const { seq, at, event } of brain.since(0))
          core.told('i1', { seq, ageMs: clock.now() - at, sentAt: clock.wall(), event: CompanionEvent.parse(event) });
        expect(core.syncFor('i1')).toEqual({
          seenSeq: ops.length + 1,
          rev: expect.any(Number),
          sentAt: clock.wall(),
          health: exportHealth(brain.state(), brain.now()),
        });
      }),
    );
  });

  it('when it is stepped by hand, then the brain’s state is the engine’s', () => {
    const { brain, clock } = openBrain();
    brain.tell(prompt());
    const first = step(
      initialState,
      { type: 'scope.configured', directory: DIRECTORY, config: scopeOf() },
      clock.now(),
      0.5,
    );
    const second = step(first.state, prompt(), clock.now(), 0.5);
    expect([brain.state(), exportHealth(brain.state(), brain.now())]).toEqual([
      second.state,
      exportHealth(second.state, clock.now()),
    ]);
  });
});

describe('given the clock of a process', () => {
  it('when it is read twice, then it is near the wall clock and never runs back', () => {
    const { now } = nodeClock();
    const first = now();
    expect([Math.abs(first - Date.now()) < 1_000, now() >= first]).toEqual([true, true]);
  });
});

describe('given a brain whose lead is limited for 5 min', () => {
  it('when that is over, then one timer has told it without any event from outside, and none is left', () => {
    const clock = virtualClock();
    const brain = createBrain(clock.now, () => 0.5, null, clock.schedule);
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
    for (const event of [prompt(), start('a1', CHAIN[0]), fail('a1')]) brain.tell(event);
    const heard: unknown[] = [];
    brain.onStep(({ facts }, { type }) => {
      for (const fact of facts) if (fact.type === 'model.changed') heard.push([type, clock.now() - START, fact.to]);
    });
    expect(clock.waiting()).toBe(1);
    clock.advance(3_600_000);
    expect([heard, clock.waiting()]).toEqual([
      [
        ['tick', 300_000, 'resting'],
        ['tick', 900_000, 'ready'],
      ],
      0,
    ]);
  });
});

describe('given a brain whose speaker asks', () => {
  function asking(clock = virtualClock()) {
    const brain = createBrain(clock.now, () => 0.5, 'e1', clock.schedule);
    const agents = { build: { chain: CHAIN, policy: PRESETS.council } };
    brain.tell({
      type: 'scope.configured',
      directory: DIRECTORY,
      config: { ...scopeOf(), agents, abilities: ABILITIES },
    });
    for (const event of [prompt(), start('a1', CHAIN[0]), fail('a1', { phase: 'body', status: 401 })])
      brain.tell(event);
    return { brain, question: `t1|${CHAIN[0]}` };
  }

  it('when the answer comes from the app, then listeners hear what came of it, and the app is not told its own word', () => {
    const { brain, question } = asking();
    const heard: string[] = [];
    const stop = brain.onStep(({ decisions }) => heard.push(...decisions.map(({ code }) => code)));
    const before = brain.since(0).length;
    brain.act({ type: 'question.answered', question, yes: true, actor: 'panel' });
    stop();
    expect([heard, brain.since(0).length - before]).toEqual([['switch.auth'], 0]);
  });

  it('when the time of the question is over with a request of another turn, then that request goes, here and for the app', () => {
    const clock = virtualClock();
    const { brain } = asking({ ...clock, schedule: () => () => undefined });
    clock.advance(61_000);
    const other = brain.decide(start('b1', CHAIN[1], 't2') as Parameters<Brain['decide']>[0]);
    expect([other, decidedIn(brain).at(-1)]).toEqual([
      undefined,
      ['attempt.started', { kind: 'keep', code: 'keep.lead' }],
    ]);
  });

  it('when it is answered here, then the app hears which question was meant', () => {
    const { brain, question } = asking();
    const [decision] = brain.tell({ type: 'question.answered', yes: true, actor: 'opencode' });
    const told = brain.since(0).at(-1)?.event;
    expect([decision?.code, told, CompanionEvent.safeParse(told).success]).toEqual([
      'switch.auth',
      { type: 'question.answered', question, yes: true, actor: 'opencode' },
      true,
    ]);
  });

  it('when nobody answers and no app runs, then its own alarm nudges at 30 s and skips at 60 s', () => {
    const clock = virtualClock();
    const { brain } = asking(clock);
    const heard: string[] = [];
    brain.onStep(({ facts, decisions }) => {
      const codes = [...facts.map(({ type }) => type), ...decisions.map(({ code }) => code)];
      for (const code of codes) heard.push(`${(clock.now() - START) / 1_000} s ${code}`);
    });
    clock.advance(90_000);
    expect(heard).toEqual([
      '30 s question.nudged',
      '60 s question.skipped',
      '60 s speaker.degraded',
      '60 s session.paused',
      '60 s skipped.auth',
    ]);
    expect(clock.waiting()).toBe(0);
  });

  it('when the clock ticks or the machine wakes up, then the app is not told: it has a clock of its own', () => {
    const { brain } = asking();
    const before = brain.since(0).length;
    brain.tell({ type: 'tick' });
    brain.tell({ type: 'host.resumed', asleepMs: 5_000 });
    expect(brain.since(0).length).toBe(before);
  });

  it('when a request leaves, then the app hears whose life it is', () => {
    expect(
      asking()
        .brain.since(0)
        .find(({ event }) => event.type === 'attempt.started')?.event,
    ).toMatchObject({
      epoch: 'e1',
    });
  });
});
