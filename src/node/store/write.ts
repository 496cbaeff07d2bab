import type { StoreBatch, StoreRow } from '../../core/base/store-rows';
import type { CellRow } from '../../engine/scorecard';
import { failureText } from '../base/failure';
import { type Cell, type Database, isRefusal } from './driver';
import { HOURS_A_DAY, inTransaction, sessionKey } from './schema';

const SEEN = `INSERT INTO sessions (session, parent, project, first_at, last_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (session) DO UPDATE SET parent = coalesce(parent, excluded.parent), last_at = max(last_at, excluded.last_at)`;
const STARTED = `INSERT OR IGNORE INTO attempts (attempt, turn, session, agent, model, position, purpose, at, outcome)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'inFlight')`;
const ENDED = `UPDATE attempts SET outcome = ?, kind = ?, status = ?, message = ?, duration_ms = ?, first_token_ms = ?
  WHERE attempt = ? AND outcome = 'inFlight'`;
const REFUSED = 'INSERT OR REPLACE INTO refusals (turn, session, agent, at) VALUES (?, ?, ?, ?)';
const RESTED = "UPDATE attempts SET outcome = 'neutral' WHERE session = ? AND outcome = 'inFlight'";
const SPOKE = 'INSERT OR IGNORE INTO speakers (session, agent, model) VALUES (?, ?, ?)';
const SWITCHED = `INSERT INTO switches (turn, session, agent, source, target, position, kind, code, at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const CARRIED = `UPDATE switches SET carried = ?, duration_ms = ?
  WHERE rowid = (SELECT max(rowid) FROM switches WHERE turn = ? AND source = ?)`;
const USED = `INSERT INTO usage (session, turn, agent, model, position, purpose, at,
  input, output, reasoning, cache_read, cache_write, cost_nanos) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const EVENT = 'INSERT INTO events (id, at, code, session, row) VALUES (?, ?, ?, ?, ?)';
const TIMED = "UPDATE events SET row = json_set(row, '$.durationMs', ?) WHERE id = ?";
const LIMIT = 'INSERT INTO limits (account, name, model, at, used, reset_at, length_ms) VALUES (?, ?, ?, ?, ?, ?, ?)';
const CELL = 'INSERT OR REPLACE INTO cells (session, serial, hour, model, cell) VALUES (?, ?, ?, ?, ?)';
const META = 'INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)';

const REOPENED = 'DELETE FROM days WHERE day >= ?';

/** Contains no value, which may be private text. */
export type Refused = Readonly<{ what: StoreRow['type'] | 'figures'; reason: string }>;

/**
 * Skips changes that the file would always reject.
 * @returns the skipped changes.
 * @throws SQLite's error about the file or the machine.
 */
export function writeBatch(database: Database, { cursor, rows, cells, open }: StoreBatch): readonly Refused[] {
  const refused: Refused[] = [];
  // A failed statement rolls back only itself.
  const attempt = (what: Refused['what'], write: () => void): void => {
    try {
      write();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push({ what, reason: failureText(error) });
    }
  };
  inTransaction(database, () => {
    for (const row of rows) {
      attempt(row.type, () => database.run(...statementOf(row)));
      if (row.type === 'attempt.started' && row.purpose === 'turn')
        attempt(row.type, () => database.run(SPOKE, [row.session, row.agent, row.model]));
    }
    for (const cell of cells) attempt('figures', () => writeCell(database, cell));
    database.run(META, ['cursor', String(cursor)]);
    database.run(META, ['card', JSON.stringify(open)]);
  });
  return refused;
}

export function writeCell(database: Database, { session, serial, hour, model, cell }: CellRow): void {
  // The day's sum no longer matches its cells.
  if (session === null) database.run(REOPENED, [Math.floor(hour / HOURS_A_DAY)]);
  database.run(CELL, [sessionKey(session), serial, hour, model, JSON.stringify(cell)]);
}

function statementOf(row: StoreRow): [sql: string, values: readonly Cell[]] {
  switch (row.type) {
    case 'session.seen':
      return [SEEN, [row.session, row.parent, row.project, row.at, row.at]];
    case 'attempt.started': {
      const { attempt, turn, session, agent, model, position, purpose, at } = row;
      return [STARTED, [attempt, turn, session, agent, model, position, purpose, at]];
    }
    case 'attempt.ended': {
      const { outcome, kind, status, message, durationMs, firstTokenMs, attempt } = row;
      return [ENDED, [outcome, kind, status, message, durationMs, firstTokenMs, attempt]];
    }
    case 'turn.refused':
      return [REFUSED, [row.turn, row.session, row.agent, row.at]];
    case 'session.rested':
      return [RESTED, [row.session]];
    case 'switched': {
      const { turn, session, agent, from, to, position, kind, code, at } = row;
      return [SWITCHED, [turn, session, agent, from, to, position, kind, code, at]];
    }
    case 'switch.carried':
      return [CARRIED, [Number(row.ok), row.durationMs, row.turn, row.from]];
    case 'used': {
      const { session, turn, agent, model, position, purpose, at } = row;
      const { input, output, reasoning, cacheRead, cacheWrite, costNanos } = row;
      const figures = [input, output, reasoning, cacheRead, cacheWrite, costNanos];
      return [USED, [session, turn, agent, model, position, purpose, at, ...figures]];
    }
    case 'limit.seen': {
      const { account, window, model, at, used, resetAt, lengthMs } = row;
      return [LIMIT, [account, window, model ?? '', at, used, resetAt, lengthMs]];
    }
    case 'event':
      return [EVENT, [row.row.id, row.row.at, row.row.code, row.row.session, JSON.stringify(row.row)]];
    case 'event.timed':
      return [TIMED, [row.durationMs, row.id]];
  }
}
