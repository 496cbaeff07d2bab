import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../../src/contract/contract';
import { newPath, open } from '../../node/store/store-support';
import {
  CHAIN,
  COMPANION,
  configured,
  openArmedCore,
  openTestCore,
  prompted,
  START,
  SWITCHED_TURN,
  started,
  succeeded,
  virtualClock,
} from '../virtual-core';

const MINUTE_MS = 60_000;

/** A core on a store of its own, with a session whose first turn an understudy answered. */
async function played() {
  const clock = virtualClock();
  const store = await open(await newPath());
  const test = openTestCore(clock, store);
  test.core.connected(COMPANION);
  for (const event of [configured(), ...SWITCHED_TURN]) test.tell(event);
  const tokens = { input: 800, output: 400, reasoning: 100, cacheRead: 200, cacheWrite: 0 };
  const used = { session: 's1', turn: 't1', directory: '/home/u/project', agent: 'build', model: CHAIN[1] };
  test.tell({ type: 'usage.recorded', ...used, purpose: 'turn', tokens, cost: 0.01 });
  const { handlers } = test.core.host;
  const list = async (query: Partial<Parameters<Handlers['sessions.list']>[0]> = {}) =>
    handlers['sessions.list']({ search: '', before: null, limit: 50, ...query });
  const timeline = async (query: Partial<Parameters<Handlers['sessions.timeline']>[0]> = {}) =>
    handlers['sessions.timeline']({
      session: 's1',
      after: null,
      within: null,
      limit: 50,
      isTroubleOnly: false,
      isAxisWanted: true,
      ...query,
    });
  /** Another turn of the lead, after so many minutes. */
  const answer = (turn: string, session = 's1', agent = 'build') => {
    clock.advance(MINUTE_MS);
    test.tell(prompted({ turn, session, agent }));
    test.tell(started({ turn, session, agent, attempt: `${turn}:1`, model: CHAIN[1] }));
    test.tell(succeeded(`${turn}:1`));
    test.tell({ type: 'session.idle', session });
  };
  return { ...test, store, list, timeline, answer };
}

describe('given a session whose first turn an understudy answered', () => {
  it('when sessions are listed in the same moment, then it is there, with the figures of its scorecard', async () => {
    const { core, list } = await played();
    const { entries, total, next } = await list();
    expect([total, next]).toEqual([1, null]);
    expect(entries).toEqual([
      {
        ...{ session: 's1', project: 'project', agents: ['build'], since: START, until: START, isLive: true },
        ...{ outcome: 'working', turns: 1, answered: 0, lost: 0, saved: 0, attempts: 2, switches: 1 },
        ...{ cost: 0.01, pricedShare: 1, title: null, firstModel: CHAIN[0] },
      },
    ]);
    const { totals } = core.desk.document({ session: 's1' });
    expect([entries[0]?.turns, entries[0]?.attempts, String(entries[0]?.cost)]).toEqual([
      totals.turns.total,
      totals.totalCalls,
      totals.cost.total,
    ]);
  });

  it('when its timeline is asked for, then each attempt says who, why, how long, what it used, and where it is explained', async () => {
    const { core, timeline, tell } = await played();
    tell({ type: 'session.idle', session: 's1' });
    const { turns, total, troubled, next, entry } = await timeline();
    expect([total, troubled, next, entry?.outcome]).toEqual([1, 1, null, 'saved']);
    const none = { tokens: null, cost: null, event: null };
    expect(turns).toEqual([
      {
        ...{ number: 1, turn: 't1', agent: 'build', isSubAgent: false, at: START, outcome: 'answered' },
        ...{ isTroubled: true, hidden: 0 },
        attempts: [
          {
            ...{ model: CHAIN[0], position: 0, outcome: 'limited', kind: 'rate_limit', status: 429, requests: 1 },
            ...{ at: START, until: START + 40, durationMs: 40, firstTokenMs: null, ...none },
            event: expect.any(Number),
          },
          {
            ...{ model: CHAIN[1], position: 1, outcome: 'success', kind: null, status: null, requests: 1 },
            ...{ at: START, until: START + 90, durationMs: 90, firstTokenMs: 20, ...none, tokens: 1_500, cost: 0.01 },
          },
        ],
      },
    ]);
    const event = turns[0]?.attempts[0]?.event ?? -1;
    const explained = await core.host.handlers['decision.explain']({ event });
    expect(explained?.event).toMatchObject({ code: 'switch.rate_limit', model: CHAIN[0], to: CHAIN[1] });
    expect(JSON.stringify(turns)).not.toContain('Rate limit reached');
  });

  it('when its axis is asked for, then it has its turns, and what each model went through', async () => {
    const { timeline, tell } = await played();
    tell({ type: 'session.idle', session: 's1' });
    const { axis, found } = await timeline();
    expect([found, axis?.since, axis?.until]).toEqual([1, START, START + 90]);
    expect(axis?.marks).toEqual([{ at: START, turns: 1, troubled: 1 }]);
    const states = axis?.models.map(({ model, slot, states }) => [model, slot, states.map(({ state }) => state)]);
    expect(states).toEqual([
      [CHAIN[0], 0, ['cooling']],
      [CHAIN[1], 1, ['ready']],
    ]);
    expect(axis?.resets).toEqual([]);
  });

  it('when another turn begins and ends, then it is last in the next answer, and no trouble hides it', async () => {
    const { timeline, answer } = await played();
    answer('t2');
    const { turns, total, troubled } = await timeline();
    // The lead is still out, so an understudy began.
    expect(turns.map(({ number, turn, isTroubled }) => [number, turn, isTroubled])).toEqual([
      [1, 't1', true],
      [2, 't2', true],
    ]);
    expect([total, troubled]).toEqual([2, 2]);
  });

  it('when a turn has 3 steps the same model answered, then they are one line of 3 requests', async () => {
    const { timeline, tell, clock } = await played();
    for (const n of [3, 4]) {
      clock.advance(1_000);
      tell(started({ attempt: `a${n}`, model: CHAIN[1] }));
      tell(succeeded(`a${n}`));
    }
    const [turn] = (await timeline()).turns;
    expect(
      turn?.attempts.map(({ model, requests, durationMs, until }) => [model, requests, durationMs, until]),
    ).toEqual([
      [CHAIN[0], 1, 40, START + 40],
      [CHAIN[1], 3, 270, START + 2_090],
    ]);
  });

  it('when 5 turns are read 2 at a time, then each comes once, oldest first', async () => {
    const { timeline, answer } = await played();
    for (const turn of ['t2', 't3', 't4', 't5']) answer(turn);
    const numbers: number[] = [];
    let after: number | null = null;
    do {
      const page: Awaited<ReturnType<typeof timeline>> = await timeline({ limit: 2, after });
      numbers.push(...page.turns.map(({ number }) => number));
      after = page.next;
    } while (after !== null);
    expect(numbers).toEqual([1, 2, 3, 4, 5]);
  });

  it('when a sub-agent works for it, then its turn is part of it, also in the next life of the app', async () => {
    const { timeline, tell, list, core, store } = await played();
    tell(prompted({ turn: 'sub', session: 's2', parentSession: 's1', agent: 'explore' }));
    tell(
      started({ attempt: 'c1', turn: 'sub', session: 's2', parentSession: 's1', agent: 'explore', model: CHAIN[2] }),
    );
    tell(succeeded('c1'));
    const { turns } = await timeline();
    expect(turns.map(({ agent, isSubAgent }) => [agent, isSubAgent])).toEqual([
      ['build', false],
      ['explore', true],
    ]);
    expect((await list()).entries.map(({ session, agents }) => [session, agents])).toEqual([
      ['s1', ['build', 'explore']],
    ]);
    expect(core.desk.document({ session: 's1' }).totals.totalCalls).toBe(3);
    core.dispose();
    await store.flush();
    const later = openTestCore(virtualClock(START + MINUTE_MS), store).core;
    expect(later.desk.document({ session: 's1' }).totals.totalCalls).toBe(3);
  });
});

