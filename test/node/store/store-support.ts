import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/node/store/driver';
import { type OpenStore, openStore, type StoreOptions } from '../../../src/node/store/open-store';
import { migrate } from '../../../src/node/store/schema';
import { START } from '../../core/virtual-core';
import { tempFolder } from '../temp-folder';

/** A path for a store of this test alone. */
export const newPath = async (): Promise<string> => join(await tempFolder(), 'history.db');

/** Nothing of a test is old unless it says so. */
export const wall = (): number => START;

/** Opens a store that must open; closed when the test ends. */
export async function open(path: string, options: Partial<StoreOptions> = {}): Promise<OpenStore> {
  const { store, notice } = await openStore({ path, wall, ...options });
  if (!store) throw new Error(notice ?? 'no store');
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

/** What stands in a file now. */
export function look(path: string, sql: string): Record<string, unknown>[] {
  const database = openDatabase(path);
  if (!database) throw new Error('no SQLite here');
  try {
    return database.all(sql).map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

/** A file as an earlier version left it, with these rows. */
export async function olderStore(version: number, rows: readonly string[]): Promise<string> {
  const path = await newPath();
  const database = openDatabase(path);
  if (!database) throw new Error('no SQLite here');
  migrate(database, version);
  for (const row of rows) database.exec(row);
  database.close();
  return path;
}
