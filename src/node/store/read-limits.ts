import type { AccountUse, LimitName, LimitSample, TimeQuery } from '../../core/base/store-rows';
import type { Database } from './driver';
import { beginning } from './read-events';

/** Limit of samples read per limit: more than twenty windows have, however often they are reported. */
const SAMPLES_MAX = 5_000;
const SAMPLES = `SELECT at, used, reset_at AS resetAt, length_ms AS lengthMs FROM limits
  WHERE account = ? AND name = ? AND model = ? ORDER BY at DESC LIMIT ${SAMPLES_MAX}`;

/** Returns a plan's usage samples, oldest first. */
export function readLimits(database: Database, limit: LimitName): LimitSample[] {
  const { account, window, model } = limit;
  const rows = database.all(SAMPLES, [account, window, model ?? '']).reverse();
  return rows.map((row) => ({ ...(row as unknown as LimitSample), account, window, model }));
}

/** Limit of steps read, latest first: a busy month. */
const USES_MAX = 50_000;
/** A sub-agent's usage counts for the conversation that a person began, as far as it is stored. */
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

/** Returns the usage of a provider's models, oldest first. */
export function readUsesOf(
  database: Database,
  { provider, sinceMs, untilMs }: TimeQuery & Readonly<{ provider: string }>,
): AccountUse[] {
  const [theirs, models] = beginning('model', `${provider}/`);
  return database.all(usesWhere(theirs), [sinceMs, untilMs, ...models]) as unknown as AccountUse[];
}
