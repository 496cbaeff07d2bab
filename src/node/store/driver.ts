import { createRequire } from 'node:module';

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

/** All calls are synchronous and throw SQLite's error. */
export type Database = Readonly<{
  driver: 'node:sqlite' | 'libsql';
  exec(sql: string): void;
  run(sql: string, values?: readonly Cell[]): void;
  all(sql: string, values?: readonly Cell[]): Row[];
  each(sql: string, values?: readonly Cell[]): Iterable<Row>;
  close(): void;
}>;

type Statement = Readonly<{
  run(...values: unknown[]): unknown;
  all(...values: unknown[]): Row[];
  iterate(...values: unknown[]): Iterable<Row>;
}>;
type LibsqlStatement = Statement & Readonly<{ columns(): readonly Readonly<{ name: string }>[] }>;
type LibsqlConnection = Omit<Connection, 'prepare'> & Readonly<{ prepare(sql: string): LibsqlStatement }>;
type Connection = Readonly<{ exec(sql: string): void; prepare(sql: string): Statement; close(): void }>;
type Driver = Readonly<{
  name: Database['driver'];
  open(path: string): Connection;
  /** libsql would treat a single null as a list. */
  values(values: readonly Cell[]): unknown[];
}>;

/** SQLite's codes that reject a statement's values, not the file or the machine. */
const REFUSALS: readonly number[] = [
  // SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE
  18, 19, 20, 25,
];

export function isRefusal(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  const { errcode, rawCode } = error as { errcode?: number; rawCode?: number };
  // The upper bytes hold the extended code.
  return REFUSALS.includes((errcode ?? rawCode ?? 0) & 0xff);
}

export const NO_SQLITE = 'This needs Node 22.13 or newer, or the optional package libsql.';

/** The store has about twenty statements. */
const STATEMENTS_KEPT = 64;

/** Null before Node 22.13 without the optional `libsql`. */
export function openDatabase(path: string, driver: Driver | null = findDriver()): Database | null {
  if (driver === null) return null;
  const connection = driver.open(path);
  const prepared = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const existing = prepared.get(sql);
    if (existing) return existing;
    if (prepared.size >= STATEMENTS_KEPT) prepared.clear();
    const statement = connection.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  return {
    driver: driver.name,
    exec: (sql) => connection.exec(sql),
    run: (sql, values = []) => void prepare(sql).run(...driver.values(checked(values))),
    all: (sql, values = []) => prepare(sql).all(...driver.values(checked(values))),
    // The caller may run other queries while it reads.
    each: (sql, values = []) => connection.prepare(sql).iterate(...driver.values(checked(values))),
    close: () => {
      prepared.clear();
      connection.close();
    },
  };
}

/** libsql ends the process at an unsupported value. @throws TypeError. */
function checked(values: readonly Cell[]): readonly Cell[] {
  for (const value of values)
    if (value !== null && typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError(`no column can store a value of type ${typeof value}`);
  return values;
}

/** Preferred first. */
export function drivers(): readonly Driver[] {
  return [builtIn(), native()].filter((driver) => driver !== null);
}

const findDriver = (): Driver | null => drivers()[0] ?? null;

function builtIn(): Driver | null {
  // A bundler would treat an import as a package, and Node 20 would not start.
  const found = process.getBuiltinModule?.('node:sqlite') as
    | { DatabaseSync: new (path: string) => Connection }
    | undefined;
  if (!found) return null;
  const { DatabaseSync } = found;
  return { name: 'node:sqlite', open: (path) => new DatabaseSync(path), values: (values) => [...values] };
}

function native(): Driver | null {
  try {
    // Not imported: it is optional, and its binary cannot be bundled.
    const Libsql = createRequire(import.meta.url)('libsql') as new (path: string) => LibsqlConnection;
    const open = (path: string): Connection => {
      const connection = new Libsql(path);
      const prepare = (sql: string): Statement => guardedStatement(connection, sql);
      // A damaged column name would end the process.
      prepare("SELECT group_concat(sql, ' ') AS sql FROM sqlite_master").all([]);
      return { prepare, exec: (sql) => connection.exec(sql), close: () => connection.close() };
    };
    return { name: 'libsql', open, values: (values) => [[...values]] };
  } catch {
    // silent: most installations lack this optional library
    return null;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes, because libsql ends the process at text that is not UTF-8. @throws Error. */
function guardedStatement(connection: LibsqlConnection, sql: string): Statement {
  const statement = connection.prepare(sql);
  if (!/^\s*(?:SELECT|WITH)\b/i.test(sql)) return statement;
  const cells = statement.columns().map(({ name }) => {
    const column = `"${name.replaceAll('"', '""')}"`;
    return `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END AS ${column}`;
  });
  const bytes = connection.prepare(`SELECT ${cells.join(', ')} FROM (${sql})`);
  return {
    run: (...values) => bytes.run(...values),
    all: (...values) => bytes.all(...values).map(decoded),
    *iterate(...values) {
      for (const row of bytes.iterate(...values)) yield decoded(row);
    },
  };
}

const decoded = (row: Row): Row => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, textOf(cell)]));

const textOf = (cell: unknown): Cell =>
  typeof cell === 'object' && cell !== null ? utf8.decode(cell as Uint8Array) : (cell as Cell);
