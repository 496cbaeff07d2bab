import { describe, expect, it } from 'vitest';
import type { ScorecardRange } from '../../../src/contract';
import { openArmedCore, prompted, START, SWITCHED_TURN, started, succeeded } from '../virtual-core';

function played() {
  const test = openArmedCore();
  for (const event of SWITCHED_TURN) test.tell(event);
  test.tell(prompted({ turn: 't2', session: 's2', parentSession: 's1', agent: 'explore' }));
  test.tell(
    started({ attempt: 'b1', turn: 't2', session: 's2', parentSession: 's1', agent: 'explore', model: 'last/three' }),
  );
  test.tell(succeeded('b1'));
  const ask = (range: ScorecardRange) => test.core.host.handlers['scorecard.get'](range);
  return { ...test, ask };
}

describe('given a turn that an understudy answered and a sub-agent of it', () => {
  it('when the scorecard is asked for, then it has 3 calls, of which one was limited, and both ways to the understudy', async () => {
    const { totals, models, switches, generatedAt } = await played().ask({});
    expect([totals.totalCalls, totals.outcomes.limited, totals.outcomes.success]).toEqual([3, 1, 2]);
    expect(models.map(({ rank, model }) => [rank, model])).toEqual([
      [1, 'last/three'],
      [2, 'spare/two'],
      [3, 'lead/one'],
    ]);
    expect(switches).toEqual([{ from: 'lead/one', to: 'spare/two', count: 2 }]);
    expect(generatedAt).toBe(new Date(START).toISOString());
  });

  it('when its session is asked for, then the sub-agent is part of it; asked for alone, it has 1 call', async () => {
    const { ask } = played();
    expect((await ask({ session: 's1' })).totals.totalCalls).toBe(3);
    expect((await ask({ session: 's2' })).totals.totalCalls).toBe(1);
    expect((await ask({ session: 'nobody' })).totals.totalCalls).toBe(0);
  });

  it('when another range is asked for, then it is empty; within the hour, it is the whole hour', async () => {
    const { ask } = played();
    expect((await ask({ untilMs: START - 3_600_000 })).totals.totalCalls).toBe(0);
    expect((await ask({ sinceMs: START + 1_000 })).totals.totalCalls).toBe(3);
  });

  it('when it is exported as Markdown, then name and text are given; as CSV without a store, it says what is missing', async () => {
    const { core } = played();
    const give = core.host.handlers['scorecard.export'];
    expect(await give({ session: 's1', format: 'md' })).toEqual({
      name: 'understudy-scorecard-s1.md',
      text: expect.stringMatching(/^# Understudy scorecard\n\nSession s1, /),
    });
    expect(() => give({ format: 'csv' })).toThrow('Single attempts are not kept');
  });
});
