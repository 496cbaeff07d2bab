import { describe, expect, it } from 'vitest';
import type { WhatIfQuestion } from '../../../src/contract/what-if';
import { playWhatIf, TURNS_PLAYED } from '../../../src/core/history/what-if';
import type { SeenWindow } from '../../../src/engine';
import type { CompanionEvent } from '../../../src/protocol';
import { NIGHTLY } from '../../support/nightly';
import {
  CHAIN,
  configured,
  DIRECTORY,
  failed,
  openArmedCore,
  prompted,
  START,
  SWITCHED_TURN,
  scopeOf,
  started,
  succeeded,
} from '../virtual-core';

const used = (model: string, cost: number | null) =>
  ({
    type: 'usage.recorded',
    session: 's1',
    turn: 't1',
    directory: DIRECTORY,
    agent: 'build',
    model,
    purpose: 'turn',
    tokens: { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
    cost,
  }) as const;

/** A turn that spare/two finished for 0.02 dollars, and a minute later one of an agent without understudies that failed. */
function played() {
  const test = openArmedCore();
  for (const event of SWITCHED_TURN) test.tell(event);
  test.tell(used(CHAIN[1], 0.02));
  test.clock.advance(60_000);
  test.tell(configured('/alone', ['solo/four']));
  const where = { session: 's9', turn: 't9', directory: '/alone', model: 'solo/four' };
  test.tell(prompted({ ...where, hostLead: 'solo/four' }));
  test.tell(started({ ...where, attempt: 'c1' }));
  test.tell(failed('c1', { phase: 'body', status: 500, message: 'internal server error' }));
  const ask = (question: Partial<WhatIfQuestion>) =>
    test.core.host.handlers['what-if.play']({ agent: null, chain: null, policy: null, ...question });
  return { ...test, ask };
}

describe('given a turn that an understudy finished, and one that nobody could', () => {
  it('when the second had had that understudy, then one stall is avoided, at what its answers cost', async () => {
    const { before, after, stallsAvoided } = await played().ask({ chain: ['solo/four', CHAIN[1]] });
    expect(stallsAvoided).toBe(1);
    expect(before).toEqual({
      turns: 2,
      answered: 1,
      failed: 1,
      unknown: 0,
      switches: 1,
      refusals: 1,
      lostMs: 80,
      cost: 0.02,
      pricedShare: 1,
    });
    expect(after).toMatchObject({ turns: 2, answered: 2, failed: 0, cost: 0.04, pricedShare: 1 });
  });

  it('when turns had moved before a limit that the responses told of, then requests that were refused had not been', async () => {
    const test = openArmedCore();
    const plan = (used: number): SeenWindow => ({
      ...{ id: 'unified-5h', unit: 'share', lengthMs: 18_000_000, of: 'account', used, limit: null, remaining: null },
      ...{ resetInMs: 3_600_000, refills: 'at_reset', charges: 'used' },
    });
    const [lead = '', spare = ''] = CHAIN;
    const begin = (turn: string) => test.tell(prompted({ turn, session: turn }));
    const asked = (turn: string, model: string) =>
      test.tell(started({ turn, session: turn, attempt: `${turn}:${model}`, model }));
    const see = (turn: string, used: number) =>
      test.tell({
        ...{ type: 'headroom.seen', attempt: `${turn}:${lead}`, directory: DIRECTORY, model: lead },
        windows: [plan(used)],
      });
    const pass = () => {
      test.tell({ type: 'health.reset', target: { model: 'nobody/else' }, actor: 'cli' });
      test.clock.advance(400_000);
    };
    begin('t1');
    asked('t1', lead);
    see('t1', 0.98);
    test.tell(succeeded(`t1:${lead}`));
    pass();
    begin('t2');
    asked('t2', lead);
    see('t2', 1);
    test.tell(failed(`t2:${lead}`, { phase: 'body', status: 429, message: 'Rate limit reached' }));
    asked('t2', spare);
    test.tell(succeeded(`t2:${spare}`));
    pass();
    // Refused once, the lead waits for its reset: the third turn begins with the spare.
    begin('t3');
    asked('t3', spare);
    test.tell(succeeded(`t3:${spare}`));
    pass();
    const ask = (headroom: 'move' | 'off') =>
      test.core.host.handlers['what-if.play']({ agent: null, chain: null, policy: null, headroom });
    const [moved, off] = [await ask('move'), await ask('off')];
    expect([moved.before.refusals, moved.after.refusals, off.after.refusals]).toEqual([1, 0, 1]);
    expect([moved.after.answered, moved.after.failed]).toEqual([3, 0]);
  });

  it('when turns were spread over two accounts, then none of them is a refusal that was avoided, and it is played alike', async () => {
    const test = openArmedCore();
    const [lead = ''] = CHAIN;
    const other = lead.replace('/', '@work/');
    const headroom = { act: 'move', moveAt: 0.97, spread: true } as const;
    const armed = configured(DIRECTORY, [lead, other]) as Extract<CompanionEvent, { type: 'scope.configured' }>;
    test.tell({ ...armed, config: { ...armed.config, headroom } });
    for (const [model, used] of [
      [lead, 0.72],
      [other, 0.23],
    ] as const) {
      const about = { id: 'week', unit: 'share', lengthMs: 604_800_000, of: 'account', resetInMs: 86_400_000 } as const;
      const windows: SeenWindow[] = [
        { ...about, used, limit: null, remaining: null, refills: 'at_reset', charges: 'used' },
      ];
      test.tell({ type: 'headroom.seen', attempt: null, directory: DIRECTORY, model, windows });
    }
    for (const turn of ['t1', 't2']) {
      test.tell(prompted({ turn, session: turn }));
      test.tell(started({ turn, session: turn, attempt: turn, model: other }));
      test.tell(succeeded(turn));
    }
    const { before, after, stallsAvoided } = await test.core.host.handlers['what-if.play']({
      ...{ agent: null, chain: null, policy: null, headroom: 'move' },
    });
    expect([after, stallsAvoided]).toEqual([before, 0]);
    expect(after).toMatchObject({ turns: 2, answered: 2, refusals: 0, switches: 0 });
  });

  it('when turns had moved before a limit that we count ourselves, then that is known as well, and heeded where it is trusted', async () => {
    const playedBy = async (trustsEstimates: boolean) => {
      const test = openArmedCore();
      const [lead = '', spare = ''] = CHAIN;
      const config = { ...scopeOf(), headroom: { act: 'warn' as const, moveAt: 0.97, trustsEstimates } };
      test.tell({ type: 'scope.configured', directory: DIRECTORY, config: config as never });
      const window: SeenWindow = {
        ...{ id: 'counted-requests-3-5h', unit: 'requests', lengthMs: 18_000_000, of: 'account', used: 1, limit: 3 },
        ...{ remaining: 0, resetInMs: 3_600_000, refills: 'at_reset', charges: 'used' },
      };
      test.tell({ type: 'headroom.counted', accounts: [[lead.split('/')[0] ?? '', [window]]] });
      const begin = (turn: string) => test.tell(prompted({ turn, session: turn }));
      const asked = (turn: string, model: string) =>
        test.tell(started({ turn, session: turn, attempt: `${turn}:${model}`, model }));
      begin('t1');
      asked('t1', lead);
      test.tell(failed(`t1:${lead}`, { phase: 'body', status: 429, message: 'Rate limit reached' }));
      asked('t1', spare);
      test.tell(succeeded(`t1:${spare}`));
      const ask = test.core.host.handlers['what-if.play'];
      const { before, after } = await ask({ agent: null, chain: null, policy: null, headroom: 'move' });
      return [before.refusals, after.refusals, after.answered];
    };
    expect([await playedBy(true), await playedBy(false)]).toEqual([
      [1, 0, 1],
      [1, 1, 1],
    ]);
  });

  it('when only the time of the second is played, then there is one turn', async () => {
    const { before } = await played().ask({ policy: 'steady', sinceMs: START + 30_000 });
    expect([before.turns, before.failed, before.cost, before.pricedShare]).toEqual([1, 1, null, null]);
  });

  it('when only another agent would have had it, then nothing changes', async () => {
    const { before, after, stallsAvoided } = await played().ask({ agent: 'explore', chain: [CHAIN[1]] });
    expect([after, stallsAvoided]).toEqual([before, 0]);
  });

  it('when the log holds more turns than are to be played, then the latest are played, and since when is told', () => {
    const { log, tell, clock } = played();
    const steady = { agent: null, chain: null, policy: 'steady' } as const;
    const turnsOf = (most: number) => {
      const { before, cutAtMs } = playWhatIf(log, steady, [], most);
      return [before.turns, cutAtMs];
    };
    clock.advance(60_000);
    for (const turn of ['m1', 'm2', 'm3']) {
      tell(prompted({ turn }));
      clock.advance(1_000);
    }
    expect([turnsOf(5), turnsOf(3)]).toEqual([
      [5, null],
      [3, START + 120_000],
    ]);
  });

  it('when the log holds more turns than can be played at once, then the latest are played', NIGHTLY, async () => {
    const { ask, tell, clock } = played();
    expect((await ask({ policy: 'steady' })).cutAtMs).toBeNull();
    clock.advance(60_000);
    for (let turn = 0; turn < TURNS_PLAYED; turn++) tell(prompted({ turn: `m${turn}` }));
    const { before, cutAtMs } = await ask({ policy: 'steady' });
    expect([before.turns, cutAtMs]).toEqual([TURNS_PLAYED, START + 120_000]);
  });

  it('when its policy were another one, then the log itself stays as it was', async () => {
    const { ask, log } = played();
    const kept = JSON.stringify(log);
    await ask({ policy: 'patient' });
    expect(JSON.stringify(log)).toBe(kept);
  });
});
