import type { FiguresQuery, StoredCard } from '../../core/store-rows';
import { type CellRow, DEFAULT_SCORECARD_OPTIONS, type OpenPart } from '../../engine/scorecard';
import type { Cell, Database, Row } from './driver';
import { sessionKey } from './write';

/** Number of the last log record that is stored; 0 for none. */
export function readCursor(database: Database): number {
  return Number(metaOf(database, 'cursor') ?? 0);
}

/** What the running scorecard is continued with; null when nothing is stored. */
export function readCard(database: Database): StoredCard | null {
  const text = metaOf(database, 'card');
  if (text === null) return null;
  const open = JSON.parse(text) as OpenPart;
  const sinceHour = (open.latestHour ?? 0) - DEFAULT_SCORECARD_OPTIONS.hoursKept + 1;
  const cells = [
    ...readFigures(database, { sinceHour }),
    ...open.sessions.flatMap(([session, { serial }]) =>
      readFigures(database, { session, sinceHour }).filter((row) => row.serial === serial),
    ),
  ];
  return { open, cells };
}

/** Figures by hour and model, of one session or of all together. */
export function readFigures(database: Database, { session, sinceHour, untilHour }: FiguresQuery): CellRow[] {
  const rows = database.all(
    'SELECT session, serial, hour, model, cell FROM cells WHERE session = ? AND hour >= ? AND hour < ?',
    [sessionKey(session ?? null), sinceHour ?? 0, untilHour ?? Number.MAX_SAFE_INTEGER],
  );
  return rows.map((row) => ({
    session: session ?? null,
    serial: Number(row.serial),
    hour: Number(row.hour),
    model: String(row.model),
    cell: JSON.parse(String(row.cell)) as CellRow['cell'],
  }));
}

/** Which rows are wanted. Unix ms; `untilMs` is not included. */
export type RangeQuery = Readonly<{ session?: string | undefined; sinceMs?: number; untilMs?: number }>;

/** Attempts in the order they were made, one after the other. */
export function readAttempts(database: Database, query: RangeQuery): Iterable<Row> {
  return readRange(database, 'attempts', query);
}

/** Switches in the order they were made. */
export function readSwitches(database: Database, query: RangeQuery): Iterable<Row> {
  return readRange(database, 'switches', query);
}

function readRange(
  database: Database,
  table: 'attempts' | 'switches',
  { session, sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER }: RangeQuery,
): Iterable<Row> {
  const isIts = session === undefined ? '' : 'session = ? AND ';
  const values: Cell[] = session === undefined ? [] : [session];
  return database.each(`SELECT * FROM ${table} WHERE ${isIts}at >= ? AND at < ? ORDER BY at, rowid`, [
    ...values,
    sinceMs,
    untilMs,
  ]);
}

function metaOf(database: Database, name: string): string | null {
  const [row] = database.all('SELECT value FROM meta WHERE name = ?', [name]);
  return row ? String(row.value) : null;
}
