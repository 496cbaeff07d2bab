import { afterEach, describe, expect, it, vi } from 'vitest';
import { type EngineEvent, type Evidence, type ModelId, standingOf } from '../../src/engine';
import { type Brain, createBrain } from '../../src/plugin/base/brain';
import type { CompanionEvent } from '../../src/protocol';
import { CHAIN, COMPANION, DIRECTORY, openTestCore, scopeOf, type TestCore } from '../core/virtual-core';

const HOUR = 3_600_000;
const LEASE = 600_000;
const CRASH: Evidence = { phase: 'body', status: 500, message: 'no' };

/** One OpenCode process: its brain, told the app as it happens, with the app's word on probes. */
function join(app: TestCore, instance: string): { brain: Brain; asked: ModelId[]; leave(): void } {
  const brain = createBrain(app.clock.now, () => 0.5, `life of ${instance}`);
  const asked: ModelId[] = [];
  app.core.connected({ ...COMPANION, instance, epoch: `life of ${instance}` });
  const stops = [
    brain.onEntry(({ seq, event }) =>
      app.core.told(instance, { seq, ageMs: 0, sentAt: app.clock.wall(), event: event as CompanionEvent }),
    ),
    app.core.onHealth(() => {
      const { health, seenSeq, rev } = app.core.syncFor(instance);
      if (app.core.isBehind(instance) && brain.sync(health, seenSeq, 0)) app.core.taken(instance, rev);
    }),
  ];
  brain.borrowFrom(async (model) => {
    asked.push(model);
    return app.core.lease(instance, model);
  });
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
  const leave = (): void => {
    for (const stop of stops) stop();
    brain.borrowFrom(null);
    app.core.lost(instance);
  };
  return { brain, asked, leave };
}

const prompt = (turn: string): EngineEvent => ({
  ...{ type: 'prompt.submitted', turn, session: `s-${turn}`, directory: DIRECTORY, agent: 'build', model: CHAIN[0] },
  ...{ hostLead: CHAIN[0], isExplicit: false },
});
const start = (turn: string, model: string = CHAIN[0]): EngineEvent => ({
  ...{
    type: 'attempt.started',
    attempt: `a-${turn}`,
    turn,
    session: `s-${turn}`,
    directory: DIRECTORY,
    agent: 'build',
  },
  ...{ model, purpose: 'turn' },
});
const succeed = (turn: string): EngineEvent => ({
  ...{ type: 'attempt.succeeded', attempt: `a-${turn}`, durationMs: 5, firstTokenMs: 1, outputChars: 9 },
});
const fail = (turn: string): EngineEvent => ({
  type: 'attempt.failed',
  attempt: `a-${turn}`,
  evidence: CRASH,
  durationMs: 5,
});

const LIMIT: Evidence = { phase: 'headers', status: 429, headers: { 'retry-after': '3600' }, message: 'slow down' };

/** Limits the lead for an hour, and lets that pass: nobody knows yet that it is over. */
function limitLead(brain: Brain, app: TestCore): void {
  for (const event of [prompt('x'), start('x'), { ...fail('x'), evidence: LIMIT } as EngineEvent]) brain.tell(event);
  app.clock.advance(HOUR);
}

/** Opens the lead's breaker, and lets its time pass: it is due for one probe. */
function wearOut(brain: Brain, app: TestCore): void {
  for (const turn of ['x', 'y', 'z']) for (const event of [prompt(turn), start(turn), fail(turn)]) brain.tell(event);
  app.clock.advance(HOUR);
}

