import type { AccountUse, LimitName, LimitSample, TimeQuery } from '../../core/base/store-rows';
import type { Database } from './driver';
import { beginning } from './read-events';

/** More samples than twenty windows have. */
const SAMPLES_MAX = 5_000;
const SAMPLES = `SELECT at, used, reset_at AS resetAt, length_ms AS lengthMs FROM limits
  WHERE account = ? AND name = ? AND model = ? ORDER BY at DESC LIMIT ${SAMPLES_MAX}`;

export function readLimits(database: Database, limit: LimitName): LimitSample[] {
  const { account, window, model } = limit;
  const rows = database.all(SAMPLES, [account, window, model ?? '']).reverse();
  return rows.map((row) => ({ ...(row as unknown as LimitSample), account, window, model }));
}

/** A busy month. */
const USES_MAX = 50_000;
/** A sub-agent's usage counts for its topmost stored session. */
const usesWhere = (theirs: string): string => `WITH RECURSIVE
  own AS (SELECT at, session, agent, model, input + output + reasoning + cache_write AS tokens, rowid AS place
    FROM usage WHERE at >= ? AND at < ? AND ${theirs} ORDER BY at DESC LIMIT ${USES_MAX}),
  above (session, top, parent) AS (
    SELECT session, session, parent FROM sessions WHERE session IN (SELECT session FROM own)
    UNION SELECT above.session, sessions.session, sessions.parent FROM above JOIN sessions ON sessions.session = above.parent),
  root (session, top) AS (SELECT session, top FROM above
    WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.session = above.parent))
SELECT at, coalesce(root.top, own.session) AS session, agent, model, tokens
  FROM own LEFT JOIN root ON root.session = own.session ORDER BY at, place`;

export function readUsesOf(
  database: Database,
  { provider, sinceMs, untilMs }: TimeQuery & Readonly<{ provider: string }>,
): AccountUse[] {
  const [theirs, models] = beginning('model', `${provider}/`);
  return database.all(usesWhere(theirs), [sinceMs, untilMs, ...models]) as unknown as AccountUse[];
}
