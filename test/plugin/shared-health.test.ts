import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Evidence, initialState, type SeenWindow, type SyncedHealth, standingOf } from '../../src/engine';
import { initialHealth, type Limit } from '../../src/engine/health/health';
import { entries, exportHealth, FLAPPING } from '../../src/engine/tools';
import { keepHealth } from '../../src/node/data/health-keeper';
import { createBrain } from '../../src/plugin/base/brain';
import { shareHealth } from '../../src/plugin/stores/shared-health';
import { CHAIN, DIRECTORY, scopeOf, type VirtualClock, virtualClock } from '../core/virtual-core';
import { planAt } from '../engine/headroom/seen';
import { tempFolder } from '../node/temp-folder';

const HOUR = 3_600_000;
const [LEAD] = CHAIN;
const LIMITED: Evidence = { phase: 'body', status: 429, headers: { 'retry-after': '3600' } };
const REFUSED: Evidence = { phase: 'body', status: 401, message: 'Incorrect API key provided' };
const CRASH: Evidence = { phase: 'body', status: 500, message: 'no' };

/** One OpenCode process on a wall clock it shares, with an engine clock of its own. */
function opened(home: string, clock: VirtualClock, offsetMs = 0) {
  const told: string[] = [];
  let now = (): number => clock.now() - offsetMs;
  const brain = createBrain(
    () => now(),
    () => 0.5,
    `life ${offsetMs}`,
  );
  const sharing = shareHealth(brain, { home, warn: (message) => told.push(message), clock });
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
  let turns = 0;
  const start = (model: string = LEAD, purpose: 'turn' | 'internal' = 'turn'): { turn: string; attempt: string } => {
    const turn = `t${turns++}`;
    const about = { turn, session: 's1', directory: DIRECTORY, agent: 'build', model };
    brain.tell({ type: 'prompt.submitted', ...about, hostLead: LEAD, isExplicit: false });
    brain.tell({ type: 'attempt.started', ...about, attempt: `a-${turn}`, purpose });
    return { turn, attempt: `a-${turn}` };
  };
  return {
    brain,
    sharing,
    told,
    start,
    fail(evidence: Evidence, { attempt } = start()): void {
      brain.tell({ type: 'attempt.failed', attempt, evidence, durationMs: 5 });
    },
    succeed({ attempt } = start()): void {
      brain.tell({ type: 'attempt.succeeded', attempt, durationMs: 5, firstTokenMs: 1, outputChars: 9 });
    },
    /** The response of a request says how full a plan is that begins anew in an hour. */
    hear(used: number, { attempt }: { attempt: string }): void {
      const window: SeenWindow = {
        ...{ id: 'unified-5h', unit: 'share', lengthMs: 5 * HOUR, of: 'account', used, limit: null, remaining: null },
        ...{ resetInMs: HOUR, refills: 'at_reset', charges: 'used' },
      };
      brain.tell({ type: 'headroom.seen', attempt, directory: DIRECTORY, model: LEAD, windows: [window] });
    },
    lead: () => {
      const { state, until } = standingOf(brain.state(), LEAD, brain.now());
      return [state, until === null ? null : Math.round(until - brain.now())];
    },
    /** From now on its engine's clock lags behind the wall by so much more, as after a sleep. */
    sleep(ms: number): void {
      const before = now;
      now = () => before() - ms;
    },
  };
}

describe('given a model that the rule against flapping holds, and no app', () => {
  it('when the file is written, then it has the hold with its end, and another process takes it in', async () => {
    const home = await tempFolder();
    const clock = virtualClock();
    const one = opened(home, clock);
    for (let turns = 0; turns < 4 && one.lead()[0] !== 'held'; turns++) {
      for (let failures = 0; failures < 3; failures++) one.fail(CRASH, one.start(LEAD, 'internal'));
      one.brain.tell({ type: 'health.reset', target: { model: LEAD }, actor: 'test' });
    }
    if (one.lead()[0] !== 'held')
      one.brain.tell({ type: 'health.held', model: LEAD, state: 'open', forMs: 600_000, actor: FLAPPING });
    expect(one.lead()).toEqual(['held', 600_000]);
    one.fail(LIMITED, one.start(CHAIN[1], 'internal'));
    await one.sharing.flush();
    const two = opened(home, clock, 1_000);
    await two.sharing.refresh();
    expect(two.lead()).toEqual(['held', 600_000]);
  });
});

