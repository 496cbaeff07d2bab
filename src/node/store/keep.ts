import { DEFAULT_PREFERENCES, type Preferences } from '../../contract/preferences';
import { hourOf } from '../../engine/scorecard';
import { addUpDays } from './days';
import type { Database } from './driver';
import { inTransaction } from './schema';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type Keeping = Readonly<{
  /** Older data remains as hourly sums. */
  detailDays: number;
  /** Beyond this the oldest day of detail is summed early. */
  maxBytes: number;
}>;

const MEBIBYTE = 1_048_576;

/** Half a gigabyte holds about 1.5 million attempts. */
export const keepingOf = ({ detailDays, maxMebibytes }: Preferences['history']): Keeping => ({
  detailDays,
  maxBytes: maxMebibytes * MEBIBYTE,
});

export const DEFAULT_KEEPING: Keeping = keepingOf(DEFAULT_PREFERENCES.history);

const GIVE_UP = "UPDATE attempts SET outcome = 'neutral' WHERE at < ? AND outcome = 'inFlight'";

const OLDEST = `SELECT min(at) AS at FROM (SELECT min(at) AS at FROM attempts UNION ALL SELECT min(at) FROM usage
  UNION ALL SELECT min(at) FROM switches UNION ALL SELECT min(at) FROM events UNION ALL SELECT min(at) FROM refusals
  UNION ALL SELECT min(at) FROM limits)`;
const PAGES_A_STEP = 256;

/** Reduces a file to its limits in atomic steps of some ms: detail becomes sums, one hour at a time. */
export function* keepSteps(
  database: Database,
  now: number,
  { detailDays, maxBytes }: Keeping = DEFAULT_KEEPING,
): Generator<void> {
  yield* rollUpSteps(database, now - detailDays * DAY_MS);
  while (sizeOf(database) > maxBytes) {
    const oldest = oldestOf(database);
    // Never removes the last day; the remaining size is not detail.
    if (oldest === null || oldest + DAY_MS > now) break;
    yield* rollUpSteps(database, oldest + DAY_MS);
  }
  yield* addUpDays(database, hourOf(now));
  while (pragma(database, 'freelist_count') > 0) {
    const before = pragma(database, 'freelist_count');
    database.exec(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`);
    // A file of an earlier version may be unable to release pages.
    if (pragma(database, 'freelist_count') === before) return;
    yield;
  }
}

/** Each hour is either detail or a sum. */
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

function oldestOf(database: Database): number | null {
  const at = database.all(OLDEST)[0]?.at ?? null;
  return at === null ? null : Number(at);
}

export const sizeOf = (database: Database): number =>
  (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size');

const pragma = (database: Database, name: string): number =>
  Number(Object.values(database.all(`PRAGMA ${name}`)[0] ?? {})[0] ?? 0);
