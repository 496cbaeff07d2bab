import type { EventRow } from '../../contract/snapshot';
import type {
  AttemptExport,
  AttemptsQuery,
  FiguresQuery,
  RefusedTurn,
  StoredCard,
  TimeQuery,
} from '../../core/base/store-rows';
import { type CellRow, DEFAULT_SCORECARD_OPTIONS, type OpenPart, startOf } from '../../engine/scorecard';
import type { Cell, Database, Row } from './driver';
import { IMPORTED_SERIAL } from './imported';
import { eventOf } from './read-events';
import { HOURS_A_DAY, REFUSALS_SINCE, sessionKey, versionOf } from './schema';

export function readCursor(database: Database): number {
  return Number(metaOf(database, 'cursor') ?? 0);
}

/** The state that the running scorecard continues from. */
export function readCard(database: Database): StoredCard | null {
  const text = metaOf(database, 'card');
  if (text === null) return null;
  const open = JSON.parse(text) as OpenPart;
  const sinceHour = (open.latestHour ?? 0) - DEFAULT_SCORECARD_OPTIONS.hoursKept + 1;
  const cells = [
    ...readHours(database, { sinceHour }),
    ...open.sessions.flatMap(([session, { serial }]) =>
      readHours(database, { session, sinceHour }).filter((row) => row.serial === serial),
    ),
  ];
  return { open, cells };
}

/**
 * With `isByDay`, a complete day is in its first hour. Imports end where own records begin: both would count the same
 * answers.
 */
export function readFigures(database: Database, query: FiguresQuery): CellRow[] {
  const { session, project, sinceHour = 0, untilHour = Number.MAX_SAFE_INTEGER, isByDay = false } = query;
  const first = Math.ceil(sinceHour / HOURS_A_DAY);
  const end = isByDay ? Math.min(Math.floor(untilHour / HOURS_A_DAY), lastDay(database) + 1) : 0;
  if (session !== undefined || project !== undefined || end <= first) return readHours(database, query);
  return [
    ...readHours(database, { sinceHour, untilHour: first * HOURS_A_DAY }),
    ...database.all(DAYS, [first, end]).map((row) => cellRow(row, null)),
    ...readHours(database, { sinceHour: end * HOURS_A_DAY, untilHour }),
  ];
}

const DAYS = 'SELECT 0 AS serial, hour, model, cell FROM days WHERE day >= ? AND day < ? ORDER BY day';
const COUNTS = `(serial <> ${IMPORTED_SERIAL} OR hour < ?)`;

export const OF_PROJECT = 'SELECT session FROM sessions WHERE project = ?';

export function readHours(database: Database, query: FiguresQuery): CellRow[] {
  const { session = null, project, sinceHour = 0, untilHour = Number.MAX_SAFE_INTEGER } = query;
  const texts =
    project === undefined
      ? database.all(OF_SESSION, [sessionKey(session), sinceHour, untilHour, firstOwnHour(database)])
      : database.all(OF_PROJECTS, [project, sinceHour, untilHour]);
  return texts.flatMap(({ cells }) =>
    (JSON.parse(`[${String(cells)}]`) as CellText[]).map(([serial, hour, model, cell]) => ({
      session: project === undefined ? session : null,
      serial,
      hour,
      model,
      cell,
    })),
  );
}

type CellText = readonly [serial: number, hour: number, model: string, cell: CellRow['cell']];
/** A row for each cell takes half as long again to transfer. */
const TEXTS = `SELECT group_concat('[' || serial || ',' || hour || ',' || json_quote(model) || ',' || cell || ']') AS cells FROM cells`;
const OF_SESSION = `${TEXTS} WHERE session = ? AND hour >= ? AND hour < ? AND ${COUNTS} GROUP BY hour`;
const OF_PROJECTS = `${TEXTS} WHERE session IN (${OF_PROJECT}) AND hour >= ? AND hour < ? GROUP BY session`;

