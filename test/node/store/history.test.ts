import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../src/core/base/record';
import { ledgerOf, reportOf } from '../../../src/engine/scorecard';
import {
  CHAIN,
  COMPANION,
  configured,
  DIRECTORY,
  openTestCore,
  prompted,
  START,
  SWITCHED_TURN,
  started,
  virtualClock,
} from '../../core/virtual-core';
import { look, newPath, open } from './store-support';

const ATTEMPTS = `SELECT attempt, turn, session, agent, model, position, purpose, at, duration_ms AS duration,
  first_token_ms AS firstToken, outcome, kind, status, message FROM attempts ORDER BY rowid`;
const SWITCHES = 'SELECT turn, source, target, position, kind, carried, duration_ms AS duration FROM switches';

const RESULT = [
  {
    attempt: 'a1',
    turn: 't1',
    session: 's1',
    agent: 'build',
    model: CHAIN[0],
    position: 0,
    purpose: 'turn',
    at: START,
    duration: 40,
    firstToken: null,
    outcome: 'limited',
    kind: 'rate_limit',
    status: 429,
    message: 'Rate limit reached',
  },
  {
    attempt: 'a2',
    turn: 't1',
    session: 's1',
    agent: 'build',
    model: CHAIN[1],
    position: 1,
    purpose: 'turn',
    at: START,
    duration: 90,
    firstToken: 20,
    outcome: 'success',
    kind: null,
    status: null,
    message: null,
  },
];

/** A core on a store of its own, with the log of earlier lives. */
async function live(path: string, earlier: readonly LogRecord[] = []) {
  const clock = virtualClock();
  const store = await open(path);
  const test = openTestCore(clock, store);
  test.core.replay(earlier);
  test.core.connected(COMPANION);
  const end = async () => {
    test.core.dispose();
    await store.close();
  };
  const overall = () => reportOf(ledgerOf(store.figures({})), { now: START }, null).overall;
  return { ...test, store, end, overall };
}

describe('given a turn that an understudy answered', () => {
  it('when 250 ms have passed, then both attempts, the switch, what was used and the session are stored', async () => {
    const path = await newPath();
    const { tell, clock, store } = await live(path);
    tell(configured());
    for (const event of SWITCHED_TURN) tell(event);
    const tokens = { input: 800, output: 400, reasoning: 100, cacheRead: 200, cacheWrite: 0 };
    const speaker = { session: 's1', turn: 't1', directory: DIRECTORY, agent: 'build', model: CHAIN[1] };
    tell({ type: 'usage.recorded', ...speaker, purpose: 'turn', tokens, cost: 0.00996 });
    clock.advance(249);
    await store.flush();
    expect(look(path, ATTEMPTS)).toEqual([]);
    clock.advance(1);
    await store.flush();
    expect(look(path, ATTEMPTS)).toEqual(RESULT);
    expect(look(path, SWITCHES)).toEqual([
      { turn: 't1', source: CHAIN[0], target: CHAIN[1], position: 1, kind: 'rate_limit', carried: 1, duration: 31 },
    ]);
    expect(look(path, 'SELECT model, position, input, cache_read AS cacheRead, cost_nanos AS cost FROM usage')).toEqual(
      [{ model: CHAIN[1], position: 1, input: 800, cacheRead: 200, cost: 9_960_000 }],
    );
    expect(look(path, 'SELECT session, project FROM sessions')).toEqual([{ session: 's1', project: 'project' }]);
    expect(look(path, 'SELECT row FROM events').map(({ row }) => JSON.parse(String(row)).code)).toContain(
      'switch.rate_limit',
    );
  });

  it('when the app dies before it is stored, then the log fills it in at the next start, once', async () => {
    const path = await newPath();
    const first = await live(path);
    first.tell(configured());
    for (const event of SWITCHED_TURN.slice(0, 3)) first.tell(event);
    first.clock.advance(250);
    await first.store.flush();
    for (const event of SWITCHED_TURN.slice(3)) first.tell(event);
    // It dies here: what waits is lost, the log is not.
    await first.store.close();

    const second = await live(path, first.log);
    await second.end();
    const [limited, answered] = RESULT;
    expect(look(path, ATTEMPTS)).toEqual([limited, { ...answered, at: START + 250 }]);
    expect(look(path, 'SELECT count(*) AS n FROM switches')).toEqual([{ n: 1 }]);
    const third = await live(path, first.log);
    expect(third.overall()).toMatchObject({ totalCalls: 2, turns: { total: 1 }, fallbacksOut: 1 });
    await third.end();
    expect(look(path, 'SELECT count(*) AS n FROM attempts')).toEqual([{ n: 2 }]);
  });

  it('when the log is gone, then new records count on from the store', async () => {
    const path = await newPath();
    const first = await live(path);
    first.tell(configured());
    for (const event of SWITCHED_TURN) first.tell(event);
    await first.end();
    const second = await live(path, []);
    expect(second.log[0]?.n).toBe((first.log.at(-1)?.n ?? 0) + 1);
    second.tell(configured());
    second.tell(prompted({ turn: 't2' }));
    second.tell(started({ attempt: 'a3', turn: 't2', model: CHAIN[1] }));
    await second.end();
    expect(look(path, 'SELECT count(*) AS n FROM attempts')).toEqual([{ n: 3 }]);
  });

  it('when the log is of a version that did not number its records, then all of it is stored', async () => {
    const path = await newPath();
    const first = openTestCore();
    first.core.connected(COMPANION);
    first.tell(configured());
    for (const event of SWITCHED_TURN) first.tell(event);
    const second = await live(
      path,
      first.log.map(({ n: _, ...record }) => record),
    );
    await second.end();
    expect(look(path, ATTEMPTS)).toEqual(RESULT);
  });
});

describe('given an attempt without an end', () => {
  it('when its session comes to rest, then it is neutral, as in the scorecard', async () => {
    const path = await newPath();
    const { tell, core, store, end, overall } = await live(path);
    tell(configured());
    tell(prompted());
    tell(started());
    tell({ type: 'session.idle', session: 's1' });
    core.dispose();
    await store.flush();
    expect(overall()).toMatchObject({ totalCalls: 1, outcomes: { neutral: 1, inFlight: 0 } });
    await end();
    expect(look(path, 'SELECT outcome FROM attempts')).toEqual([{ outcome: 'neutral' }]);
  });
});

describe('given a log in which 40 days lie between two turns', () => {
  it('when it is taken in at once, then the figures of both are stored', async () => {
    const path = await newPath();
    const earlier = openTestCore();
    earlier.core.connected(COMPANION);
    earlier.tell(configured());
    for (const event of SWITCHED_TURN) earlier.tell(event);
    earlier.clock.advance(40 * 86_400_000);
    earlier.tell(prompted({ turn: 't2' }));
    earlier.tell(started({ attempt: 'b1', turn: 't2' }));
    const { core, store, overall } = await live(path, earlier.log);
    core.flush();
    await store.flush();
    expect(overall().totalCalls).toBe(3);
  });
});
