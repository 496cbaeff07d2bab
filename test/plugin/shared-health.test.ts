import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Evidence, standingOf } from '../../src/engine';
import { exportHealth } from '../../src/engine/tools';
import { createBrain } from '../../src/plugin/brain';
import { shareHealth } from '../../src/plugin/shared-health';
import { CHAIN, DIRECTORY, scopeOf, type VirtualClock, virtualClock } from '../core/virtual-core';
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
  const sharing = shareHealth(brain, { home, warn: (message) => told.push(message), wall: clock.wall });
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
  it('when it comes, then the file is removed; when it goes, then each writes what it knows', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock), opened(home, clock, 5)];
    one.fail(LIMITED);
    await one.sharing.flush();
    one.sharing.stop();
    await one.sharing.flush();
    expect(await readdir(home)).toEqual([]);
    one.brain.sync({ models: [], providers: [] }, 99, 0);
    one.fail(CRASH);
    await one.sharing.flush();
    expect(await readdir(home)).toEqual([]);
    one.sharing.resume();
    await one.sharing.flush();
    await other.sharing.refresh();
    expect(other.lead()).toEqual(one.lead());
  });

  it('when it said that a model is well, then what stood in a file before that does not come back', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const one = opened(home, clock);
    one.fail(LIMITED);
    await one.sharing.flush();
    one.sharing.stop();
    await one.sharing.flush();
    one.brain.sync({ models: [], providers: [] }, 99, 0);
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
    one.sharing.stop();
    await one.sharing.flush();
    clock.advance(1_000);
    const app = opened(await tempFolder(), clock);
    app.succeed();
    one.brain.sync(exportHealth(app.brain.state(), app.brain.now()), 99, 0);
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

  it('when it is there, then nobody looks at the file', async () => {
    const [home, clock] = [await tempFolder(), virtualClock()];
    const [one, other] = [opened(home, clock), opened(home, clock, 5)];
    other.sharing.stop();
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
