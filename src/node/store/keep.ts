import type { Database } from './driver';
import { inTransaction } from './schema';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How much is kept. */
export type Keeping = Readonly<{
  /** Attempts, switches, usage and events one by one; what is older stays as sums by hour. */
  detailDays: number;
  /** The file may grow to this; beyond it the oldest day of detail becomes sums early. */
  maxBytes: number;
}>;

/** A month of detail; half a gigabyte is about 1.5 million attempts. */
export const DEFAULT_KEEPING: Keeping = { detailDays: 30, maxBytes: 512 * 1_048_576 };

/** An attempt without an end by now will never have one. */
const GIVE_UP = "UPDATE attempts SET outcome = 'neutral' WHERE at < ? AND outcome = 'inFlight'";

/** Lets go of detail before `atMs`: of it stay the sums by hour, which the tables keep. @throws what SQLite says. */
export function rollUp(database: Database, atMs: number): void {
  // Whole hours, so that an hour is either detail or a sum.
  const before = Math.floor(atMs / HOUR_MS) * HOUR_MS;
  inTransaction(database, () => {
    database.run(GIVE_UP, [before]);
    for (const table of ['attempts', 'usage', 'switches', 'events'])
      database.run(`DELETE FROM ${table} WHERE at < ?`, [before]);
    database.run('DELETE FROM sessions WHERE last_at < ?', [before]);
    database.run("DELETE FROM cells WHERE session <> '' AND hour < ?", [before / HOUR_MS]);
  });
  database.exec('PRAGMA incremental_vacuum');
}

/** Holds a file to what is kept of it at `now`, Unix ms. @throws what SQLite says. */
export function keep(database: Database, now: number, { detailDays, maxBytes }: Keeping = DEFAULT_KEEPING): void {
  rollUp(database, now - detailDays * DAY_MS);
  while (sizeOf(database) > maxBytes) {
    const oldest = database.all(
      'SELECT min(at) AS at FROM (SELECT min(at) AS at FROM attempts UNION ALL SELECT min(at) FROM events)',
    )[0]?.at;
    // The present hour is never given up: what is left then is not detail.
    if (oldest === null || oldest === undefined || Number(oldest) + DAY_MS > now) return;
    rollUp(database, Number(oldest) + DAY_MS);
  }
}

/** Size of what a file holds, in bytes; free pages are not counted. */
export function sizeOf(database: Database): number {
  const read = (name: string): number => Number(Object.values(database.all(`PRAGMA ${name}`)[0] ?? {})[0] ?? 0);
  return (read('page_count') - read('freelist_count')) * read('page_size');
}