describe('given two OpenCode processes and no app', () => {
  it('when one finds its lead limited for an hour, then the other knows before its next decision', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock, 0.25), opened(home, clock, 40_000.75)];
    one.fail(LIMITED);
    await one.sharing.flush();
    clock.advance(1_000);
    await other.sharing.refresh();
    expect([one.lead(), other.lead()]).toEqual([
      ['cooling', HOUR - 1_000],
      ['cooling', HOUR - 1_000],
    ]);
  });

  it('when one hears that a plan is at 97 %, then the other moves before that limit with its next message', async () => {
    const home = await tempFolder();
    const clock = virtualClock();
    const [one, other] = [opened(home, clock), opened(home, clock, 5_000)];
    for (const { brain } of [one, other])
      brain.tell({
        ...{ type: 'scope.configured', directory: DIRECTORY },
        config: { ...scopeOf(), headroom: { act: 'move', moveAt: 0.97 } },
      });
    one.hear(0.97, one.start());
    await one.sharing.flush();
    await other.sharing.refresh();
    const about = { turn: 'next', session: 's2', directory: DIRECTORY, agent: 'build', model: LEAD };
    const decide = () => other.brain.decide({ type: 'prompt.submitted', ...about, hostLead: LEAD, isExplicit: false });
    expect(decide()).toMatchObject({
      ...{ code: 'headroom.plan', action: { kind: 'redirect', to: CHAIN[1] } },
      short: { used: 0.97, until: other.brain.now() + HOUR },
    });
    // What a person has forgotten does not come back out of the file.
    other.brain.tell({ type: 'health.reset', target: { model: LEAD }, actor: 'cli' });
    await other.sharing.flush();
    await one.sharing.refresh();
    await other.sharing.refresh();
    expect([one, other].map(({ brain }) => entries(brain.state().windows).flatMap(([, list]) => list).length)).toEqual([
      0, 0,
    ]);
  });

  it('when a process starts later, then it remembers what the one before it found out', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const gone = opened(home, clock);
    gone.fail(LIMITED);
    await gone.sharing.flush();
    clock.advance(HOUR / 2);
    const next = opened(home, clock, HOUR / 2);
    await next.sharing.refresh();
    expect(next.lead()).toEqual(['cooling', HOUR / 2]);
  });

  it('when one has its key refused, then the other knows, and a process that starts afterwards asks again', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock), opened(home, clock, 5)];
    clock.advance(1_000);
    one.fail(REFUSED);
    await one.sharing.flush();
    clock.advance(1_000);
    const next = opened(home, clock, 9);
    await Promise.all([other.sharing.refresh(), next.sharing.refresh()]);
    expect([other.lead()[0], next.lead()[0]]).toEqual(['blocked', 'ready']);
  });

  it('when a model that is out for both answers one of them, then it is well for both', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock), opened(home, clock, 5)];
    other.fail(LIMITED);
    await other.sharing.flush();
    await one.sharing.refresh();
    clock.advance(500);
    // OpenCode's own requests are not held back.
    one.succeed(one.start(LEAD, 'internal'));
    await one.sharing.flush();
    await other.sharing.refresh();
    expect([one.lead(), other.lead()]).toEqual([
      ['ready', null],
      ['ready', null],
    ]);
  });

  it('when one is answered by a request of before the other met a limit, then that limit counts for both', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock, 0.25), opened(home, clock, 5.5)];
    one.fail({ ...LIMITED, headers: { 'retry-after': '400' } });
    await one.sharing.flush();
    // The old limit is over, and still there.
    clock.advance(HOUR / 2);
    const sent = one.start();
    clock.advance(1_000);
    other.fail(LIMITED);
    await other.sharing.flush();
    clock.advance(1_000);
    one.succeed(sent);
    await one.sharing.flush();
    const third = opened(home, clock, 9);
    for (const each of [third, other, one]) await each.sharing.refresh();
    const left = ['cooling', HOUR - 1_000];
    expect([one.lead(), other.lead(), third.lead()]).toEqual([left, left, left]);
  });

  it('when both write and read in turns, then every failure counts once and no moment moves', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock, 0.125), opened(home, clock, 123.456)];
    one.fail(CRASH);
    await one.sharing.flush();
    clock.advance(10);
    await other.sharing.refresh();
    other.fail(CRASH);
    await other.sharing.flush();
    for (let round = 0; round < 5; round++) {
      await one.sharing.refresh();
      await other.sharing.refresh();
    }
    const failures = ({ brain }: typeof one) => {
      const [, health] = exportHealth(brain.state(), brain.now()).models.find(([model]) => model === LEAD) ?? [];
      return health?.breaker.kind === 'closed' ? health.breaker.failures.map(Math.round) : null;
    };
    expect([failures(one), failures(other)]).toEqual([
      [-10, 0],
      [-10, 0],
    ]);
  });

  it('when the machine slept for an hour, then the cooldown is over, and the others are told no other time', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock), opened(home, clock, 5)];
    one.fail({ ...LIMITED, headers: { 'retry-after': '5400' } });
    await one.sharing.flush();
    clock.advance(HOUR);
    one.sleep(HOUR);
    await one.sharing.refresh();
    one.fail(CRASH, one.start('spare/two'));
    await one.sharing.flush();
    await other.sharing.refresh();
    expect([one.lead(), other.lead()]).toEqual([
      ['cooling', HOUR / 2],
      ['cooling', HOUR / 2],
    ]);
  });
});

