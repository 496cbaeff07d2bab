import { DEFAULT_PREFERENCES, type Preferences } from '../../contract/preferences';
import { hourOf } from '../../engine/scorecard';
import { addUpDays } from './days';
import type { Database } from './driver';
import { inTransaction } from './schema';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type Keeping = Readonly<{
  /** Attempts, switches, usage and events one by one; what is older stays as sums by hour. */
  detailDays: number;
  /** The file may grow to this; beyond it the oldest day of detail becomes sums early. */
  maxBytes: number;
}>;

const MEBIBYTE = 1_048_576;

/** What preferences ask to be kept; half a gigabyte is about 1.5 million attempts. */
export const keepingOf = ({ detailDays, maxMebibytes }: Preferences['history']): Keeping => ({
  detailDays,
  maxBytes: maxMebibytes * MEBIBYTE,
});

export const DEFAULT_KEEPING: Keeping = keepingOf(DEFAULT_PREFERENCES.history);

/** An attempt without an end by now will never have one. */
const GIVE_UP = "UPDATE attempts SET outcome = 'neutral' WHERE at < ? AND outcome = 'inFlight'";

const OLDEST = `SELECT min(at) AS at FROM (SELECT min(at) AS at FROM attempts UNION ALL SELECT min(at) FROM usage
  UNION ALL SELECT min(at) FROM switches UNION ALL SELECT min(at) FROM events UNION ALL SELECT min(at) FROM refusals
  UNION ALL SELECT min(at) FROM limits)`;
/** Free pages are given back so many at a time: a mebibyte. */
const PAGES_A_STEP = 256;

/**
 * Holds a file to what is kept of it at `now`, Unix ms, in steps of some milliseconds between which others may have their
 * turn: an hour of detail at a time becomes sums by hour, model, agent, provider and position. A step is done or not.
 *
 * @throws what SQLite says.
 */
export function* keepSteps(
  database: Database,
  now: number,
  { detailDays, maxBytes }: Keeping = DEFAULT_KEEPING,
): Generator<void> {
  yield* rollUpSteps(database, now - detailDays * DAY_MS);
  while (sizeOf(database) > maxBytes) {
    const oldest = oldestOf(database);
    // The last day is never given up: what is left then is not detail.
    if (oldest === null || oldest + DAY_MS > now) break;
    yield* rollUpSteps(database, oldest + DAY_MS);
  }
  yield* addUpDays(database, hourOf(now));
  while (pragma(database, 'freelist_count') > 0) {
    const before = pragma(database, 'freelist_count');
    database.exec(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`);
    // A file of an earlier version may not be able to.
    if (pragma(database, 'freelist_count') === before) return;
    yield;
  }
}

/** Replaces detail before `atMs`, an hour at a time. Whole hours, so that each is either detail or a sum. */
function* rollUpSteps(database: Database, atMs: number): Generator<void> {
  const end = Math.floor(atMs / HOUR_MS) * HOUR_MS;
  for (;;) {
    const oldest = oldestOf(database);
    const isOver = oldest === null || oldest >= end;
    rollUp(database, isOver ? end : Math.floor(oldest / HOUR_MS) * HOUR_MS + HOUR_MS);
    if (isOver) return;
    yield;
  }
}

function rollUp(database: Database, before: number): void {
  inTransaction(database, () => {
    database.run(GIVE_UP, [before]);
    for (const table of ['attempts', 'usage', 'switches', 'events', 'refusals', 'limits'])
      database.run(`DELETE FROM ${table} WHERE at < ?`, [before]);
    database.run('DELETE FROM sessions WHERE last_at < ?', [before]);
    database.run('DELETE FROM speakers WHERE session NOT IN (SELECT session FROM sessions)');
    database.run("DELETE FROM cells WHERE session <> '' AND hour < ?", [before / HOUR_MS]);
  });
}

/** The moment of the oldest detail; null when there is none. */
function oldestOf(database: Database): number | null {
  const at = database.all(OLDEST)[0]?.at ?? null;
  return at === null ? null : Number(at);
}

/** Size of what a file holds, in bytes; free pages are not counted. */
export const sizeOf = (database: Database): number =>
  (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size');

const pragma = (database: Database, name: string): number =>
  Number(Object.values(database.all(`PRAGMA ${name}`)[0] ?? {})[0] ?? 0);
