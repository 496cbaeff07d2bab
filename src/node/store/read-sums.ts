import type { UsageSplit } from '../../contract';
import type { ModelSlot, SplitSum, SplitSumsQuery } from '../../core/base/store-rows';
import type { Database } from './driver';
import { firstOwnHour, OF_PROJECT } from './read';
import { IMPORTED_POSITION, keysOf } from './sums';

const SLOTS = 'SELECT model, slot FROM model_slots ORDER BY slot';

/** The slot of every model that was ever seen. @throws what SQLite says. */
export const readSlots = (database: Database): ModelSlot[] => database.all(SLOTS) as unknown as ModelSlot[];

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

/** Of sessions nothing is summed up: they are small, and their detail is indexed. @param theirs says which, as SQL. */
const ofSessions = (theirs: string): string => `WITH one (${NAMED},
    input, output, reasoning, cache_read, cache_write, reports, priced, cost_nanos) AS (
  ${ROW}, 1, outcome IN ('success', 'slow'), outcome IN ('failure', 'limited'), 0, 0, 0, 0, 0, 0, 0, 0
    FROM attempts WHERE session IN (${theirs})
  UNION ALL
  ${ROW}, 0, 0, 0, input, output, reasoning, cache_read, cache_write, 1, cost_nanos IS NOT NULL, coalesce(cost_nanos, 0)
    FROM usage WHERE session IN (${theirs})
) SELECT * FROM one WHERE hour >= ? AND hour < ?`;

/**
 * What was asked, answered and used, by hour and by one property of who spoke: of everything that is kept, or of some
 * sessions. What was imported counts up to the hour in which own records begin. @throws what SQLite says.
 */
export function readSums(database: Database, query: SplitSumsQuery): SplitSum[] {
  const { splitBy, sinceHour, untilHour, isWhole = false } = query;
  const [source, values] = sourceOf(database, query);
  const rows = database.all(
    `SELECT ${isWhole ? '0 AS ' : ''}hour, ${KEYS[splitBy]} AS name, sum(attempts) AS attempts, sum(answered) AS answered, sum(failed) AS failed,
      sum(attempts * (position > 0)) AS past, sum(attempts * (position >= 0)) AS placed,
      sum(input) AS input, sum(output) AS output, sum(reasoning) AS reasoning,
      sum(cache_read) AS cacheRead, sum(cache_write) AS cacheWrite,
      sum(reports) AS reports, sum(priced) AS priced, sum(cost_nanos) AS costNanos
    FROM (${source}) GROUP BY 1, 2`,
    [...values.before, sinceHour, untilHour, ...values.after],
  );
  // The columns are the fields.
  return rows.map((row) => ({ ...row, name: String(row.name) })) as unknown as SplitSum[];
}

type Values = Readonly<{ before: readonly string[]; after: readonly number[] }>;

function sourceOf(database: Database, { sessions, project }: SplitSumsQuery): [sql: string, values: Values] {
  if (project !== undefined) return [ofSessions(OF_PROJECT), { before: [project, project], after: [] }];
  if (sessions) return [ofSessions(sessions.map(() => '?').join()), { before: [...sessions, ...sessions], after: [] }];
  return [OF_ALL, { before: [], after: [firstOwnHour(database)] }];
}

/** The oldest hour that has sums, or of which there is detail; null without any. @throws what SQLite says. */
export function readOldestHour(database: Database, isDetail = false): number | null {
  const sql = isDetail ? 'SELECT min(at) / 3600000 AS hour FROM attempts' : 'SELECT min(hour) AS hour FROM rollups';
  const hour = database.all(sql)[0]?.hour ?? null;
  return hour === null ? null : Number(hour);
}

const PROJECTS = 'SELECT project FROM sessions GROUP BY project ORDER BY max(last_at) DESC, project LIMIT 200';

/** Projects with sessions that are kept, the last active first. @throws what SQLite says. */
export const readProjects = (database: Database): string[] =>
  database.all(PROJECTS).map(({ project }) => String(project));
