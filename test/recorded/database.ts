import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/node/store/driver';

/** The bytes of a SQLite file with texts replaced in every column that is not computed. The file itself stays unchanged. */
export async function databaseWith(
  path: string,
  replacements: readonly (readonly [text: string, replacement: string])[],
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'us-'));
  try {
    // libsql may hold the file for a while after it was closed.
    const copy = join(folder, 'copy.db');
    await copyFile(path, copy);
    await copyFile(`${path}-wal`, `${copy}-wal`).catch(() => undefined);
    replaceIn(copy, replacements);
    return await readFile(copy);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function replaceIn(path: string, replacements: readonly (readonly [string, string])[]): void {
  const database = openDatabase(path);
  if (database === null) throw new Error('This Node.js has no SQLite.');
  const tables = database.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  for (const { name } of tables)
    for (const { name: column, type } of database.all(`PRAGMA table_info(${String(name)})`)) {
      if (type !== 'TEXT') continue;
      for (const [text, replacement] of replacements)
        database.run(`UPDATE ${String(name)} SET ${String(column)} = replace(${String(column)}, ?, ?)`, [
          text,
          replacement,
        ]);
    }
  database.exec('PRAGMA journal_mode = DELETE; VACUUM;');
  database.close();
}
