import { describe, expect, it } from 'vitest';
import { createDaySums } from '../../../src/core/history/day-sums';
import {
  type CellRow,
  emptyScorecard,
  ledgerOf,
  record,
  reportOf,
  type Scorecard,
  startOf,
} from '../../../src/engine/scorecard';
import { lifeOf } from '../../engine/scorecard/support/life';

const FIRST = 20_000 * 24;
const MODELS = ['acme/one', 'globex/two'] as const;

/** A report of usage and an answer of each of two models in an hour. */
function inHour(card: Scorecard, hour: number): Scorecard {
  return MODELS.reduce((next, model, at) => {
    const now = startOf(hour) + at;
    const attempt = `${hour}:${model}`;
    const about = { session: 's1', turn: `t${hour}`, directory: '/p', agent: 'build', model };
    const steps = [
      { type: 'attempt.started', attempt, ...about, purpose: 'turn' },
      { type: 'attempt.succeeded', attempt, durationMs: 1_000 + hour - FIRST, firstTokenMs: 5, outputChars: 9 },
    ] as const;
    return steps.reduce((seen, event) => record(seen, { event, decisions: [], facts: lifeOf(event), now }), next);
  }, card);
}

/** Something in every hour of four days. */
const fourDays = (): Scorecard =>
  Array.from({ length: 96 }, (_, hour) => FIRST + hour).reduce(inHour, emptyScorecard());

const report = (rows: readonly CellRow[], [since, until]: readonly [number, number]) =>
  reportOf(ledgerOf(rows), { now: 0, sinceMs: startOf(since), untilMs: startOf(until) }, null);
const hourly = ({ hours }: Scorecard): CellRow[] =>
  hours.flatMap(({ hour, cells }) => cells.map(([model, cell]) => ({ session: null, serial: 0, hour, model, cell })));

describe('given four days of 24 hours, the last of which goes on', () => {
  it.each([
    [0, 96],
    [1, 95],
    [23, 25],
    [5, 7],
    [24, 48],
    [30, 96],
    [0, 71],
  ])('when hours %i to %i are added up by the day, then the report is that of these hours', (since, until) => {
    const card = fourDays();
    const range = [FIRST + since, FIRST + until] as const;
    const rows = createDaySums()(card.hours, { sinceHour: range[0], untilHour: range[1] });
    const { keptSinceMs: _, ...expected } = report(hourly(card), range);
    expect(report(rows, range)).toMatchObject(expected);
  });

  it('when it is asked again, then the three days are the rows they were; after a change of one, only that is another', () => {
    const byDay = createDaySums();
    const all = { sinceHour: 0, untilHour: Number.MAX_SAFE_INTEGER };
    const card = fourDays();
    const first = byDay(card.hours, all);
    expect(first).toHaveLength((3 + 24) * MODELS.length);
    expect(byDay(inHour(card, FIRST + 95).hours, all).slice(0, 6)).toEqual(first.slice(0, 6));
    const open = { ...inHour(card, FIRST + 30), latestHour: card.latestHour };
    const changed = byDay(open.hours, all);
    const isSame = changed.slice(0, 6).map((row, at) => row === first[at]);
    expect(isSame).toEqual([true, true, false, false, true, true]);
    const range = [FIRST, FIRST + 96] as const;
    expect(report(changed, range)).toEqual(report(hourly(open), range));
  });
});
