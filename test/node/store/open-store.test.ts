import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StoreBatch, StoreRow } from '../../../src/core/base/store-rows';
import { emptyScorecard, openPartOf } from '../../../src/engine/scorecard';
import { drivers, openDatabase } from '../../../src/node/store/driver';
import { openStore } from '../../../src/node/store/open-store';
import { migrate, STORE_VERSION, versionOf } from '../../../src/node/store/schema';
import { START } from '../../core/virtual-core';
import { look, newPath, olderStore, open, wall } from './store-support';

const started = (n: number): StoreRow => ({
  type: 'attempt.started',
  attempt: `a${n}`,
  turn: 't1',
  session: 's1',
  agent: 'build',
  model: 'lead/one',
  position: 0,
  purpose: 'turn',
  at: START + n,
});
const batch = (cursor: number, rows: readonly StoreRow[] = [started(cursor)]): StoreBatch => ({
  cursor,
  rows,
  cells: [],
  open: openPartOf(emptyScorecard()),
});

describe.each(drivers().map((driver) => [driver.name, driver] as const))('given %s', (_, driver) => {
  it('when 3 rows with texts, numbers and nulls are written, then they are read as they were, one by one as well', async () => {
    const database = openDatabase(await newPath(), driver);
    if (!database) throw new Error('no SQLite here');
    database.exec('CREATE TABLE t (n INTEGER, word TEXT)');
    for (const values of [
      [1, 'one'],
      [null, null],
      [1_790_000_000_000, "it's"],
    ] as const)
      database.run('INSERT INTO t VALUES (?, ?)', values);
    database.run('INSERT INTO t (n) VALUES (?)', [null]);
    const plain = (rows: Iterable<object>) => [...rows].map((row) => ({ ...row }));
    const all = [
      { n: 1, word: 'one' },
      { n: null, word: null },
      { n: 1_790_000_000_000, word: "it's" },
      { n: null, word: null },
    ];
    expect(plain(database.all('SELECT * FROM t'))).toEqual(all);
    expect(plain(database.each('SELECT * FROM t'))).toEqual(all);
    expect(plain(database.all('SELECT word FROM t WHERE n = ?', [1]))).toEqual([{ word: 'one' }]);
    database.close();
  });

  it('when a file of the other library is opened, then it is the same', async () => {
    const path = await newPath();
    for (const writer of drivers()) {
      const database = openDatabase(path, writer);
      if (database && versionOf(database) === 0) migrate(database);
      database?.close();
    }
    const database = openDatabase(path, driver);
    if (!database) throw new Error('no SQLite here');
    expect(versionOf(database)).toBe(STORE_VERSION);
    database.close();
  });
});

const switched = {
  type: 'switched',
  turn: 't1',
  session: 's1',
  agent: 'build',
  from: 'lead/one',
  to: 'spare/two',
  position: 1,
  kind: null,
  code: 'switch.timeout',
  at: START,
} as const satisfies StoreRow;

describe('given no library', () => {
  it('when a file is to be opened, then there is none', () => {
    expect(openDatabase('/nowhere', null)).toBeNull();
  });
});

