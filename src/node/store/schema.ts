import type { Database } from './driver';

const FIRST = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sessions (
  session TEXT PRIMARY KEY, parent TEXT, project TEXT NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE attempts (
  attempt TEXT PRIMARY KEY, turn TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL, model TEXT NOT NULL,
  position INTEGER, purpose TEXT NOT NULL, at INTEGER NOT NULL, duration_ms INTEGER, first_token_ms INTEGER,
  outcome TEXT NOT NULL, kind TEXT, status INTEGER, message TEXT
);
CREATE INDEX attempts_at ON attempts (at);
CREATE INDEX attempts_session ON attempts (session, at);
CREATE INDEX attempts_open ON attempts (session) WHERE outcome = 'inFlight';
CREATE TABLE switches (
  turn TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
  position INTEGER, kind TEXT, code TEXT NOT NULL, at INTEGER NOT NULL, carried INTEGER, duration_ms INTEGER
);
CREATE INDEX switches_at ON switches (at);
CREATE INDEX switches_turn ON switches (turn);
CREATE TABLE usage (
  session TEXT NOT NULL, turn TEXT NOT NULL, agent TEXT NOT NULL, model TEXT NOT NULL, position INTEGER,
  purpose TEXT NOT NULL, at INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
  reasoning INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, cost_nanos INTEGER
);
CREATE INDEX usage_at ON usage (at);
CREATE INDEX usage_session ON usage (session, at);
CREATE TABLE events (at INTEGER NOT NULL, code TEXT NOT NULL, session TEXT, row TEXT NOT NULL);
CREATE INDEX events_at ON events (at);
CREATE INDEX events_of_models ON events (at) WHERE code LIKE 'model.%';
CREATE TABLE cells (
  session TEXT NOT NULL, serial INTEGER NOT NULL, hour INTEGER NOT NULL, model TEXT NOT NULL, cell TEXT NOT NULL,
  PRIMARY KEY (session, hour, model, serial)
) WITHOUT ROWID;
CREATE TABLE rollups (
  hour INTEGER NOT NULL, model TEXT NOT NULL, provider TEXT NOT NULL, agent TEXT NOT NULL, position INTEGER NOT NULL,
  success INTEGER NOT NULL DEFAULT 0, slow INTEGER NOT NULL DEFAULT 0, failure INTEGER NOT NULL DEFAULT 0,
  limited INTEGER NOT NULL DEFAULT 0, neutral INTEGER NOT NULL DEFAULT 0, answered_ms INTEGER NOT NULL DEFAULT 0,
  input INTEGER NOT NULL DEFAULT 0, output INTEGER NOT NULL DEFAULT 0, reasoning INTEGER NOT NULL DEFAULT 0,
  cache_read INTEGER NOT NULL DEFAULT 0, cache_write INTEGER NOT NULL DEFAULT 0,
  reports INTEGER NOT NULL DEFAULT 0, priced INTEGER NOT NULL DEFAULT 0, cost_nanos INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (hour, model, agent, position)
) WITHOUT ROWID;
`;

/** Answers OpenCode remembers. A forked session repeats its messages under new ids, so what they say is their name. */
const IMPORTED = `
CREATE TABLE imported (
  at INTEGER NOT NULL, duration_ms INTEGER NOT NULL, model TEXT NOT NULL, agent TEXT NOT NULL, is_answer INTEGER NOT NULL,
  input INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL,
  cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, cost_nanos INTEGER,
  PRIMARY KEY (at, duration_ms, model, agent, input, output)
) WITHOUT ROWID;
`;

/** Figures of all sessions together, by whole days of UTC; `hour` is the first that has any. See days.ts. */
const DAYS = `
CREATE TABLE days (
  day INTEGER NOT NULL, model TEXT NOT NULL, hour INTEGER NOT NULL, cell TEXT NOT NULL, PRIMARY KEY (day, model)
) WITHOUT ROWID;
CREATE INDEX cells_of_sessions ON cells (hour) WHERE session <> '';
`;

/** What each version added, from version 1 on. A published one never changes. */
const MIGRATIONS: readonly string[] = [FIRST, IMPORTED, DAYS];

/** How a session is named in `cells`; the figures of all together have the empty name. */
export const sessionKey = (session: string | null): string => session ?? '';

/** Days are those of UTC. */
export const HOURS_A_DAY = 24;

/** The version this build writes. */
export const STORE_VERSION = MIGRATIONS.length;

/** The version of a file; 0 for an empty one. */
export function versionOf(database: Database): number {
  return Number(database.all('PRAGMA user_version')[0]?.user_version ?? 0);
}

/** Brings a file up to this build's version, one version at a time, each wholly or not at all. */
export function migrate(database: Database): void {
  for (let version = versionOf(database); version < STORE_VERSION; version++)
    inTransaction(database, () => database.exec(`${MIGRATIONS[version]}PRAGMA user_version = ${version + 1};`));
}

/** Does all of `work` or, when it throws, nothing. @throws what `work` throws. */
export function inTransaction(database: Database, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