const cellRow = (row: Row, session: string | null): CellRow => ({
  session,
  serial: Number(row.serial),
  hour: Number(row.hour),
  model: String(row.model),
  cell: JSON.parse(String(row.cell)) as CellRow['cell'],
});

/** The last summed day; -1 for none. */
export function lastDay(database: Database): number {
  return Number(database.all('SELECT max(day) AS day FROM days')[0]?.day ?? -1);
}

export function firstHour(database: Database, since: number): number | null {
  const sql = `SELECT hour FROM cells WHERE session = '' AND hour >= ? AND ${COUNTS} ORDER BY hour LIMIT 1`;
  const [row] = database.all(sql, [since, firstOwnHour(database)]);
  return row ? Number(row.hour) : null;
}

/** Without own records: later than all hours. */
export function firstOwnHour(database: Database): number {
  const own = `SELECT hour FROM cells WHERE session = '' AND serial <> ${IMPORTED_SERIAL} ORDER BY hour LIMIT 1`;
  return Number(database.all(own)[0]?.hour ?? Number.MAX_SAFE_INTEGER);
}

/** `oldestAt` is null without figures. */
export function readExtent(database: Database): { attempts: number; oldestAt: number | null } {
  const attempts = Number(database.all('SELECT count(*) AS n FROM attempts')[0]?.n);
  const first = firstHour(database, 0);
  return { attempts, oldestAt: first === null ? null : startOf(first) };
}

const TRANSITIONS = `SELECT id, row FROM (SELECT id, at, row FROM events
  WHERE code LIKE 'model.%' AND at >= ? AND at < ? ORDER BY at DESC, id DESC LIMIT 1000) ORDER BY at, id`;

export function readTransitions(database: Database, { sinceMs, untilMs }: TimeQuery): EventRow[] {
  return database.all(TRANSITIONS, [sinceMs, untilMs]).map(eventOf);
}

const ATTEMPT = `SELECT at, session, turn, agent, model, position, purpose, outcome, kind, status,
  duration_ms AS durationMs, first_token_ms AS firstTokenMs FROM attempts WHERE at >= ? AND at < ?`;

export function readAttempts(database: Database, query: AttemptsQuery): Iterable<AttemptExport> {
  const [theirs, values] = theirsOf(query);
  const rows = database.each(`${ATTEMPT}${theirs} ORDER BY at, rowid`, values);
  return rows as Iterable<AttemptExport & Row>;
}

/** Turns for which all models were unavailable. */
export function readRefused(database: Database, query: AttemptsQuery): readonly RefusedTurn[] {
  if (versionOf(database) < REFUSALS_SINCE) return [];
  const [theirs, values] = theirsOf(query);
  const sql = `SELECT turn, session, agent, at FROM refusals WHERE at >= ? AND at < ?${theirs} ORDER BY at, turn`;
  return database.all(sql, values) as unknown as readonly RefusedTurn[];
}

const theirsOf = ({
  sinceMs,
  untilMs,
  sessions,
  project,
}: AttemptsQuery): [condition: string, values: readonly Cell[]] => [
  `${sessions ? ` AND session IN (${sessions.map(() => '?').join()})` : ''}${
    project === undefined ? '' : ` AND session IN (${OF_PROJECT})`
  }`,
  [sinceMs, untilMs, ...(sessions ?? []), ...(project === undefined ? [] : [project])],
];

export function readFamily(database: Database, session: string): readonly string[] {
  const found = database.all(
    `WITH RECURSIVE family (session) AS (VALUES (?) UNION
      SELECT sessions.session FROM sessions JOIN family ON sessions.parent = family.session)
     SELECT session FROM family`,
    [session],
  );
  return found.map((row) => String(row.session));
}

function metaOf(database: Database, name: string): string | null {
  const [row] = database.all('SELECT value FROM meta WHERE name = ?', [name]);
  return row ? String(row.value) : null;
}
