import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CellRow,
  cardFrom,
  changedCells,
  emptyScorecard,
  ledgerOf,
  openPartOf,
  record,
  reportOf,
  type Scorecard,
  scorecardOf,
} from '../../../src/engine/scorecard';
import { runs } from '../../support/runs';
import { history, play } from './support/history';
import { stage } from './support/stage';

const throughText = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Keeps what changed, as a store does: each cell replaces the one of its place. */
function keeper() {
  const cells = new Map<string, CellRow>();
  return {
    put(before: Scorecard, after: Scorecard): void {
      for (const row of changedCells(before, after)) {
        const { session, serial, hour, model } = row;
        cells.set(JSON.stringify([session, serial, hour, model]), throughText(row));
      }
    },
    cells: () => [...cells.values()],
  };
}

describe('given a scorecard that is written down as it changes', () => {
  it('when it is taken up again anywhere in 60 random histories, then it goes on as if it had never stopped', () => {
    fc.assert(
      fc.property(history, fc.nat(200), (commands, cut) => {
        const { steps } = play(commands, stage());
        const kept = keeper();
        let running = emptyScorecard();
        let resumed = running;
        steps().forEach((step, at) => {
          running = record(running, step);
          const before = resumed;
          resumed = record(resumed, step);
          kept.put(before, resumed);
          if (at === cut) resumed = cardFrom(throughText(openPartOf(resumed)), kept.cells());
        });
        const now = steps().at(-1)?.now ?? 0;
        expect(scorecardOf(resumed, { now })).toEqual(scorecardOf(running, { now }));
        const whole = ledgerOf(kept.cells().filter(({ session }) => session === null));
        expect(reportOf(whole, { now }, null).overall).toEqual(scorecardOf(running, { now }).overall);
        for (const session of ['s1', 's2', 's3'])
          expect(scorecardOf(resumed, { session, now })).toEqual(scorecardOf(running, { session, now }));
      }),
      { numRuns: runs(60) },
    );
  });
});
