import type { UsageSplit } from '../../contract/usage';
import type { ModelSlot, SplitSum, SplitSumsQuery } from '../../core/base/store-rows';
import type { Database } from './driver';
import { firstOwnHour, OF_PROJECT } from './read';
import { IMPORTED_POSITION, keysOf } from './sums';

const SLOTS = 'SELECT model, slot FROM model_slots ORDER BY slot';

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

/** Sessions have no sums: they are small, and their detail is indexed. */
const ofSessions = (theirs: string): string => `WITH one (${NAMED},
    input, output, reasoning, cache_read, cache_write, reports, priced, cost_nanos) AS (
  ${ROW}, 1, outcome IN ('success', 'slow'), outcome IN ('failure', 'limited'), 0, 0, 0, 0, 0, 0, 0, 0
    FROM attempts WHERE session IN (${theirs})
  UNION ALL
  ${ROW}, 0, 0, 0, input, output, reasoning, cache_read, cache_write, 1, cost_nanos IS NOT NULL, coalesce(cost_nanos, 0)
    FROM usage WHERE session IN (${theirs})
) SELECT * FROM one WHERE hour >= ? AND hour < ?`;

/** In the order of `sumOf`. */
const ADDED = `sum(attempts), sum(answered), sum(failed), sum(attempts * (position > 0)), sum(attempts * (position >= 0)),
    sum(input), sum(output), sum(reasoning), sum(cache_read), sum(cache_write), sum(reports), sum(priced), sum(cost_nanos)`;
type N = number;
type Added = readonly [string | N, N, N, N, N, N, N, N, N, N, N, N, N, N];

export function readSums(database: Database, query: SplitSumsQuery): SplitSum[] {
  const { splitBy, sinceHour, untilHour, isWhole = false } = query;
  const [source, values] = sourceOf(database, query);
  // A row per part takes three times as long to transfer.
  const rows = database.all(
    `SELECT hour, group_concat(part) AS parts FROM (
      SELECT ${isWhole ? '0 AS ' : ''}hour, json_array(${KEYS[splitBy]}, ${ADDED}) AS part FROM (${source})
      GROUP BY 1, ${KEYS[splitBy]}
    ) GROUP BY hour`,
    [...values.before, sinceHour, untilHour, ...values.after],
  );
  return rows.flatMap(({ hour, parts }) =>
    (JSON.parse(`[${String(parts)}]`) as Added[]).map((part) => sumOf(Number(hour), part)),
  );
}

/** A spread takes longer than the store. */
function sumOf(hour: number, part: Added): SplitSum {
  const [name, attempts, answered, failed, past, placed, input, output, reasoning, cacheRead, cacheWrite, ...rest] =
    part;
  const [reports, priced, costNanos] = rest;
  return {
    hour,
    name: String(name),
    attempts,
    answered,
    failed,
    past,
    placed,
    input,
    output,
    reasoning,
    cacheRead,
    cacheWrite,
    reports,
    priced,
    costNanos,
  };
}

type Values = Readonly<{ before: readonly string[]; after: readonly number[] }>;

function sourceOf(database: Database, { sessions, project }: SplitSumsQuery): [sql: string, values: Values] {
  if (project !== undefined) return [ofSessions(OF_PROJECT), { before: [project, project], after: [] }];
  if (sessions) return [ofSessions(sessions.map(() => '?').join()), { before: [...sessions, ...sessions], after: [] }];
  return [OF_ALL, { before: [], after: [firstOwnHour(database)] }];
}

export function readOldestHour(database: Database, isDetail = false): number | null {
  const sql = isDetail ? 'SELECT min(at) / 3600000 AS hour FROM attempts' : 'SELECT min(hour) AS hour FROM rollups';
  const hour = database.all(sql)[0]?.hour ?? null;
  return hour === null ? null : Number(hour);
}

const PROJECTS = 'SELECT project FROM sessions GROUP BY project ORDER BY max(last_at) DESC, project LIMIT 200';

export const readProjects = (database: Database): string[] =>
  database.all(PROJECTS).map(({ project }) => String(project));
