import { type AskedModel, type EventFilter, RULES_ACTOR } from '../../contract/events';
import type { EventRow } from '../../contract/snapshot';
import type { EventGroup, EventsKept, EventsQuery, StoredEvents } from '../../core/base/store-rows';
import type { Cell, Database, Row } from './driver';

/** Overrides the stored id: an older version restarted ids with each process. */
export const eventOf = ({ id, row }: Row): EventRow => ({ ...(JSON.parse(String(row)) as EventRow), id: Number(id) });

export function eventsIn(database: Database): StoredEvents {
  return {
    kept: () => readKept(database),
    page: (query) => readPage(database, query),
    count: (query) => readCount(database, query),
    groups: (filter) => readGroups(database, filter),
    one: (id) => database.all('SELECT id, row FROM events WHERE id = ?', [id]).map(eventOf)[0] ?? null,
    askedAround: (event) => readAsked(database, event),
  };
}

function readKept(database: Database): EventsKept {
  // Event numbers are never reused.
  const [last] = database.all("SELECT seq FROM sqlite_sequence WHERE name = 'events'");
  const [oldest] = database.all('SELECT min(at) AS at FROM events');
  return { newest: Number(last?.seq ?? 0), sinceMs: oldest?.at === null ? null : Number(oldest?.at) };
}

type Where = readonly [sql: string, values: readonly Cell[]];

function readPage(database: Database, query: EventsQuery): EventRow[] {
  // `+` makes SQLite use the index of times instead of sorting all rows.
  const [where, values] = whereOf(query, '+id');
  // An import adds older events under newer numbers. Only the page's rows are read in full.
  const ids = `SELECT id FROM events WHERE ${where} ORDER BY at DESC, id DESC LIMIT ? OFFSET ?`;
  const page = `SELECT id, row FROM events WHERE id IN (${ids}) ORDER BY at DESC, id DESC`;
  return database.all(page, [...values, query.limit, query.offset]).map(eventOf);
}

function readCount(database: Database, query: Pick<EventsQuery, 'filter' | 'before' | 'after'>): number {
  const [where, values] = whereOf(query, 'id');
  return Number(database.all(`SELECT count(*) AS n FROM events WHERE ${where}`, values)[0]?.n);
}

function readGroups(database: Database, filter: EventFilter): EventGroup[] {
  const wanted = conditions(filter);
  const [where, values] = allOf(wanted);
  // With a condition, SQLite would look up each event of the grouping index.
  const source = wanted.length === 0 ? 'events' : 'events NOT INDEXED';
  const rows = database.all(
    `SELECT code, kind, agent, model, target AS "to", actor, count(*) AS count FROM ${source} WHERE ${where}
      GROUP BY 1, 2, 3, 4, 5, 6`,
    values,
  );
  return rows as unknown as EventGroup[];
}

const TURN = `SELECT turn FROM attempts WHERE session = ? AND at <= ? AND agent = ? ORDER BY at DESC LIMIT 1`;
const ASKED = `SELECT at, model, outcome, kind, status, duration_ms AS durationMs FROM attempts
  WHERE session = ? AND turn = ? AND purpose = 'turn' ORDER BY at, rowid LIMIT 50`;

function readAsked(
  database: Database,
  { session, agent, at }: Readonly<{ session: string; agent: string; at: number }>,
): AskedModel[] {
  const [last] = database.all(TURN, [session, at, agent]);
  return last ? (database.all(ASKED, [session, String(last.turn)]) as unknown as AskedModel[]) : [];
}

const whereOf = (
  { filter, before, after }: Pick<EventsQuery, 'filter' | 'before' | 'after'>,
  id: 'id' | '+id',
): Where => allOf([[`${id} < ? AND ${id} > ?`, [before, after]], ...conditions(filter)]);

const allOf = (parts: readonly Where[]): Where => [
  ['1', ...parts.map(([sql]) => sql)].join(' AND '),
  parts.flatMap(([, values]) => values),
];
const anyOf = (parts: readonly Where[]): Where => [
  `(${parts.map(([sql]) => sql).join(' OR ')})`,
  parts.flatMap(([, values]) => values),
];

/** Matches a prefix with an index. The last character of Unicode is the upper bound. */
export const beginning = (column: string, text: string): Where => [
  `${column} >= ? AND ${column} < ?`,
  [text, `${text}\u{10FFFF}`],
];

/** Lowercases as SQLite’s `lower` does. */
const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

function conditions(filter: EventFilter): Where[] {
  const { codes, kinds, agent, model, provider, session, actor, text, sinceMs, untilMs } = filter;
  const is = (column: string, value: string | undefined): Where[] =>
    value === undefined ? [] : [[`${column} = ?`, [value]]];
  return [
    ...(codes?.length
      ? [anyOf(codes.flatMap((code) => [['code = ?', [code]], beginning('code', `${code}.`)] as Where[]))]
      : []),
    ...(kinds?.length ? [[`kind IN (${kinds.map(() => '?').join()})`, kinds] as const] : []),
    ...is('agent', agent),
    ...(model === undefined ? [] : [['? IN (model, target)', [model]] as const]),
    ...(provider === undefined
      ? []
      : [anyOf([beginning('model', `${provider}/`), beginning('target', `${provider}/`)])]),
    ...is('session', session),
    ...(actor === RULES_ACTOR ? [['actor IS NULL', []] as const] : is('actor', actor)),
    ...(text ? [['instr(words, ?) > 0', [asciiLower(text)]] as const] : []),
    ...(sinceMs === undefined ? [] : [['at >= ?', [sinceMs]] as const]),
    ...(untilMs === undefined ? [] : [['at < ?', [untilMs]] as const]),
  ];
}