describe.each<[string, number]>([
  ['a day back', -24 * HOUR],
  ['5 hours ahead', 5 * HOUR],
])('given a lead that is out for an hour and a wall clock that is set %s', (_, byMs) => {
  it('when the process that found it out goes on, then an hour is left, for it and for the next one', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const one = opened(home, clock);
    one.fail(LIMITED);
    await one.sharing.flush();
    clock.set(byMs);
    await one.sharing.refresh();
    const next = opened(home, clock, 7_000);
    await next.sharing.refresh();
    expect([one.lead(), next.lead()]).toEqual([
      ['cooling', HOUR],
      ['cooling', HOUR],
    ]);
  });

  it('when it has answered since, then it is well for both: what was cleared before is not in force again', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock), opened(home, clock, 5)];
    one.fail(LIMITED);
    await one.sharing.flush();
    await other.sharing.refresh();
    clock.set(byMs);
    clock.advance(500);
    one.succeed(one.start(LEAD, 'internal'));
    await one.sharing.flush();
    await other.sharing.refresh();
    await other.sharing.flush();
    await one.sharing.refresh();
    expect([one.lead()[0], other.lead()[0]]).toEqual(['ready', 'ready']);
  });

  it('when only its file is left, then the next process waits for as long as it would have', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const gone = opened(home, clock);
    gone.fail(LIMITED);
    await gone.sharing.flush();
    clock.advance(HOUR / 4);
    clock.set(byMs);
    const next = opened(home, clock.nextLife());
    await next.sharing.refresh();
    expect(next.lead()).toEqual(['cooling', (3 * HOUR) / 4]);
  });

  it('when an app wrote the file, then so it is for who reads it', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const brain = createBrain(clock.now, () => 0.5);
    const keeper = keepHealth(
      { state: brain.state, onHealth: (listener) => brain.onStep(listener) },
      { home, clock, warn: (message) => expect.fail(message) },
    );
    const source = opened(await tempFolder(), clock);
    source.fail(LIMITED);
    brain.adopt(exportHealth(source.brain.state(), clock.now()));
    await keeper.close();
    clock.set(byMs);
    const next = opened(home, clock.nextLife());
    await next.sharing.refresh();
    expect(next.lead()).toEqual(['cooling', HOUR]);
  });
});

describe('given processes of a machine that is in a fleet, without an app', () => {
  it('when another machine has seen a limit end, then it has ended for who begins later, and one that is found after that counts', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other, fresh] = [opened(home, clock), opened(home, clock, 5), opened(home, clock, 7)];
    one.fail(LIMITED);
    await one.sharing.flush();
    await other.sharing.refresh();
    clock.advance(1_000);
    one.sharing.ended([[LEAD, { limit: one.brain.now() }]]);
    one.brain.act({ type: 'fleet.heard', health: { models: [[LEAD, initialHealth]], providers: [] } });
    await one.sharing.flush();
    for (const each of [other, fresh]) await each.sharing.refresh();
    expect([one.lead()[1], other.lead()[1], fresh.lead()[1]]).toEqual([null, null, null]);
    clock.advance(1_000);
    other.fail(LIMITED);
    await other.sharing.flush();
    for (const each of [one, fresh]) await each.sharing.refresh();
    expect([one.lead(), fresh.lead()]).toEqual([
      ['cooling', HOUR],
      ['cooling', HOUR],
    ]);
  });
});

