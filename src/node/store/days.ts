import { ledgerOf } from '../../engine/scorecard';
import type { Database } from './driver';
import { firstHour, lastDay, readHours } from './read';
import { HOURS_A_DAY, inTransaction } from './schema';

const ADDED_UP = 'INSERT OR REPLACE INTO days (day, model, hour, cell) VALUES (?, ?, ?, ?)';

/**
 * Sums complete days, so that months need one row per day, not 24. A changed day deletes its row and all later ones.
 */
export function* addUpDays(database: Database, hour: number): Generator<void> {
  for (;;) {
    const first = firstHour(database, (lastDay(database) + 1) * HOURS_A_DAY);
    if (first === null || first >= Math.floor(hour / HOURS_A_DAY) * HOURS_A_DAY) return;
    addUpDay(database, first);
    yield;
  }
}

function addUpDay(database: Database, first: number): void {
  const day = Math.floor(first / HOURS_A_DAY);
  const rows = readHours(database, { sinceHour: first, untilHour: (day + 1) * HOURS_A_DAY });
  const [sum] = ledgerOf(rows.map((row) => ({ ...row, hour: first })));
  inTransaction(database, () => {
    for (const [model, cell] of sum?.cells ?? []) database.run(ADDED_UP, [day, model, first, JSON.stringify(cell)]);
  });
}
