import type { UsageSplit } from '../../contract';
import type { SplitSum, SplitSumsQuery } from '../../core/base/store-rows';

import type { Database } from './driver';
import { firstOwnHour } from './read';
import { IMPORTED_POSITION, keysOf } from './sums';

const KEYS: Readonly<Record<UsageSplit, string>> = {
  position: 'position',
  model: 'model',
  provider: 'provider',
  agent: 'agent',
};

const OF_ALL = `SELECT hour, model, provider, agent, position,
    success + slow + failure + limited + neutral + in_flight AS attempts, success + slow AS answered,
    failure + limited AS failed, input, output, reasoning, cache_read, cache_write, reports, priced, cost_nanos
  FROM rollups WHERE hour >= ? AND hour < ? AND (position <> ${IMPORTED_POSITION} OR hour < ?)`;

const ROW = `SELECT ${keysOf('')}`;
const NAMED = 'hour, model, provider, agent, position, attempts, answered, failed';

/** Of sessions nothing is summed up: they are small, and their detail is indexed. */
const ofSessions = (places: string): string => `WITH one (${NAMED},
    input, output, reasoning, cache_read, cache_write, reports, priced, cost_nanos) AS (
  ${ROW}, 1, outcome IN ('success', 'slow'), outcome IN ('failure', 'limited'), 0, 0, 0, 0, 0, 0, 0, 0
    FROM attempts WHERE session IN (${places})
  UNION ALL
  ${ROW}, 0, 0, 0, input, output, reasoning, cache_read, cache_write, 1, cost_nanos IS NOT NULL, coalesce(cost_nanos, 0)
    FROM usage WHERE session IN (${places})
) SELECT * FROM one WHERE hour >= ? AND hour < ?`;

/**
 * What was asked, answered and used, by hour and by one property of who spoke: of everything that is kept, or of some
 * sessions. What was imported counts up to the hour in which own records begin. @throws what SQLite says.
 */
export function readSums(database: Database, query: SplitSumsQuery): SplitSum[] {
  const { splitBy, sinceHour, untilHour, sessions } = query;
  const source = sessions ? ofSessions(sessions.map(() => '?').join()) : OF_ALL;
  const rows = database.all(
    `SELECT hour, ${KEYS[splitBy]} AS name, sum(attempts) AS attempts, sum(answered) AS answered, sum(failed) AS failed,
      sum(attempts * (position > 0)) AS past, sum(attempts * (position >= 0)) AS placed,
      sum(input) AS input, sum(output) AS output, sum(reasoning) AS reasoning,
      sum(cache_read) AS cacheRead, sum(cache_write) AS cacheWrite,
      sum(reports) AS reports, sum(priced) AS priced, sum(cost_nanos) AS costNanos
    FROM (${source}) GROUP BY 1, 2`,
    sessions ? [...sessions, ...sessions, sinceHour, untilHour] : [sinceHour, untilHour, firstOwnHour(database)],
  );
  // The columns are the fields.
  return rows.map((row) => ({ ...row, name: String(row.name) })) as unknown as SplitSum[];
}

/** The oldest hour that has sums; null without any. @throws what SQLite says. */
export function readOldestHour(database: Database): number | null {
  const hour = database.all('SELECT min(hour) AS hour FROM rollups')[0]?.hour ?? null;
  return hour === null ? null : Number(hour);
}