describe('given a machine that sleeps', () => {
  it('when it wakes up, then failures counted before that count on', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock), opened(home, clock, 5)];
    const unreachable: Evidence = { phase: 'headers', code: 'ECONNREFUSED', message: 'Unable to connect' };
    one.fail(unreachable);
    clock.advance(60_000);
    one.sleep(60_000);
    await one.sharing.refresh();
    one.succeed(one.start('spare/two'));
    await one.sharing.flush();
    await other.sharing.refresh();
    const [, health] =
      exportHealth(other.brain.state(), other.brain.now()).providers.find(([name]) => name === 'lead') ?? [];
    expect(health?.breaker).toMatchObject({ kind: 'closed', failures: [expect.closeTo(-60_000, 0)] });
  });
});

describe('given an app that comes and goes', () => {
  const NOTHING = { models: [], providers: [] };
  const fileIn = (home: string) => readFile(join(home, 'health.json'), 'utf8');
  /** An app has said its word. */
  const tell = ({ brain, sharing }: ReturnType<typeof opened>, health: SyncedHealth): void => {
    sharing.join();
    expect(brain.sync(health, 99, 0)).toBe(true);
    sharing.told();
  };
  /** What an app does with the file while it knows what a brain knows. */
  const appOn = (home: string, clock: VirtualClock, brain = createBrain(clock.now, () => 0.5)) =>
    keepHealth(
      { state: brain.state, onHealth: (listener) => brain.onStep(listener) },
      { home, clock, warn: (message) => expect.fail(message) },
    );

  it('when it is there, then no companion writes; when it goes, then each writes what it knows', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock), opened(home, clock, 5)];
    one.fail(LIMITED);
    await one.sharing.flush();
    const before = await fileIn(home);
    tell(one, NOTHING);
    one.fail(CRASH);
    await one.sharing.flush();
    expect(await fileIn(home)).toBe(before);
    one.sharing.resume();
    await one.sharing.flush();
    await other.sharing.refresh();
    expect([other.lead()[0], one.lead()[0]]).toEqual(['cooling', 'cooling']);
  });

  it('when its word has not come yet, then a process that has just started decides by what it keeps in the file', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [knowing, fresh] = [opened(await tempFolder(), clock), opened(home, clock, 7)];
    const app = appOn(home, clock, knowing.brain);
    knowing.fail(LIMITED);
    await app.close();
    fresh.sharing.join();
    await fresh.sharing.refresh();
    expect(fresh.lead()).toEqual(['cooling', HOUR]);
  });

  it('when nothing but the fill of a plan is new to it, then a process that has just started knows that, too', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [knowing, fresh] = [opened(await tempFolder(), clock), opened(home, clock, 7)];
    const app = appOn(home, clock, knowing.brain);
    await expect.poll(() => fileIn(home)).toContain('"app":true');
    const windows = [planAt(0.98)];
    knowing.brain.tell({ type: 'headroom.seen', attempt: null, directory: DIRECTORY, model: LEAD, windows });
    await app.close();
    fresh.sharing.join();
    await fresh.sharing.refresh();
    expect(entries(fresh.brain.state().windows)).toMatchObject([['lead', [{ used: 0.98 }]]]);
  });

  const isolated = { type: 'health.isolated', model: LEAD, actor: 'panel' } as const;
  const next = ({ brain }: ReturnType<typeof opened>, turn: string) => {
    const who = { turn, session: 's1', directory: DIRECTORY, agent: 'build', model: LEAD } as const;
    return brain.tell({ type: 'prompt.submitted', ...who, hostLead: LEAD, isExplicit: false })[0];
  };

  it.each([0, 900, 1_100, 5_000])(
    'when its word has not come after %i ms, then what people have said of a model is heeded before the first decision',
    async (ms) => {
      const [home, clock] = [await tempFolder(), virtualClock()];
      const [knowing, fresh] = [opened(await tempFolder(), clock), opened(home, clock, 7)];
      const app = appOn(home, clock, knowing.brain);
      knowing.brain.tell(isolated);
      await app.close();
      fresh.sharing.join();
      clock.advance(ms);
      await fresh.sharing.refresh();
      expect(next(fresh, 't1')?.action).toMatchObject({ kind: 'redirect', to: CHAIN[1] });
      // Its word, once it has come, is what counts.
      tell(fresh, { ...NOTHING, manual: [], pins: [], pause: null });
      expect(next(fresh, 't2')?.action).toMatchObject({ to: LEAD });
    },
  );

  it('when a person has held a model, pinned an agent and paused switching, then each lasts as long as they said', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [knowing, fresh] = [opened(await tempFolder(), clock, 0.25), opened(home, clock, 7.5)];
    const app = appOn(home, clock, knowing.brain);
    const [second = ''] = CHAIN.slice(1);
    const about = { actor: 'panel', forMs: HOUR } as const;
    knowing.brain.tell({ type: 'agent.pinned', directory: DIRECTORY, agent: 'build', model: second, ...about });
    knowing.brain.tell({ type: 'health.held', model: LEAD, state: 'open', ...about });
    knowing.brain.tell({ type: 'switching.paused', actor: 'panel', forMs: HOUR / 2 });
    await app.close();
    clock.advance(HOUR / 4);
    await fresh.sharing.refresh();
    const codes = () => [next(fresh, `t${clock.now()}`)?.code, fresh.lead()];
    expect(codes()).toEqual(['keep.paused', ['held', (3 * HOUR) / 4]]);
    clock.advance(HOUR / 4);
    expect(codes()).toEqual(['redirect.pinned', ['held', HOUR / 2]]);
    clock.advance(HOUR / 2);
    expect(codes()).toEqual(['home.ready', ['unseen', null]]);
  });

  it('when a person takes back what they said before its word has come, then that is heeded too', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [knowing, fresh] = [opened(await tempFolder(), clock), opened(home, clock, 7)];
    const app = appOn(home, clock, knowing.brain);
    knowing.brain.tell(isolated);
    await expect.poll(() => fileIn(home).catch(() => '')).toContain('panel');
    fresh.sharing.join();
    await fresh.sharing.refresh();
    expect(fresh.lead()[0]).toBe('held');
    knowing.brain.tell({ ...isolated, type: 'health.released' });
    await app.close();
    await fresh.sharing.refresh();
    expect(fresh.lead()[0]).toBe('unseen');
  });

  it('when it has gone and others write the file, then what people said last stays in it', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [knowing, one, fresh] = [opened(await tempFolder(), clock), opened(home, clock, 3), opened(home, clock, 7)];
    const app = appOn(home, clock, knowing.brain);
    knowing.brain.tell(isolated);
    await app.close();
    await one.sharing.refresh();
    one.fail(LIMITED, one.start('spare/two'));
    await one.sharing.flush();
    await fresh.sharing.refresh();
    expect([fresh.lead()[0], JSON.parse(await fileIn(home)).app]).toEqual(['held', undefined]);
  });

  it.each([
    ['an older version wrote it, which says nothing of people', undefined],
    [
      'what it says of people has a shape we do not know',
      { manual: [[LEAD, { isolatedBy: 'me' }]], pins: [], pause: null },
    ],
  ])('when %s, then its health counts', async (_, said) => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [knowing, fresh] = [opened(await tempFolder(), clock), opened(home, clock, 7)];
    const app = appOn(home, clock, knowing.brain);
    knowing.fail(LIMITED);
    knowing.brain.tell({ ...isolated, model: 'spare/two' });
    await app.close();
    const whole = JSON.parse(await fileIn(home));
    await writeFile(join(home, 'health.json'), JSON.stringify({ ...whole, said }), { mode: 0o600 });
    await fresh.sharing.refresh();
    expect([fresh.lead(), standingOf(fresh.brain.state(), 'spare/two', fresh.brain.now()).state, fresh.told]).toEqual([
      ['cooling', HOUR],
      'unseen',
      [],
    ]);
  });

  it('when it has heard that a model is well again, then its file says so too', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [knowing, one, fresh] = [opened(await tempFolder(), clock), opened(home, clock), opened(home, clock, 7)];
    one.fail(LIMITED);
    await one.sharing.flush();
    const app = appOn(home, clock, knowing.brain);
    knowing.fail(LIMITED);
    clock.advance(1_000);
    knowing.succeed(knowing.start(LEAD, 'internal'));
    await app.close();
    fresh.sharing.join();
    await fresh.sharing.refresh();
    expect(fresh.lead()).toEqual(['ready', null]);
  });

  it('when it forgets everything, then nothing of it stays in the file', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const knowing = opened(await tempFolder(), clock);
    let state = knowing.brain.state();
    let look = (): void => undefined;
    const onHealth = (listener: () => void) => {
      look = listener;
      return () => undefined;
    };
    const app = keepHealth({ state: () => state, onHealth }, { home, clock, warn: (text) => expect.fail(text) });
    // It has failed, and is well: nothing of it is news.
    knowing.fail({ phase: 'body', status: 400, message: 'Bad schema' });
    knowing.fail(LIMITED);
    knowing.succeed(knowing.start(LEAD, 'internal'));
    state = knowing.brain.state();
    look();
    await expect.poll(() => fileIn(home)).toContain(LEAD);
    state = initialState;
    look();
    await app.close();
    expect(await fileIn(home)).not.toContain('schema');
    expect(JSON.parse(await fileIn(home)).health.models).toEqual([]);
  });

  it('when other machines take back what they said, then its file does not say that it has ended; what ended here before, it does', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const { brain, fail, succeed, start } = opened(await tempFolder(), clock);
    let look = (): void => undefined;
    const onHealth = (listener: () => void) => {
      look = listener;
      return () => undefined;
    };
    const app = keepHealth({ state: brain.state, onHealth }, { home, clock, warn: (text) => expect.fail(text) });
    const hear = (limit: Limit | null): void => {
      const before = brain.state();
      brain.act({ type: 'fleet.heard', health: { models: [[LEAD, { ...initialHealth, limit }]], providers: [] } });
      app.heard(before);
      look();
    };
    fail(LIMITED);
    look();
    clock.advance(1_000);
    succeed(start(LEAD, 'internal'));
    look();
    clock.advance(1_000);
    hear({ kind: 'quota', until: HOUR, preferAt: HOUR, source: 'provider', since: 0, machine: 'two' });
    await expect.poll(() => fileIn(home)).toContain('"machine":"two"');
    const ended = async () => JSON.parse(await fileIn(home)).health.models[0][1].cleared;
    const before = await ended();
    hear(null);
    await expect.poll(() => fileIn(home)).not.toContain('"machine":"two"');
    expect([before, await ended()]).toEqual([{ limit: expect.any(Number) }, before]);
    await app.close();
  });

  it('when it said that a model is well, then what stood in a file before that does not come back', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const one = opened(home, clock);
    one.fail(LIMITED);
    await one.sharing.flush();
    await appOn(home, clock).close();
    tell(one, NOTHING);
    one.sharing.resume();
    await one.sharing.flush();
    await one.sharing.refresh();
    expect(one.lead()).toEqual(['unseen', null]);
  });

  it('when it did not yet know what another process had found, then that still counts after it has gone', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock), opened(home, clock, 5)];
    other.fail(LIMITED);
    await other.sharing.flush();
    await one.sharing.refresh();
    clock.advance(1_000);
    const app = opened(await tempFolder(), clock);
    app.succeed();
    tell(one, exportHealth(app.brain.state(), app.brain.now()));
    one.succeed(one.start('spare/two'));
    one.sharing.resume();
    await one.sharing.flush();
    other.sharing.resume();
    await other.sharing.flush();
    await one.sharing.refresh();
    expect([one.lead(), other.lead()]).toEqual([
      ['cooling', HOUR - 1_000],
      ['cooling', HOUR - 1_000],
    ]);
  });

  it('when its word has come, then nobody looks at the file', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock), opened(home, clock, 5)];
    tell(other, NOTHING);
    one.fail(LIMITED);
    await one.sharing.flush();
    await other.sharing.refresh();
    expect(other.lead()).toEqual(['unseen', null]);
  });
});

