import type { Database } from './driver';
import { importedSums, keysOf, USAGE_ADDED } from './sums';

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

/** A forked session repeats its messages under new ids, so the content is the key. */
const IMPORTED = `
CREATE TABLE imported (
  at INTEGER NOT NULL, duration_ms INTEGER NOT NULL, model TEXT NOT NULL, agent TEXT NOT NULL, is_answer INTEGER NOT NULL,
  input INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL,
  cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, cost_nanos INTEGER,
  PRIMARY KEY (at, duration_ms, model, agent, input, output)
) WITHOUT ROWID;
`;

/** Ids are never reused, so that links stay valid. */
const EVENTS = `
ALTER TABLE events RENAME TO events_before;
DROP INDEX events_at;
DROP INDEX events_of_models;
CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, code TEXT NOT NULL, session TEXT,
  kind TEXT AS (json_extract(row, '$.kind')) STORED,
  agent TEXT AS (json_extract(row, '$.agent')) STORED,
  model TEXT AS (json_extract(row, '$.model')) STORED,
  target TEXT AS (json_extract(row, '$.to')) STORED,
  actor TEXT AS (json_extract(row, '$.actor')) STORED,
  words TEXT AS (lower(code || ' ' || coalesce(json_extract(row, '$.agent'), '') || ' '
    || coalesce(json_extract(row, '$.model'), '') || ' ' || coalesce(json_extract(row, '$.to'), '') || ' '
    || coalesce(session, '') || ' ' || coalesce(json_extract(row, '$.detail'), ''))) STORED,
  row TEXT NOT NULL
);
INSERT INTO events (id, at, code, session, row) SELECT rowid, at, code, session, row FROM events_before ORDER BY rowid;
DROP TABLE events_before;
CREATE INDEX events_at ON events (at);
CREATE INDEX events_of_models ON events (at) WHERE code LIKE 'model.%';
CREATE INDEX events_alike ON events (code, kind, agent, model, target, actor);
`;

/** All sessions together; `hour` is the first with any. See days.ts. */
const DAYS = `
CREATE TABLE days (
  day INTEGER NOT NULL, model TEXT NOT NULL, hour INTEGER NOT NULL, cell TEXT NOT NULL, PRIMARY KEY (day, model)
) WITHOUT ROWID;
CREATE INDEX cells_of_sessions ON cells (hour) WHERE session <> '';
`;

const SESSIONS = `
CREATE TABLE speakers (
  session TEXT NOT NULL, agent TEXT NOT NULL, model TEXT NOT NULL, PRIMARY KEY (session, agent, model)
) WITHOUT ROWID;
INSERT OR IGNORE INTO speakers SELECT session, agent, model FROM attempts WHERE purpose = 'turn';
CREATE INDEX sessions_last ON sessions (last_at, session);
CREATE INDEX sessions_parent ON sessions (parent) WHERE parent IS NOT NULL;
`;

/** From here on the sums include hours with stored detail, so that no query reads all of it. */
const LIVE_SUMS = `
ALTER TABLE rollups ADD COLUMN in_flight INTEGER NOT NULL DEFAULT 0;
INSERT INTO rollups (hour, model, provider, agent, position, success, slow, failure, limited, neutral, in_flight, answered_ms)
  SELECT ${keysOf('')}, sum(outcome = 'success'), sum(outcome = 'slow'), sum(outcome = 'failure'), sum(outcome = 'limited'),
    sum(outcome = 'neutral'), sum(outcome = 'inFlight'),
    sum(CASE WHEN outcome IN ('success', 'slow') THEN duration_ms ELSE 0 END)
  FROM attempts WHERE true GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (hour, model, agent, position) DO UPDATE SET success = success + excluded.success,
    slow = slow + excluded.slow, failure = failure + excluded.failure, limited = limited + excluded.limited,
    neutral = neutral + excluded.neutral, in_flight = in_flight + excluded.in_flight,
    answered_ms = answered_ms + excluded.answered_ms;
INSERT INTO rollups (hour, model, provider, agent, position,
    input, output, reasoning, cache_read, cache_write, reports, priced, cost_nanos)
  SELECT ${keysOf('')}, sum(input), sum(output), sum(reasoning), sum(cache_read), sum(cache_write),
    count(*), count(cost_nanos), coalesce(sum(cost_nanos), 0)
  FROM usage WHERE true GROUP BY 1, 2, 3, 4, 5 ${USAGE_ADDED};
${importedSums('true')};
CREATE TRIGGER attempts_started AFTER INSERT ON attempts WHEN NEW.outcome = 'inFlight' BEGIN
  INSERT INTO rollups (hour, model, provider, agent, position, in_flight) VALUES (${keysOf('NEW.')}, 1)
  ON CONFLICT (hour, model, agent, position) DO UPDATE SET in_flight = in_flight + 1;
END;
CREATE TRIGGER attempts_ended AFTER UPDATE OF outcome ON attempts WHEN OLD.outcome = 'inFlight' BEGIN
  UPDATE rollups SET in_flight = in_flight - 1,
    success = success + (NEW.outcome = 'success'), slow = slow + (NEW.outcome = 'slow'),
    failure = failure + (NEW.outcome = 'failure'), limited = limited + (NEW.outcome = 'limited'),
    neutral = neutral + (NEW.outcome = 'neutral'),
    answered_ms = answered_ms
      + CASE WHEN NEW.outcome IN ('success', 'slow') THEN coalesce(NEW.duration_ms, 0) ELSE 0 END
  WHERE (hour, model, agent, position) = (NEW.at / 3600000, NEW.model, NEW.agent, coalesce(NEW.position, -1));
END;
CREATE TRIGGER usage_reported AFTER INSERT ON usage BEGIN
  INSERT INTO rollups (hour, model, provider, agent, position,
    input, output, reasoning, cache_read, cache_write, reports, priced, cost_nanos)
  VALUES (${keysOf('NEW.')}, NEW.input, NEW.output, NEW.reasoning, NEW.cache_read, NEW.cache_write,
    1, NEW.cost_nanos IS NOT NULL, coalesce(NEW.cost_nanos, 0)) ${USAGE_ADDED};
END;
`;

