import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Database, drivers, openDatabase } from '../../../src/node/store/driver';
import { openStore } from '../../../src/node/store/open-store';
import { openReader } from '../../../src/node/store/reader';
import { seeded } from '../../engine/naive';
import { runs } from '../../support/runs';
import { look, newPath, open, wall } from './store-support';

const RECORDED = gunzipSync(readFileSync('test/recorded/versions/0.1.0/home/u/history.db.gz'));
const DAMAGED = "UPDATE attempts SET agent = CAST(x'6275ff6c64' AS TEXT)";
const ROUNDS = runs(500, 20);
const MARKED =
  'The history is damaged. The next start moves the file aside and restores the history from the event log.';

/** A recorded history of this test alone. */
async function recorded(): Promise<string> {
  const path = await newPath();
  await writeFile(path, RECORDED);
  const store = await open(path);
  await store.close();
  return path;
}

describe.each(drivers().map((driver) => [driver.name, driver] as const))('given %s', (name, driver) => {
  it('when a text is not UTF-8, then reading it throws or replaces it, and the process goes on', async () => {
    const database = openDatabase(await newPath(), driver);
    if (!database) throw new Error('no SQLite here');
    onTestFinished(() => database.close());
    database.exec("CREATE TABLE t (n INTEGER, word TEXT); INSERT INTO t VALUES (1, CAST(x'61ff62' AS TEXT))");
    for (const question of [
      () => database.all('SELECT * FROM t'),
      () => [...database.each('WITH w AS (SELECT word FROM t) SELECT word, count(*) FROM w')],
      () => database.all('SELECT n AS "a ""b""", upper(word) AS word FROM t WHERE n = ? ORDER BY n LIMIT 1', [1]),
    ])
      if (name === 'libsql') expect(question).toThrow(/encoded data was not valid/);
      else expect(question()).toHaveLength(1);
    database.run('UPDATE t SET word = ?', ['ü\u0000🙂']);
    expect(database.all('SELECT word AS "a ""b""", word FROM t ORDER BY 1')).toEqual([
      { 'a "b"': 'ü\u0000🙂', word: 'ü\u0000🙂' },
    ]);
  });

  it('when the name of a column is not UTF-8, then the process goes on', async () => {
    const path = await newPath();
    const before = openDatabase(path, driver);
    before?.exec('CREATE TABLE t (columnname TEXT)');
    before?.close();
    const bytes = await readFile(path);
    bytes[bytes.indexOf('columnname') + 3] = 0xff;
    await writeFile(path, bytes);
    const after = (): unknown => openDatabase(path, driver)?.all('SELECT * FROM t');
    if (name === 'libsql') expect(after).toThrow(/encoded data was not valid/);
    else expect(after()).toEqual([]);
  });
});

describe('given a history with a text that is not UTF-8', () => {
  it('when it is opened, then it is moved aside, a new one is begun, and one notice has both names', async () => {
    const path = await recorded();
    look(path, DAMAGED);
    const { store, notice } = await openStore({ path, wall });
    onTestFinished(() => store?.close());
    const aside = (await readdir(dirname(path))).find((file) => /\.corrupt-[^.]*$/.test(file)) ?? '';
    expect(notice).toBe(
      `The history was damaged. The old file is ${join(dirname(path), aside)}; ${path} is restored from the event log.`,
    );
    expect(store?.cursor).toBe(0);
    expect(aside).toMatch(basename(path));
  });

  it('when it is damaged while it is open, then a notice follows once, and the next start moves it aside', async () => {
    const path = await recorded();
    const notices: string[] = [];
    const store = await open(path, { tell: (notice) => notices.push(notice) });
    look(path, "UPDATE sessions SET project = CAST(x'ff' AS TEXT)");
    for (let round = 0; round < 2; round++) store.projects();
    await expect.poll(() => readdir(dirname(path))).toContain(`${basename(path)}.damaged`);
    await store.close();
    const next = await openStore({ path, wall });
    onTestFinished(() => next.store?.close());
    expect(next.notice).toMatch(/^The history was damaged\./);
    expect(notices).toEqual([MARKED]);
  });
});

function opened(path: string): Database | null {
  try {
    return openDatabase(path);
  } catch {
    return null;
  }
}

/** A question may fail, by an error. */
function answered(question: () => unknown): void {
  try {
    question();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
}

describe(`given ${ROUNDS} histories, each with random bytes somewhere`, () => {
  it('when each is opened and read, then it opens or is moved aside, and the process goes on', async () => {
    const random = seeded(7);
    let moved = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = Buffer.from(RECORDED);
      const length = 1 + Math.floor(random() * 2_000);
      const from = Math.floor(random() * (bytes.length - length));
      for (let at = from; at < from + length; at++) bytes[at] = Math.floor(random() * 256);
      // libsql may hold a file for a while after it was closed.
      const path = await newPath();
      await writeFile(path, bytes);
      const database = opened(path);
      for (const table of ['attempts', 'events', 'usage', 'cells', 'meta', 'sessions'])
        answered(() => database?.all(`SELECT * FROM ${table}`));
      answered(() => database?.close());
      const reading = await openReader(dirname(path));
      if (reading.ok) {
        const range = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
        for (const ask of [reading.figures, reading.events, reading.attempts, reading.refused])
          answered(() => [...(ask(range) ?? [])]);
        reading.close();
      }
      const { store, notice } = await openStore({ path, wall });
      if (notice !== null) moved += 1;
      expect([store === null, notice]).toEqual([false, notice]);
      store?.sessions({ search: '', before: null, except: [], limit: 10 });
      await store?.close();
    }
    expect(moved).toBeGreaterThan(ROUNDS / 3);
  });
});