describe('given a new store', () => {
  it('when it is opened, then it is empty, of this version, and nobody else may read it', async () => {
    const path = await newPath();
    const store = await open(path);
    expect([store.cursor, store.card, store.figures({})]).toEqual([0, null, []]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await store.close();
    expect(look(path, 'PRAGMA user_version')).toEqual([{ user_version: STORE_VERSION }]);
  });

  it('when 2 batches are written and it is closed, then both are in the file and the cursor is that of the last', async () => {
    const path = await newPath();
    const store = await open(path);
    store.write(batch(1));
    store.write(batch(2));
    await store.close();
    expect(look(path, 'SELECT attempt, outcome FROM attempts')).toEqual([
      { attempt: 'a1', outcome: 'inFlight' },
      { attempt: 'a2', outcome: 'inFlight' },
    ]);
    expect((await open(path)).cursor).toBe(2);
  });

  it('when it is closed twice, or told something afterwards, then nothing more happens', async () => {
    const path = await newPath();
    const store = await open(path);
    await Promise.all([store.close(), store.close()]);
    store.write(batch(1));
    await store.close();
    expect([store.figures({}), store.transitions({ sinceMs: 0, untilMs: 1 })]).toEqual([[], []]);
    expect(look(path, 'SELECT count(*) AS n FROM attempts')).toEqual([{ n: 0 }]);
  });

  it('when a batch is written, then the log is on the disk before it', async () => {
    const path = await newPath();
    const seen: unknown[] = [];
    const beforeWrite = async () => void seen.push(look(path, 'SELECT count(*) AS n FROM attempts')[0]?.n);
    const store = await open(path, { beforeWrite });
    store.write(batch(1));
    await store.flush();
    expect(seen).toEqual([0]);
    expect(look(path, 'SELECT count(*) AS n FROM attempts')).toEqual([{ n: 1 }]);
  });

  it('when a batch has a row the file refuses, then that row is left out, is counted and told once, and all others are kept', async () => {
    const path = await newPath();
    const told: string[] = [];
    const store = await open(path, { tell: (notice) => told.push(notice) });
    const nowhere = { ...switched, from: null } as unknown as StoreRow;
    const odd = { ...switched, kind: { text: 'what somebody wrote' } } as unknown as StoreRow;
    store.write(batch(1));
    store.write(batch(2, [started(2), nowhere, odd]));
    store.write(batch(3, [started(3), nowhere]));
    await store.flush();
    expect(store.extent()).toMatchObject({ attempts: 3, refused: 3 });
    await store.close();
    expect(told).toEqual([
      'The history rejected a change (switched: NOT NULL constraint failed: switches.source). The event log contains it.',
    ]);
    expect(look(path, 'SELECT attempt FROM attempts')).toEqual([
      { attempt: 'a1' },
      { attempt: 'a2' },
      { attempt: 'a3' },
    ]);
    expect((await open(path)).cursor).toBe(3);
  });

  it('when another program holds the file, then nothing is lost, it is told once, and all of it is written when it lets go', async () => {
    const path = await newPath();
    const told: string[] = [];
    const store = await open(path, { tell: (notice) => told.push(notice) });
    const other = openDatabase(path);
    other?.exec('BEGIN IMMEDIATE');
    store.write(batch(1));
    await store.flush();
    other?.exec('COMMIT');
    other?.close();
    expect(told).toEqual([expect.stringMatching(/^The history cannot be written; Understudy retries: .*locked/)]);
    expect(look(path, 'SELECT attempt FROM attempts')).toEqual([]);
    store.write(batch(2));
    await store.close();
    expect(look(path, 'SELECT attempt FROM attempts')).toEqual([{ attempt: 'a1' }, { attempt: 'a2' }]);
    expect(told).toHaveLength(1);
  });

  it('when it is erased, then what was written and what waited are gone, and what comes later is kept', async () => {
    const path = await newPath();
    const store = await open(path);
    store.write(batch(1));
    await store.flush();
    store.write(batch(2));
    const erased = store.erase();
    store.write(batch(3));
    await erased;
    await store.flush();
    expect(look(path, 'SELECT attempt FROM attempts')).toEqual([{ attempt: 'a3' }]);
    expect(store.extent().attempts).toBe(1);
  });

  it('when 2,000 answers are imported, then a batch is written between them; erased meanwhile, the import says so', async () => {
    const path = await newPath();
    const store = await open(path);
    const tokens = { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
    const about = { durationMs: 5, model: 'acme/one', agent: 'build', isAnswer: true, tokens, costNanos: null };
    const answers = Array.from({ length: 2_000 }, (_, n) => ({ ...about, at: START + n * 60_000 }));
    const order: string[] = [];
    const imported = store.takeIn(answers).then((added) => order.push(`${added} answers`));
    store.write(batch(1));
    await store.flush().then(() => order.push('batch'));
    await imported;
    expect(order).toEqual(['batch', '2000 answers']);
    const again = store.takeIn(answers.map((answer) => ({ ...answer, at: answer.at + 1 })));
    const refused = expect(again).rejects.toThrow('The history was closed or deleted meanwhile.');
    await store.erase();
    await refused;
    expect(look(path, 'SELECT count(*) AS n FROM imported')).toEqual([{ n: 0 }]);
  });
});

describe('given a file that is no database', () => {
  it('when it is opened, then it is moved aside as it was, a new one is begun, and one notice says so', async () => {
    const path = await newPath();
    await writeFile(path, 'once upon a time '.repeat(1_000));
    const { store, notice } = await openStore({ path, wall });
    expect(notice).toMatch(/^The history was damaged\. The old file is .*\.corrupt-/);
    store?.write(batch(1));
    await store?.close();
    expect(look(path, 'SELECT count(*) AS n FROM attempts')).toEqual([{ n: 1 }]);
    const aside = (await readdir(dirname(path))).find((name) => name.includes('.corrupt-')) ?? '';
    expect(await readFile(join(dirname(path), aside), 'utf8')).toMatch(/^once upon a time/);
  });
});

describe('given a database with a damaged page', () => {
  it('when it is opened, then it is moved aside and a new one is begun', async () => {
    const path = await newPath();
    const store = await open(path);
    store.write(
      batch(
        1,
        Array.from({ length: 400 }, (_, n) => started(n)),
      ),
    );
    await store.close();
    const bytes = await readFile(path);
    bytes.fill(0xff, 8_192, bytes.length - 4_096);
    await writeFile(path, bytes);
    const again = await openStore({ path, wall });
    expect(again.notice).toMatch(/damaged/);
    expect(again.store?.cursor).toBe(0);
    await again.store?.close();
  });
});

const OLD_ATTEMPT = (id: string, outcome: string): string => `INSERT INTO attempts
  (attempt, turn, session, agent, model, position, purpose, at, duration_ms, outcome)
  VALUES ('${id}', 't1', 's1', 'build', 'acme/one', 1, 'turn', ${START}, 100, '${outcome}')`;

describe('given a database of 17 MiB with a damaged page', () => {
  it('when it is opened, then it is in use at once, a notice follows, and the next start moves it aside', async () => {
    const path = await newPath();
    const first = await open(path);
    first.write(batch(1));
    await first.close();
    look(path, "INSERT INTO meta VALUES ('long', hex(zeroblob(8912896)))");
    look(path, 'PRAGMA wal_checkpoint(TRUNCATE)');
    const bytes = await readFile(path);
    // The last page is one of the long row's: nobody reads it who does not look for it.
    bytes.fill(0xff, bytes.length - 4_096);
    await writeFile(path, bytes);
    const told = await new Promise<string>((resolve, reject) => {
      openStore({ path, wall, tell: resolve }).then(({ store, notice }) => {
        onTestFinished(() => store?.close());
        if (!store) reject(new Error(notice ?? ''));
      }, reject);
    });
    expect(told).toBe(
      'The history is damaged. The next start moves the file aside and restores the history from the event log.',
    );
    const next = await openStore({ path, wall });
    onTestFinished(() => next.store?.close());
    expect(next.notice).toMatch(/^The history was damaged\. The old file is .*\.corrupt-/);
    expect(await readdir(dirname(path))).not.toContain(`${basename(path)}.damaged`);
  });
});

describe.each([1, 2, 3, 4, 8])('given a store of version %i with one attempt', (version) => {
  it('when it is opened, then it is as a new one of this version, and the attempt is still there', async () => {
    const shape = 'SELECT name, sql FROM sqlite_schema ORDER BY name';
    const fresh = await newPath();
    await (await open(fresh)).close();
    const path = await olderStore(version, [OLD_ATTEMPT('a1', 'success')]);
    await (await open(path)).close();
    expect(look(path, 'PRAGMA user_version')).toEqual([{ user_version: STORE_VERSION }]);
    expect(look(path, shape)).toEqual(look(fresh, shape));
    expect(look(path, 'SELECT attempt FROM attempts')).toEqual([{ attempt: 'a1' }]);
    // A store of version 4 was told who speaks.
    if (version < 4)
      expect(look(path, 'SELECT * FROM speakers')).toEqual([{ session: 's1', agent: 'build', model: 'acme/one' }]);
  });
});

describe('given a store of version 2 with detail, with sums of what is older, and with something imported', () => {
  it('when it is opened, then the sums by hour are of all of it, and what ends or is reported later is added', async () => {
    const hour = Math.floor(START / 3_600_000);
    const path = await olderStore(2, [
      OLD_ATTEMPT('a1', 'success'),
      OLD_ATTEMPT('a2', 'inFlight'),
      `INSERT INTO usage VALUES ('s1', 't1', 'build', 'acme/one', 1, 'turn', ${START}, 10, 5, 1, 2, 3, 500)`,
      `INSERT INTO rollups (hour, model, provider, agent, position, success, input, reports)
        VALUES (${hour}, 'acme/one', 'acme', 'build', 1, 7, 70, 1), (${hour - 800}, 'acme/one', 'acme', 'build', 1, 2, 0, 0)`,
      `INSERT INTO imported VALUES (${START}, 100, 'acme/one', 'build', 1, 1000, 2, 3, 4, 5, NULL)`,
    ]);
    const store = await open(path);
    const sums = `SELECT hour - ${hour} AS hour, position, success, failure, in_flight AS open, input, reports, priced,
      cost_nanos AS nanos FROM rollups ORDER BY hour, position`;
    const older = {
      hour: -800,
      position: 1,
      success: 2,
      failure: 0,
      open: 0,
      input: 0,
      reports: 0,
      priced: 0,
      nanos: 0,
    };
    const imported = { ...older, hour: 0, position: -2, success: 0, input: 1_000, reports: 1 };
    const own = { ...older, hour: 0, success: 8, open: 1, input: 80, reports: 2, priced: 1, nanos: 500 };
    expect(look(path, sums)).toEqual([older, imported, own]);
    const end = {
      outcome: 'failure',
      kind: null,
      status: 500,
      message: null,
      durationMs: 9,
      firstTokenMs: null,
    } as const;
    store.write({
      cursor: 2,
      rows: [
        { type: 'attempt.ended', attempt: 'a2', ...end },
        { type: 'attempt.ended', attempt: 'a1', ...end },
      ],
      cells: [],
      open: openPartOf(emptyScorecard()),
    });
    await store.close();
    expect(look(path, sums)).toEqual([older, imported, { ...own, failure: 1, open: 0 }]);
  });
});

describe('given a store of a newer version', () => {
  it('when it is opened, then it can be read, nothing is written, and a notice says so', async () => {
    const path = await newPath();
    const store = await open(path);
    store.write(batch(7));
    await store.close();
    const database = openDatabase(path);
    database?.exec(`PRAGMA user_version = ${STORE_VERSION + 1}; PRAGMA wal_checkpoint(TRUNCATE)`);
    database?.close();
    await copyFile(path, `${path}.before`);
    const newer = await openStore({ path, wall });
    expect(newer.notice).toBe(
      `A newer version (${STORE_VERSION + 1}) wrote the history: it is shown but not continued.`,
    );
    expect(newer.store?.cursor).toBe(7);
    newer.store?.write(batch(8));
    await newer.store?.close();
    expect(await readFile(path)).toEqual(await readFile(`${path}.before`));
  });
});

describe('given a folder that is not there', () => {
  it('when a store is to be opened in it, then there is none, and a notice says why', async () => {
    const { store, notice } = await openStore({ path: join(await newPath(), 'deeper.db') });
    expect(store).toBeNull();
    expect(notice).toMatch(/^The history is not stored: .*(ENOENT|ENOTDIR)/);
  });
});
