import type { LiveQuery, LiveRow } from '../../core/base/store-rows';
import type { Cell, Database, Row } from './driver';

const ANSWERED = "outcome IN ('success', 'slow')";
const FAILED = "outcome IN ('failure', 'limited')";

/** Groups by time to the first token too, so that one scan returns both. A failure has none. */
const ASKED = (theirs: string): string => `SELECT agent, model, first_token_ms AS firstTokenMs,
    sum(${ANSWERED}) AS answered, sum(${FAILED}) AS failed
  FROM attempts WHERE ${theirs} GROUP BY agent, model, first_token_ms ORDER BY first_token_ms`;

/**
 * A turn has the result of its last attempt, in the order of reports. It counts at that attempt's start, so that a turn
 * which continues after the range counts in the next one.
 */
const ENDED = (theirs: string): string => `SELECT agent, model, count(*) AS turns FROM
    (SELECT session, turn, agent, model, outcome, max(rowid) FROM attempts WHERE ${theirs} GROUP BY turn) AS ended
  WHERE ${ANSWERED} AND NOT EXISTS (SELECT 1 FROM attempts AS later
    WHERE later.session = ended.session AND later.at >= ? AND later.turn = ended.turn AND later.purpose = 'turn')
  GROUP BY agent, model`;

const USED = (theirs: string): string => `SELECT agent, model, count(*) AS reports, count(cost_nanos) AS priced,
    coalesce(sum(cost_nanos), 0) AS costNanos
  FROM usage WHERE ${theirs} GROUP BY agent, model`;

type Draft = { -readonly [K in keyof LiveRow]: LiveRow[K] } & { firstTokens: [ms: number, answers: number][] };

/**
 * Returns the results of each model by agent and model. Uses single attempts, because the hourly sums include
 * OpenCode's own requests in the agent's.
 * @throws SQLite's error.
 */
export function readLive(database: Database, { agent, sinceMs, untilMs }: LiveQuery): LiveRow[] {
  const rows = new Map<string, Draft>();
  const theirs = `at >= ? AND at < ? AND purpose = 'turn'${agent === undefined ? '' : ' AND agent = ?'}`;
  const values: readonly Cell[] = [sinceMs, untilMs, ...(agent === undefined ? [] : [agent])];
  for (const found of database.all(ASKED(theirs), values)) {
    const row = rowFor(rows, found);
    row.answered += Number(found.answered);
    row.failed += Number(found.failed);
    if (found.firstTokenMs !== null) row.firstTokens.push([Number(found.firstTokenMs), Number(found.answered)]);
  }
  for (const found of database.all(ENDED(theirs), [...values, untilMs]))
    rowFor(rows, found).answeredTurns = Number(found.turns);
  for (const found of database.all(USED(theirs), values)) {
    const { reports, priced, costNanos } = found;
    Object.assign(rowFor(rows, found), {
      reports: Number(reports),
      priced: Number(priced),
      costNanos: Number(costNanos),
    });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function rowFor(rows: Map<string, Draft>, { agent, model }: Row): Draft {
  const key = JSON.stringify([agent, model]);
  const nothing = { answered: 0, failed: 0, answeredTurns: 0, reports: 0, priced: 0, costNanos: 0 };
  const row = rows.get(key) ?? { agent: String(agent), model: String(model), ...nothing, firstTokens: [] };
  rows.set(key, row);
  return row;
}
