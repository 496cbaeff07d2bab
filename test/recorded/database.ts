import { openDatabase } from '../../src/node/store/driver';

/** Replaces texts in every column of a SQLite file that is written, not computed. */
export function replaceInDatabase(path: string, replacements: readonly (readonly [string, string])[]): void {
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
