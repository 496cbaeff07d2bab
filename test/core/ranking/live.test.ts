import { describe, expect, it } from 'vitest';
import { EMPTY_STORE, type LiveQuery, type LiveRow } from '../../../src/core/base/store-rows';
import { NANOS, rateOf } from '../../../src/engine/scorecard';
import { liveFigures, liveHistory } from '../../../src/features/ranking/core/live';
import { START, virtualClock } from '../virtual-core';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const row = (over: Partial<LiveRow> = {}): LiveRow => ({
  ...{ agent: 'build', model: 'acme/one', answered: 0, failed: 0, answeredTurns: 0, firstTokens: [] },
  ...{ reports: 0, priced: 0, costNanos: 0 },
  ...over,
});

describe('given what a model did for an agent', () => {
  it('when 18 of 20 attempts ended in an answer, then the share has the Wilson bounds of the scorecard', () => {
    const [{ n, answered, share } = { n: 0, answered: 0, share: null }] = [
      ...liveFigures([row({ answered: 18, failed: 2 })]).values(),
    ];
    const { value, lower, upper } = rateOf(18, 20);
    expect({ n, answered, share }).toEqual({ n: 20, answered: 18, share: { value, lower, upper } });
  });

  it('when nothing ended, was measured or had a price, then nothing is claimed', () => {
    expect(liveFigures([row()]).get('acme/one')).toEqual({
      ...{ n: 0, answered: 0, share: null },
      ...{ firstTokenP50Ms: null, costPerAnswer: null },
    });
    expect(liveFigures([]).size).toBe(0);
  });

  it.each([
    [[[300, 1]], 300],
    [
      [
        [200, 1],
        [300, 1],
      ],
      200,
    ],
    [
      [
        [200, 1],
        [300, 2],
      ],
      300,
    ],
    [
      [
        [200, 3],
        [900, 2],
      ],
      200,
    ],
  ] as const)('when first tokens took %j, then the median is %i ms', (firstTokens, median) => {
    expect(liveFigures([row({ firstTokens })]).get('acme/one')?.firstTokenP50Ms).toBe(median);
  });

  it('when it used 3 dollars in 6 reports for 4 answered turns, then each cost 0.75', () => {
    const used = { answeredTurns: 4, reports: 6, priced: 6, costNanos: 3 * NANOS };
    expect(liveFigures([row(used)]).get('acme/one')?.costPerAnswer).toBe(0.75);
  });

  it('when half of its reports have no price, then they count as the others do', () => {
    const used = { answeredTurns: 4, reports: 6, priced: 3, costNanos: 1.5 * NANOS };
    expect(liveFigures([row(used)]).get('acme/one')?.costPerAnswer).toBe(0.75);
  });

  it('when it used something and finished no turn, then an answer has no cost', () => {
    expect(liveFigures([row({ reports: 1, priced: 1, costNanos: NANOS })]).get('acme/one')?.costPerAnswer).toBeNull();
  });

  it('when two ranges side by side are handed over, then they count together', () => {
    const first = row({
      answered: 3,
      failed: 1,
      answeredTurns: 2,
      firstTokens: [
        [500, 2],
        [700, 1],
      ],
      reports: 3,
    });
    const second = row({ answered: 2, answeredTurns: 1, firstTokens: [[100, 2]], reports: 2, priced: 2, costNanos: 6 });
    const both = row({
      ...{ answered: 5, failed: 1, answeredTurns: 3, reports: 5, priced: 2, costNanos: 6 },
      firstTokens: [
        [100, 2],
        [500, 2],
        [700, 1],
      ],
    });
    expect(liveFigures([first, second, row({ model: 'acme/two' })]).get('acme/one')).toEqual(
      liveFigures([both]).get('acme/one'),
    );
  });
});

describe('given a store with detail since yesterday', () => {
  const opened = (answered: number) => {
    const asked: LiveQuery[] = [];
    const store = {
      ...EMPTY_STORE,
      oldestHour: () => (START - DAY) / HOUR,
      live: (query: LiveQuery) => {
        asked.push(query);
        return [row({ answered })];
      },
    };
    return { asked, store };
  };

  it('when a month of an agent is asked for, then it is read by days from there on, and since when is told', async () => {
    const { asked, store } = opened(1);
    const query = { agent: 'build', sinceMs: START - 30 * DAY, untilMs: START + HOUR };
    const { rows, keptSinceMs } = await liveHistory(query, { store, clock: virtualClock() });
    expect(asked).toEqual([
      { agent: 'build', sinceMs: START - DAY, untilMs: START },
      { agent: 'build', sinceMs: START, untilMs: START + HOUR },
    ]);
    expect([rows.length, keptSinceMs]).toEqual([2, START - DAY]);
  });

  it('when a day has 20,000 attempts, then others have their turn before the next one', async () => {
    const { asked, store } = opened(20_000);
    const clock = virtualClock();
    const history = liveHistory({ sinceMs: 0, untilMs: START + HOUR }, { store, clock });
    expect(asked).toHaveLength(1);
    clock.advance(0);
    await Promise.resolve();
    expect(asked).toHaveLength(2);
    clock.advance(0);
    expect((await history).rows).toHaveLength(2);
  });

  it('when a store keeps nothing, then there is nothing, since never', async () => {
    const query = { sinceMs: 0, untilMs: START };
    expect(await liveHistory(query, { store: EMPTY_STORE, clock: virtualClock() })).toEqual({
      rows: [],
      keptSinceMs: null,
    });
  });
});
