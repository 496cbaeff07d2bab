import { hourOf } from '../../engine/scorecard';
import { addUpDays } from './days';
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

const PROVIDER = "CASE instr(model, '/') WHEN 0 THEN model ELSE substr(model, 1, instr(model, '/') - 1) END";
const KEYS = `at / ${HOUR_MS}, model, ${PROVIDER}, agent, coalesce(position, -1)`;

/** An attempt without an end by now will never have one. */
const ROLL_ATTEMPTS = `INSERT INTO rollups (hour, model, provider, agent, position,
    success, slow, failure, limited, neutral, answered_ms)
  SELECT ${KEYS}, sum(outcome = 'success'), sum(outcome = 'slow'), sum(outcome = 'failure'), sum(outcome = 'limited'),
    sum(outcome IN ('neutral', 'inFlight')), sum(CASE WHEN outcome IN ('success', 'slow') THEN duration_ms ELSE 0 END)
  FROM attempts WHERE at < ? GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (hour, model, agent, position) DO UPDATE SET success = success + excluded.success,
    slow = slow + excluded.slow, failure = failure + excluded.failure, limited = limited + excluded.limited,
    neutral = neutral + excluded.neutral, answered_ms = answered_ms + excluded.answered_ms`;
const ROLL_USAGE = `INSERT INTO rollups (hour, model, provider, agent, position,
    input, output, reasoning, cache_read, cache_write, reports, priced, cost_nanos)
  SELECT ${KEYS}, sum(input), sum(output), sum(reasoning), sum(cache_read), sum(cache_write),
    count(*), count(cost_nanos), coalesce(sum(cost_nanos), 0)
  FROM usage WHERE at < ? GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (hour, model, agent, position) DO UPDATE SET input = input + excluded.input,
    output = output + excluded.output, reasoning = reasoning + excluded.reasoning,
    cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
    reports = reports + excluded.reports, priced = priced + excluded.priced,
    cost_nanos = cost_nanos + excluded.cost_nanos`;

const OLDEST = `SELECT min(at) AS at FROM (SELECT min(at) AS at FROM attempts UNION ALL SELECT min(at) FROM usage
  UNION ALL SELECT min(at) FROM switches UNION ALL SELECT min(at) FROM events)`;
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
    database.run(ROLL_ATTEMPTS, [before]);
    database.run(ROLL_USAGE, [before]);
    for (const table of ['attempts', 'usage', 'switches', 'events'])
      database.run(`DELETE FROM ${table} WHERE at < ?`, [before]);
    database.run('DELETE FROM sessions WHERE last_at < ?', [before]);
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