describe('given a session that goes on and three that are over', () => {
  it('when they are listed 2 a page, then the one that goes on is on the first page alone, on top', async () => {
    const { list, answer, tell } = await played();
    for (const session of ['old1', 'old2', 'old3']) {
      answer(`of ${session}`, session);
      tell({ type: 'session.closed', session });
    }
    const first = await list({ limit: 2 });
    expect([first.entries.map(({ session }) => session), first.total]).toEqual([['s1', 'old3', 'old2'], 4]);
    const second = await list({ limit: 2, before: first.next });
    expect([second.entries.map(({ session }) => session), second.next]).toEqual([['old1'], null]);
  });

  it('when one is searched by project or model, then only those that fit are listed', async () => {
    const { list } = await played();
    expect((await list({ search: 'PROJ' })).total).toBe(1);
    expect((await list({ search: CHAIN[1] })).total).toBe(1);
    expect(await list({ search: 'elsewhere' })).toEqual({ entries: [], next: null, total: 0 });
  });
});

describe('given a session nobody knows', () => {
  it('when its timeline is asked for, then there is no entry and no turn', async () => {
    const { timeline } = await played();
    expect(await timeline({ session: 'nobody' })).toEqual({
      ...{ entry: null, axis: null, turns: [] },
      ...{ total: 0, troubled: 0, found: 0 },
      next: null,
    });
  });
});

describe('given a core without a store', () => {
  it('when sessions are listed, then those it remembers are; their timeline says what is missing', async () => {
    const { core, tell } = openArmedCore();
    for (const event of SWITCHED_TURN) tell(event);
    const { handlers } = core.host;
    const { entries, total } = await handlers['sessions.list']({ search: '', before: null, limit: 50 });
    expect([entries.map(({ session, since }) => [session, since]), total]).toEqual([[['s1', null]], 1]);
    await expect(
      handlers['sessions.timeline']({
        session: 's1',
        after: null,
        within: null,
        limit: 1,
        isTroubleOnly: false,
        isAxisWanted: true,
      }),
    ).rejects.toThrow('Single attempts are not stored');
  });
});
