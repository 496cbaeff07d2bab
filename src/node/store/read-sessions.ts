import type { SessionsQuery, StoredModel, StoredSession, StoredTurn, StoredUse } from '../../core/base/store-rows';
import type { Database, Row } from './driver';

const IS_ROOT = '(parent IS NULL OR NOT EXISTS (SELECT 1 FROM sessions WHERE session = root.parent))';
const SPOKE = 'EXISTS (SELECT 1 FROM speakers AS spoke WHERE spoke.session = part.session';
const FITS = `(?1 = '' OR session IN (SELECT value FROM json_each(?3)) OR instr(lower(project), ?1) OR instr(lower(session), ?1)
  OR EXISTS (SELECT 1 FROM (SELECT root.session UNION ALL SELECT session FROM sessions WHERE parent = root.session)
    AS part WHERE ${SPOKE} AND (instr(lower(agent), ?1) OR instr(lower(model), ?1)))))`;
const FOUND = `FROM sessions AS root WHERE ${IS_ROOT} AND session NOT IN (SELECT value FROM json_each(?2)) AND ${FITS}`;
const COLUMNS = 'session, project, first_at AS firstAt, last_at AS lastAt';
const COUNT = `SELECT count(*) AS total ${FOUND}`;
const PAGE = `SELECT ${COLUMNS} ${FOUND} AND (last_at, session) < (?4, ?5) ORDER BY last_at DESC, session DESC LIMIT ?6`;

export function readSessions(
  database: Database,
  { search, also = [], before, except, limit }: SessionsQuery,
): Readonly<{ sessions: readonly StoredSession[]; total: number }> {
  const wanted = [search.toLowerCase(), JSON.stringify(except), JSON.stringify(also)];
  const from = [before?.at ?? Number.MAX_SAFE_INTEGER, before?.session ?? ''];
  return {
    sessions: database.all(PAGE, [...wanted, ...from, limit]) as unknown as StoredSession[],
    total: Number(database.all(COUNT, wanted)[0]?.total ?? 0),
  };
}

export function readSession(database: Database, session: string): StoredSession | null {
  const [row] = database.all(`SELECT ${COLUMNS} FROM sessions WHERE session = ?`, [session]);
  return (row as unknown as StoredSession | undefined) ?? null;
}

const THEIRS = 'session IN (SELECT value FROM json_each(?))';

export function readAgents(database: Database, sessions: readonly string[]): string[] {
  const rows = database.all(`SELECT DISTINCT agent FROM speakers WHERE ${THEIRS} ORDER BY agent`, [
    JSON.stringify(sessions),
  ]);
  return rows.map(({ agent }) => String(agent));
}

const ASKED = `SELECT model,
  min(CASE WHEN outcome IN ('success', 'slow') THEN at + coalesce(duration_ms, 0) END) AS answeredAt
  FROM attempts WHERE ${THEIRS} AND purpose = 'turn' GROUP BY model ORDER BY min(at), min(rowid)`;

export const readModels = (database: Database, sessions: readonly string[]): StoredModel[] =>
  database.all(ASKED, [JSON.stringify(sessions)]) as unknown as StoredModel[];

/** A failed request or one to a fallback model is trouble; one that a person stopped is not. */
const TROUBLED = `max(outcome IN ('failure', 'limited') OR coalesce(position, 0) > 0
  OR (outcome = 'neutral' AND kind IS NOT NULL AND kind <> 'aborted'))`;
const TURNS = `SELECT turn, session, min(agent) AS agent, min(at) AS at, max(at) AS lastAt,
  max(at + coalesce(duration_ms, 0)) AS until, ${TROUBLED} AS isTroubled
  FROM attempts WHERE ${THEIRS} AND purpose = 'turn' GROUP BY session, turn ORDER BY min(at), min(rowid)`;

export function readTurns(database: Database, sessions: readonly string[]): StoredTurn[] {
  const rows = database.all(TURNS, [JSON.stringify(sessions)]);
  return rows.map((row) => ({ ...(row as Row & StoredTurn), isTroubled: row.isTroubled === 1 }));
}

const USED = `SELECT turn, model, at, input + output + reasoning + cache_read + cache_write AS tokens,
  cost_nanos AS costNanos FROM usage WHERE ${THEIRS} AND at >= ? AND purpose = 'turn' ORDER BY at, rowid`;

export const readUsed = (database: Database, sessions: readonly string[], sinceMs: number): StoredUse[] =>
  database.all(USED, [JSON.stringify(sessions), sinceMs]) as unknown as StoredUse[];
