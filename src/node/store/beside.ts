import { Worker } from 'node:worker_threads';
import type { Cell, Database, Row } from './driver';

/** Text because each of our programs is a single file. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { path, driver, sql, values, from } = workerData;
let connection;
try {
  if (driver === 'libsql') {
    const Libsql = require('node:module').createRequire(from)('libsql');
    connection = new Libsql(path);
    parentPort.postMessage({ rows: connection.prepare(sql).all(values) });
  } else {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    connection = new DatabaseSync(path);
    parentPort.postMessage({ rows: connection.prepare(sql).all(...values).map((row) => ({ ...row })) });
  }
} catch (error) {
  parentPort.postMessage({ failure: String(error && error.message) });
} finally {
  if (connection) connection.close();
}`;

type File = Readonly<{ path: string; driver: Database['driver'] }>;

/**
 * In a thread: reading half a gigabyte must not block.
 * @param isAwaited false if the process may end first.
 * @throws Error with SQLite's message, or why there is no thread.
 */
export function askBeside(
  { path, driver }: File,
  sql: string,
  values: readonly Cell[] = [],
  isAwaited = true,
): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    const workerData = { path, driver, sql, values, from: import.meta.url };
    const thread = new Worker(PROGRAM, { eval: true, workerData });
    if (!isAwaited) thread.unref();
    thread.once('message', (message: Readonly<{ rows?: readonly Row[]; failure?: string }>) =>
      message.rows ? resolve(message.rows) : reject(new Error(message.failure)),
    );
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread ended without a result.')));
  });
}
