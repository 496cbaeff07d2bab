import type { LiveQuery, LiveRow } from '../../core/base/store-rows';
import type { Cell, Database, Row } from './driver';

const ANSWERED = "outcome IN ('success', 'slow')";
const FAILED = "outcome IN ('failure', 'limited')";

/** By time to the first token too, so that one scan returns both. */
const ASKED = (theirs: string): string => `SELECT agent, model, first_token_ms AS firstTokenMs,
    sum(${ANSWERED}) AS answered, sum(${FAILED}) AS failed
  FROM attempts WHERE ${theirs} GROUP BY agent, model, first_token_ms ORDER BY first_token_ms`;

/** A turn counts at the start of its last attempt: one that continues after the range counts in the next. */
const ENDED = (theirs: string): string => `SELECT agent, model, count(*) AS turns FROM
    (SELECT session, turn, agent, model, outcome, max(rowid) FROM attempts WHERE ${theirs} GROUP BY turn) AS ended
  WHERE ${ANSWERED} AND NOT EXISTS (SELECT 1 FROM attempts AS later
    WHERE later.session = ended.session AND later.at >= ? AND later.turn = ended.turn AND later.purpose = 'turn')
  GROUP BY agent, model`;

const USED = (theirs: string): string => `SELECT agent, model, count(*) AS reports, count(cost_nanos) AS priced,
    coalesce(sum(cost_nanos), 0) AS costNanos
  FROM usage WHERE ${theirs} GROUP BY agent, model`;

type Draft = { -readonly [K in keyof LiveRow]: LiveRow[K] } & { firstTokens: [ms: number, answers: number][] };

/** Not from the hourly sums: they include OpenCode's own requests in the agent's. */
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