describe('given a file of health', () => {
  it('when it is written, then it holds no word of a conversation, and its times are the wall clock’s', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const one = opened(home, clock, 777);
    one.fail({ ...LIMITED, message: 'Limit reached for sk-abcdefghijklmnop1234 of me@example.com' });
    await one.sharing.flush();
    const text = await readFile(join(home, 'health.json'), 'utf8');
    const { v, health } = JSON.parse(text);
    expect([v, health.models[0][1].limit]).toEqual([
      1,
      {
        kind: 'rate_limit',
        since: clock.wall(),
        until: clock.wall() + HOUR,
        preferAt: clock.wall() + HOUR,
        source: 'provider',
      },
    ]);
    expect(text).not.toMatch(/sk-abc|example\.com/);
  });

  it.each([
    ['rubbish', '{{{'],
    ['health of a shape we do not know', '{"v":1,"health":{"models":[["a/1",{"limit":"yes"}]],"providers":[]}}'],
    ['what a newer companion wrote', '{"v":2}'],
  ])('when it holds %s, then the user is told once and the process starts without it', async (_, content) => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'health.json'), content, { mode: 0o600 });
    const one = opened(home, clock);
    await one.sharing.refresh();
    one.fail(LIMITED);
    await one.sharing.flush();
    expect([one.told.length, one.lead()[0]]).toEqual([1, 'cooling']);
    expect((await readdir(home)).map((name) => name.replace(/-.*/, '')).sort()).toEqual([
      'health.json',
      'health.json.corrupt',
    ]);
  });
});
