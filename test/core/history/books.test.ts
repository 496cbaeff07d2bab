import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../src/core/base/record';
import { EMPTY_STORE, NO_EVENTS, type Store, type StoreBatch } from '../../../src/core/base/store-rows';
import type { CellRow } from '../../../src/engine/scorecard';
import { isNightly } from '../../support/nightly';
import {
  COMPANION,
  configured,
  failed,
  openTestCore,
  prompted,
  START,
  started,
  succeeded,
  virtualClock,
} from '../virtual-core';

/** A store in memory, as it stands after some batches. */
function memoryStore(earlier: readonly StoreBatch[] = []) {
  const batches: StoreBatch[] = [...earlier];
  const last = earlier.at(-1);
  const cells = new Map<string, CellRow>();
  for (const batch of earlier)
    for (const row of batch.cells) cells.set(JSON.stringify([row.session, row.serial, row.hour, row.model]), row);
  const told = earlier.flatMap(({ rows }) => rows.flatMap((row) => (row.type === 'event' ? [row.row.id] : [])));
  const store: Store = {
    ...EMPTY_STORE,
    cursor: last?.cursor ?? 0,
    card: last ? { open: last.open, cells: [...cells.values()] } : null,
    write: (batch) => void batches.push(batch),
    events: { ...NO_EVENTS, kept: () => ({ newest: told.at(-1) ?? 0, sinceMs: null }) },
  };
  return { store, batches };
}

/** A log of 400 turns, five minutes apart; every third is left for an understudy. */
function longLog(): readonly LogRecord[] {
  const { core, tell, clock, log } = openTestCore();
  core.connected(COMPANION);
  tell(configured());
  for (let n = 0; n < 400; n++) {
    const turn = `t${n}`;
    tell(prompted({ turn }));
    tell(started({ turn, attempt: `${turn}:1` }));
    tell(n % 3 === 0 ? failed(`${turn}:1`, { phase: 'body', status: 500, message: 'oops' }) : succeeded(`${turn}:1`));
    clock.advance(5 * 60_000);
  }
  return log;
}

/** What is in the store after the log was taken in from where it ended. */
function takenIn(log: readonly LogRecord[], earlier: readonly StoreBatch[] = []): readonly StoreBatch[] {
  const { store, batches } = memoryStore(earlier);
  const { core } = openTestCore(virtualClock(START + 400 * 5 * 60_000), store);
  core.replay(log);
  core.flush();
  return batches;
}

const rowsIn = (batches: readonly StoreBatch[]) =>
  batches.flatMap(({ rows }) => rows).filter(({ type }) => type !== 'event');

describe('given a log of 400 turns over 33 hours that is taken in by batches', () => {
  it('when the app dies after any of the batches, then the next life takes in the rest, and every row is there once', () => {
    const log = longLog();
    const whole = takenIn(log);
    expect(whole.length).toBeGreaterThan(10);
    for (let died = 0; died < whole.length; died += isNightly ? 1 : 5) {
      const resumed = takenIn(log, whole.slice(0, died));
      expect(rowsIn(resumed)).toEqual(rowsIn(whole));
      expect(resumed.at(-1)?.open).toEqual(whole.at(-1)?.open);
    }
  });
});