/** Turns for which all models were unavailable. */
const REFUSALS = `
CREATE TABLE refusals (
  turn TEXT PRIMARY KEY, session TEXT NOT NULL, agent TEXT NOT NULL, at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX refusals_at ON refusals (at);
`;

/** `of` is the row that names the model. */
const seen = (of: string): string => `INSERT INTO model_slots (model, slot)
    SELECT ${of}.model, (SELECT coalesce(max(slot) + 1, 0) FROM model_slots)
    WHERE NOT EXISTS (SELECT 1 FROM model_slots WHERE model = ${of}.model);`;

/** Each model's permanent number; charts derive its colour and pattern from it. */
const SLOTS = `
CREATE TABLE model_slots (model TEXT PRIMARY KEY, slot INTEGER NOT NULL UNIQUE) WITHOUT ROWID;
INSERT INTO model_slots (model, slot) SELECT model, row_number() OVER (ORDER BY min(hour), model) - 1 FROM
  (SELECT model, hour FROM rollups UNION ALL SELECT model, hour FROM cells) GROUP BY model;
CREATE TRIGGER model_asked AFTER INSERT ON rollups BEGIN
  ${seen('NEW')}
END;
CREATE TRIGGER model_counted AFTER INSERT ON cells BEGIN
  ${seen('NEW')}
END;
`;

/** A person's input, which the log lacks; `name` and `value` are JSON. */
const RANKING = `
CREATE TABLE ranking (part TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (part, name));
`;

/** `model` is empty if a limit is not that of one model. */
const LIMITS = `
CREATE TABLE limits (
  account TEXT NOT NULL, name TEXT NOT NULL, model TEXT NOT NULL, at INTEGER NOT NULL, used REAL NOT NULL,
  reset_at INTEGER NOT NULL, length_ms INTEGER
);
CREATE INDEX limits_of_account ON limits (account, name, model, at);
CREATE INDEX limits_at ON limits (at);
`;

/** A published version never changes. */
const MIGRATIONS: readonly string[] = [
  FIRST,
  IMPORTED,
  DAYS,
  SESSIONS,
  LIVE_SUMS,
  EVENTS,
  REFUSALS,
  SLOTS,
  RANKING,
  LIMITS,
];

export const REFUSALS_SINCE = MIGRATIONS.indexOf(REFUSALS) + 1;

export const sessionKey = (session: string | null): string => session ?? '';

/** Days are UTC days. */
export const HOURS_A_DAY = 24;

export const STORE_VERSION = MIGRATIONS.length;

export function versionOf(database: Database): number {
  return Number(database.all('PRAGMA user_version')[0]?.user_version ?? 0);
}

export function migrate(database: Database, upTo = STORE_VERSION): void {
  for (let version = versionOf(database); version < upTo; version++)
    inTransaction(database, () => database.exec(`${MIGRATIONS[version]}PRAGMA user_version = ${version + 1};`));
}

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
