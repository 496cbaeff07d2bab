import { describe, expect, it } from 'vitest';
import { Snapshot } from '../../../src/contract/snapshot';
import type { CompanionEvent } from '../../../src/protocol';
import { recordsOf } from '../../../src/wording/agent-record';
import { protectionOf } from '../../../src/wording/protection';
import { CHAIN, DIRECTORY, openArmedCore, SWITCHED_TURN, scopeOf } from '../virtual-core';

type Level = Extract<CompanionEvent, { type: 'money.counted' }>['levels'][number];
type Config = Extract<CompanionEvent, { type: 'scope.configured' }>['config'];
const HOUR = 3_600_000;
const look = ({ core }: ReturnType<typeof openArmedCore>) => Snapshot.parse(core.host.handlers['snapshot.get'](null));
const counted = (over: Partial<Level>): CompanionEvent => ({
  type: 'money.counted',
  levels: [
    {
      ...{ id: 'day 1', period: 'day', provider: null, agent: null, directory: null, session: null, maxPrice: null },
      ...{ action: 'stop', limit: 5, spent: 6, endsInMs: 24 * HOUR, isAllowed: false, ...over },
    },
  ],
});

describe('given a spent budget that stops all work', () => {
  it('when agents have not spoken yet, then each is told of as halted, until the budget begins anew', () => {
    const test = openArmedCore();
    const config = { ...scopeOf(), unplanned: { plan: CHAIN[0], explore: null } } as unknown as Config;
    test.tell({ type: 'scope.configured', directory: DIRECTORY, config });
    const halted = () => protectionOf(look(test)).agents.map(({ agent, isHalted }) => [agent, isHalted]);
    test.tell(counted({ spent: 4 }));
    expect(halted()).toEqual([
      ['plan', false],
      ['explore', false],
    ]);
    test.tell(counted({}));
    expect(halted()).toEqual([
      ['plan', true],
      ['explore', true],
    ]);
    expect(look(test).chains).toEqual([expect.not.objectContaining({ isHalted: true })]);
    test.clock.advance(24 * HOUR);
    expect(halted()).toEqual([
      ['plan', false],
      ['explore', false],
    ]);
  });
});

describe('given a model of last resort that the budget of the chain leaves free', () => {
  it('when that budget is spent, then its agents are not halted', () => {
    const test = openArmedCore();
    const config = { ...scopeOf(['lead/one', 'lead/two']), unplanned: { plan: 'lead/one' } } as unknown as Config;
    const halted = (backupModel: string | null) => {
      test.tell({ type: 'scope.configured', directory: DIRECTORY, config: { ...config, backupModel } });
      return protectionOf(look(test)).agents.map(({ isHalted }) => isHalted);
    };
    test.tell(counted({ provider: 'lead' }));
    expect([halted(null), halted('spare/two')]).toEqual([[true], [false]]);
  });
});

describe('given an agent on its fallback model, whose primary is back', () => {
  it('when a budget stands in the way of the primary, then it is not called available, and the budget is named', () => {
    const test = openArmedCore();
    const evidence = { phase: 'headers', status: 429, message: 'Slow down', headers: { 'retry-after': '60' } } as const;
    for (const event of SWITCHED_TURN) test.tell(event.type === 'attempt.failed' ? { ...event, evidence } : event);
    test.tell({ type: 'session.idle', session: 's1' });
    test.clock.advance(61_000);
    const record = () => recordsOf(look(test))[0];
    expect(record()).toMatchObject({ state: 'onFallback', reason: { code: 'available', model: CHAIN[0] } });
    test.tell(counted({ action: 'degrade', provider: 'lead' }));
    expect(record()).toMatchObject({
      reason: { code: 'near', near: { unit: 'dollars' } },
      until: test.clock.wall() + 24 * HOUR,
    });
  });

  it('when that primary needs a person, then that is the cause, whatever budget is spent', () => {
    const test = openArmedCore();
    const evidence = { phase: 'body', status: 401, message: 'Invalid API key' } as const;
    for (const event of SWITCHED_TURN) test.tell(event.type === 'attempt.failed' ? { ...event, evidence } : event);
    test.tell({ type: 'session.idle', session: 's1' });
    test.tell(counted({ action: 'degrade', provider: 'lead' }));
    expect(recordsOf(look(test))[0]).toMatchObject({ reason: { code: 'failed', kind: 'auth' }, action: 'fixModel' });
  });
});
