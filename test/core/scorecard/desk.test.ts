import { describe, expect, it } from 'vitest';
import type { ScorecardRange } from '../../../src/contract/scorecard';
import { createScorecardDesk } from '../../../src/core/scorecard/desk';
import { newPath, open } from '../../node/store/store-support';
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
    await expect(give({ format: 'csv' })).rejects.toThrow('Single attempts are not stored');
  });
});

describe('given a store that writes a moment after it was told', () => {
  it('when a turn has just ended and the scorecard is exported, then its agents have had all attempts of its totals', async () => {
    const { core, tell } = openArmedCore({ store: await open(await newPath()) });
    for (const event of SWITCHED_TURN) tell(event);
    const { text } = await core.host.handlers['scorecard.export']({ format: 'json' });
    const { agents, totals } = JSON.parse(text);
    expect([agents, totals.totalCalls]).toEqual([[expect.objectContaining({ agent: 'build', attempts: 2 })], 2]);
    core.dispose();
  });
});

describe('given attempts that are kept one by one for the last two days', () => {
  const HOUR_MS = 3_600_000;
  const DAY_MS = 24 * HOUR_MS;
  const kept = [START - 2 * DAY_MS + 90_000, START - HOUR_MS, START - 60_000].map((at, index) => ({
    ...{ at, session: 's1', turn: `t${index}`, agent: 'build', model: 'lead/one', position: 0, purpose: 'turn' },
    ...{ outcome: 'success', kind: null, status: null, durationMs: 5, firstTokenMs: 1 },
  })) as never[];
  const desk = createScorecardDesk({
    version: '0.1.0',
    wall: () => START,
    alert: () => null,
    figures: () => [],
    events: () => [],
    attempts: ({ sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER }) =>
      kept.filter(({ at }) => at >= sinceMs && at < untilMs),
    refused: () => [],
  });
  const exported = (range: ScorecardRange) => {
    const read = (format: 'json' | 'md') => [...(desk.lines(range, format) ?? [])].join('');
    return [JSON.parse(read('json')).agentsSince, /Agents’ figures .*/.exec(read('md'))?.[0]];
  };

  it.each([
    ['everything', {}],
    ['a week', { sinceMs: START - 7 * DAY_MS }],
  ])('when %s is asked for, then it says since when agents have figures', (_, range) => {
    const since = new Date(START - 2 * DAY_MS + 90_000).toISOString();
    const words = `${since.slice(0, 16).replace('T', ' ')} UTC`;
    expect(exported(range)).toEqual([
      since,
      `Agents’ figures are based on single attempts, which are stored since ${words}.`,
    ]);
  });

  it.each([
    ['a day', { sinceMs: START - DAY_MS }],
    ['a session', { session: 's1' }],
  ])('when %s is asked for, then there is nothing to say', (_, range) => {
    expect(exported(range)).toEqual([undefined, undefined]);
  });

  it('when a range begins or ends inside an hour, then agents have all of it, as all figures do', () => {
    const inside = Math.floor(START / HOUR_MS) * HOUR_MS;
    const around = { sinceMs: START - 1, untilMs: START };
    expect(kept.filter(({ at }) => at >= inside)).toHaveLength(1);
    expect(desk.agents(around)).toMatchObject([{ attempts: 1 }]);
  });

  it('when nothing is kept one by one, then nobody is said to be', () => {
    const without = createScorecardDesk({
      ...{ version: '0.1.0', wall: () => START, alert: () => null, figures: () => [], events: () => [] },
      attempts: () => null,
      refused: () => [],
    });
    expect(JSON.parse([...(without.lines({}, 'json') ?? [])].join('')).agentsSince).toBeUndefined();
  });
});