/** A message for the lead as the companion carries it: first the lease, then the request. @returns where it went. */
async function ask(brain: Brain, turn: string): Promise<string> {
  await brain.returnFor(DIRECTORY, CHAIN[0]);
  const [first] = brain.tell(prompt(turn));
  if (first?.action.kind === 'redirect') return first.action.to;
  await brain.leaseFor(DIRECTORY, CHAIN[0]);
  const [decision] = brain.tell(start(turn));
  return decision && 'to' in decision.action ? decision.action.to : CHAIN[0];
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const leadIn = (brain: Brain) => standingOf(brain.state(), CHAIN[0], brain.now());

async function twoAtOneApp() {
  const app = openTestCore();
  const [one, two] = [join(app, 'one'), join(app, 'two')];
  wearOut(one.brain, app);
  await settled();
  return { app, one, two };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('given two OpenCode processes of one app, and a lead that is due for a probe', () => {
  it('when both want it at once, then one makes it and the other goes to the next model', async () => {
    const { one, two } = await twoAtOneApp();
    const went = await Promise.all([ask(one.brain, 't1'), ask(two.brain, 't2')]);
    expect(went).toEqual([CHAIN[0], CHAIN[1]]);
    expect([leadIn(one.brain).state, leadIn(two.brain).state]).toEqual(['probing', 'probing']);
  });

  it('when the probe is answered, then the lead is ready in the app and in both', async () => {
    const { app, one, two } = await twoAtOneApp();
    await Promise.all([ask(one.brain, 't1'), ask(two.brain, 't2')]);
    one.brain.tell(succeed('t1'));
    await settled();
    expect([leadIn(one.brain).state, leadIn(two.brain).state]).toEqual(['ready', 'ready']);
    expect(standingOf(app.core.state(), CHAIN[0], app.clock.now()).state).toBe('ready');
  });

  it('when the other tells something between lease and request, then the lease is not lost', async () => {
    const { app, one, two } = await twoAtOneApp();
    one.brain.tell(prompt('t1'));
    await one.brain.leaseFor(DIRECTORY, CHAIN[0]);
    for (const event of [prompt('t9'), start('t9', CHAIN[2]), fail('t9')]) two.brain.tell(event);
    await settled();
    expect(one.brain.tell(start('t1'))).toEqual([]);
    two.brain.tell(prompt('t8'));
    await settled();
    one.brain.tell(succeed('t1'));
    await settled();
    expect([leadIn(one.brain).state, standingOf(app.core.state(), CHAIN[0], app.clock.now()).state]).toEqual([
      'ready',
      'ready',
    ]);
  });

  it('when two sessions of one process want it, then the app is asked once and one of them makes it', async () => {
    const { one } = await twoAtOneApp();
    const went = await Promise.all([ask(one.brain, 't1'), ask(one.brain, 't2')]);
    expect([went, one.asked]).toEqual([[CHAIN[0], CHAIN[1]], [CHAIN[0]]]);
  });

  it('when the user stops a turn between lease and request, then the same process may have it again', async () => {
    const { one, two } = await twoAtOneApp();
    await one.brain.leaseFor(DIRECTORY, CHAIN[0]);
    expect([await ask(two.brain, 't2'), await ask(one.brain, 't1')]).toEqual([CHAIN[1], CHAIN[0]]);
  });

  it('when a process dies with the lease, then nobody has it for ten minutes, and then the next who asks', async () => {
    const { app, one, two } = await twoAtOneApp();
    await one.brain.leaseFor(DIRECTORY, CHAIN[0]);
    one.leave();
    app.clock.advance(LEASE - 1);
    const before = app.core.lease('two', CHAIN[0]);
    app.clock.advance(1);
    await settled();
    expect([before, await ask(two.brain, 't2')]).toEqual([false, CHAIN[0]]);
  });

  it('when the app restarts after the grant, then its log says whose the probe is', async () => {
    const { app, one } = await twoAtOneApp();
    await one.brain.leaseFor(DIRECTORY, CHAIN[0]);
    const again = openTestCore(app.clock);
    again.core.replay(app.log);
    for (const instance of ['one', 'two'])
      again.core.connected({ ...COMPANION, instance, epoch: `life of ${instance}` });
    expect([again.core.lease('two', CHAIN[0]), again.core.lease('one', CHAIN[0])]).toEqual([false, true]);
  });
});

describe('given models that no probe is due for', () => {
  it('when the lead is well or out, then nobody is asked', async () => {
    const app = openTestCore();
    const { brain, asked } = join(app, 'one');
    await brain.leaseFor(DIRECTORY, CHAIN[0]);
    for (const turn of ['x', 'y', 'z']) for (const event of [prompt(turn), start(turn), fail(turn)]) brain.tell(event);
    await brain.leaseFor(DIRECTORY, CHAIN[0]);
    expect([leadIn(brain).state, asked]).toEqual(['open', []]);
  });
});

describe('given an app that is away or silent', () => {
  it('when it is away, then each process probes alone', async () => {
    const { one, two } = await twoAtOneApp();
    for (const process of [one, two]) process.leave();
    expect([await ask(one.brain, 't1'), await ask(two.brain, 't2')]).toEqual([CHAIN[0], CHAIN[0]]);
  });

  it('when it says nothing for 250 ms, then the process probes alone and tells it afterwards', async () => {
    const { app, one } = await twoAtOneApp();
    one.brain.borrowFrom(() => new Promise(() => undefined));
    vi.useFakeTimers();
    const went = ask(one.brain, 't1');
    await vi.advanceTimersByTimeAsync(249);
    expect(leadIn(one.brain).state).not.toBe('probing');
    await vi.advanceTimersByTimeAsync(1);
    expect(await went).toBe(CHAIN[0]);
    expect(standingOf(app.core.state(), CHAIN[0], app.clock.now()).state).toBe('probing');
  });

  it('when asking fails, then the process probes alone', async () => {
    const { one } = await twoAtOneApp();
    one.brain.borrowFrom(() => Promise.reject(new Error('gone')));
    expect(await ask(one.brain, 't1')).toBe(CHAIN[0]);
  });
});

describe('given a lead whose limit has just ended', () => {
  const limited = () => {
    const app = openTestCore();
    const one = join(app, 'one');
    limitLead(one.brain, app);
    return { app, ...one };
  };

  it('when no other machine asks it first, then this one does, and asks no more once it was answered', async () => {
    const { brain, asked } = limited();
    expect(await ask(brain, 't1')).toBe(CHAIN[0]);
    brain.tell(succeed('t1'));
    expect([await ask(brain, 't2'), asked]).toEqual([CHAIN[0], [CHAIN[0]]]);
  });

  it('when another machine asks it first, then the turn goes to the next model, and five seconds later is asked for again', async () => {
    const { app, brain, asked } = limited();
    brain.borrowFrom(async (model) => {
      asked.push(model);
      return false;
    });
    expect([await ask(brain, 't1'), leadIn(brain)]).toMatchObject([CHAIN[1], { state: 'resting', use: 'last' }]);
    expect([await ask(brain, 't2'), asked.length]).toEqual([CHAIN[1], 1]);
    app.clock.advance(5_000);
    brain.borrowFrom(async () => true);
    expect(await ask(brain, 't3')).toBe(CHAIN[0]);
  });

  it('when it is answered elsewhere while leave is asked for, then it is asked here at once', async () => {
    const { app, brain } = limited();
    const two = join(app, 'two');
    brain.borrowFrom(async () => {
      for (const event of [prompt('t2'), start('t2'), succeed('t2')]) two.brain.tell(event);
      await settled();
      return false;
    });
    expect(await ask(brain, 't1')).toBe(CHAIN[0]);
  });
});
