import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noBook, rankingBook } from '../../../src/features/ranking/node/ranking-book';
import type { BenchmarkValue } from '../../../src/features/ranking/rules/base/values';
import { KEPT_MAX, type KeptChange, valueChange } from '../../../src/features/ranking/rules/kept/change';
import { type Database, drivers, openDatabase } from '../../../src/node/store/driver';
import { keepSteps } from '../../../src/node/store/keep';
import { openStore } from '../../../src/node/store/open-store';
import { migrate, STORE_VERSION } from '../../../src/node/store/schema';
import { builtProgram, SOURCE } from '../built-program';
import { look, newPath, olderStore, open, wall } from './store-support';

const VALUE: BenchmarkValue = {
  record: 'acme/one',
  benchmark: 'gpqa',
  value: 0.5,
  unit: 'fraction',
  source: 'https://acme.test/card',
  date: null,
  kind: 'published',
  origin: 'hand',
  note: null,
};
const BUILDER: KeptChange = { part: 'role', agent: 'build', value: 'builder' };
const role = (agent: string): KeptChange => ({ part: 'role', agent, value: 'oracle' });
const OK = { ok: true } as const;
const count = (path: string): unknown => look(path, 'SELECT count(*) AS n FROM ranking')[0]?.n;

describe.each(drivers().map((driver) => [driver.name, driver] as const))(
  'given a book on a file of %s',
  (_, driver) => {
    async function opened(wrap = (database: Database): Database => database) {
      const path = await newPath();
      const connect = (): Database => {
        const database = openDatabase(path, driver);
        if (!database) throw new Error('no SQLite here');
        onTestFinished(() => database.close());
        return database;
      };
      const database = connect();
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      migrate(database);
      const told: string[] = [];
      const bookOn = (file: Database) =>
        rankingBook({ database: () => file, whyReadOnly: () => null, tell: (notice) => told.push(notice) });
      return { path, told, database, book: bookOn(wrap(database)), other: () => bookOn(connect()), connect };
    }

    it('when a run is kept again and again, then it is read as it is, also where another connection has changed it meanwhile', async () => {
      const { book, other } = await opened();
      const run = (step: number): KeptChange => ({ part: 'run', agent: 'build', value: { step } });
      book.change([valueChange(VALUE)]);
      const { values } = book.read();
      for (const step of [1, 2]) expect(book.change([run(step)])).toEqual(OK);
      expect(book.read().runs.get('build')).toEqual({ step: 2 });
      // Values are not made again for it.
      expect(book.read().values).toBe(values);
      expect(other().change([run(3), BUILDER])).toEqual(OK);
      expect([book.read().runs.get('build'), book.read().roles.get('build')]).toEqual([{ step: 3 }, 'builder']);
    });

    it('when 3 things are kept, one is changed and one is forgotten, then it and another connection read the same', async () => {
      const { book, other } = await opened();
      expect(book.read().roles.size).toBe(0);
      const decision = { choice: 'denied', evidence: 'a1', run: 'r1', at: 7 } as const;
      expect(
        book.change([
          valueChange(VALUE),
          BUILDER,
          { part: 'decision', agent: 'build', model: 'acme/one', value: decision },
        ]),
      ).toEqual(OK);
      expect(book.change([valueChange({ ...VALUE, value: 0.6 }), { ...BUILDER, value: null }])).toEqual(OK);
      for (const { values, roles, decisions } of [book.read(), other().read()])
        expect([values, roles.size, decisions.get('build')?.get('acme/one')]).toEqual([
          [{ ...VALUE, value: 0.6 }],
          0,
          decision,
        ]);
    });

    it('when somebody else has written to the file, then the next reading has it', async () => {
      const { book, other } = await opened();
      expect(book.change([role('a')])).toEqual(OK);
      expect(book.read()).toBe(book.read());
      expect(other().change([role('b')])).toEqual(OK);
      expect([...book.read().roles.keys()]).toEqual(['a', 'b']);
    });

    it('when the second of 2 changes cannot be kept, then neither is, and the reason names it', async () => {
      const { book } = await opened();
      expect(book.change([BUILDER, { part: 'formula', role: 'oracle', value: '' }])).toEqual({
        ok: false,
        reason: 'This cannot be stored: formula.value: Too small: expected string to have >=1 characters.',
      });
      expect(book.read().roles.size).toBe(0);
    });

    it.each([
      ['run', (n: number): KeptChange => ({ part: 'run', agent: `a${n}`, value: {} })],
      ['role', (n: number) => role(`a${n}`)],
      ['value', (n: number) => valueChange({ ...VALUE, record: `acme/${n}` })],
    ] as const)(
      'when there are as many of %s as there may be, then one more is refused with all that came with it',
      async (part, nth) => {
        const { book, path } = await opened();
        const most = KEPT_MAX[part];
        expect(book.change(Array.from({ length: most }, (_, n) => nth(n)))).toEqual(OK);
        const headroom = { fiveHourPercent: 40, weekPercent: null, at: 7 };
        expect(book.change([{ part: 'headroom', provider: 'acme', value: headroom }, nth(most)])).toEqual({
          ok: false,
          reason: `The history stores at most ${most} entries of the kind "${part}". Remove some first.`,
        });
        expect(count(path)).toBe(most);
        expect(book.change([nth(0), nth(most), { ...nth(1), value: null }])).toEqual(OK);
        expect(count(path)).toBe(most);
      },
    );

    it('when rows are not understood, then they are left out, told once, and stay in the file', async () => {
      const { book, connect, path, told } = await opened();
      expect(book.change([BUILDER])).toEqual(OK);
      connect().exec(`INSERT INTO ranking VALUES ('role', '{"agent":"plan"}', '"king"'), ('later', '1', '2')`);
      for (const agent of ['a', 'b']) {
        expect([...book.read().roles.keys()]).toContain('build');
        expect(book.change([role(agent)])).toEqual(OK);
      }
      expect(told).toEqual(['Some ranking entries of the history are invalid: 2 skipped.']);
      expect(count(path)).toBe(5);
    });

    it('when another program holds the file, then nothing is changed and the reason says so, until it lets go', async () => {
      const { book, connect, database } = await opened();
      database.exec('PRAGMA busy_timeout = 0');
      const holder = connect();
      holder.exec('BEGIN IMMEDIATE');
      expect(book.change([BUILDER])).toEqual({
        ok: false,
        reason: expect.stringMatching(/^The history cannot be written: .*locked/),
      });
      holder.exec('COMMIT');
      expect(book.read().roles.size).toBe(0);
      expect(book.change([BUILDER])).toEqual(OK);
    });

    it('when something is kept, then it is synced to the device as it is committed, and the rest of the file as before', async () => {
      const synchronous = (database: Database) => database.all('PRAGMA synchronous')[0]?.synchronous;
      const committed: unknown[] = [];
      const { book, database } = await opened((file) => ({
        ...file,
        exec(sql) {
          if (sql === 'COMMIT') committed.push(synchronous(file));
          file.exec(sql);
        },
      }));
      expect(book.change([BUILDER])).toEqual(OK);
      const [NORMAL, FULL] = [1, 2];
      expect([committed, synchronous(database)]).toEqual([[FULL], NORMAL]);
    });

    it('when the file cannot be read, then there is nothing, told once', async () => {
      const { book, database, told } = await opened();
      database.exec('DROP TABLE ranking');
      expect([book.read().roles.size, book.read().values]).toEqual([0, []]);
      expect(told).toEqual(['The rankings of the history cannot be read: no such table: ranking']);
    });
  },
);

describe('given a place where no history is kept', () => {
  it('when something is to be kept, then it is refused with the reason, and there is nothing', () => {
    const book = noBook('No disk.');
    expect([book.change([BUILDER]), book.read().roles.size]).toEqual([{ ok: false, reason: 'No disk.' }, 0]);
  });
});

describe('given the book of a store', () => {
  it('when it is closed and opened again, then what was kept is there, and a closed one refuses', async () => {
    const path = await newPath();
    const store = await open(path);
    const ranking = rankingBook(store.file);
    expect(ranking.change([BUILDER])).toEqual(OK);
    await store.close();
    expect(ranking.change([role('late')])).toMatchObject({ ok: false });
    expect([...rankingBook((await open(path)).file).read().roles]).toEqual([['build', 'builder']]);
  });

  it('when the history is deleted, then it is empty at once, refuses until that is done, and keeps what comes later', async () => {
    const path = await newPath();
    const store = await open(path);
    const ranking = rankingBook(store.file);
    ranking.change([BUILDER]);
    expect(ranking.read().roles.size).toBe(1);
    const erased = store.erase();
    expect(ranking.read().roles.size).toBe(0);
    expect(ranking.change([role('a')])).toEqual({
      ok: false,
      reason: 'The history is being deleted. Try again.',
    });
    await erased;
    expect(ranking.read().roles.size).toBe(0);
    expect(ranking.change([role('b')])).toEqual(OK);
    expect([...ranking.read().roles.keys()]).toEqual(['b']);
    expect(count(path)).toBe(1);
  });

  it('when nothing of the history is to stay, then it does all the same', async () => {
    const path = await newPath();
    const store = await open(path);
    const ranking = rankingBook(store.file);
    ranking.change([BUILDER, valueChange(VALUE)]);
    await store.close();
    look(path, `INSERT INTO events (at, code, row) VALUES (${wall()}, 'note', '{}')`);
    const database = openDatabase(path);
    if (!database) throw new Error('no SQLite here');
    for (const _ of keepSteps(database, wall() + 400 * 86_400_000, { detailDays: 0, maxBytes: 0 }));
    database.close();
    expect([count(path), look(path, 'SELECT count(*) AS n FROM events')]).toEqual([2, [{ n: 0 }]]);
  });
});

describe('given a store of version 8, which knew of no rankings', () => {
  it('when it is opened, then its book is empty and keeps what it is given', async () => {
    const ranking = rankingBook((await open(await olderStore(8, []))).file);
    expect(ranking.read().roles.size).toBe(0);
    expect(ranking.change([BUILDER])).toEqual(OK);
    expect(ranking.read().roles.get('build')).toBe('builder');
  });
});

describe('given a store of a newer version with a role', () => {
  it('when something is to be kept, then it is refused with the reason and the role is there; deleted, it keeps again', async () => {
    const path = await newPath();
    const store = await open(path);
    const ranking = rankingBook(store.file);
    ranking.change([BUILDER]);
    await store.close();
    look(path, `PRAGMA user_version = ${STORE_VERSION + 1}`);
    const newer = await open(path);
    const newerBook = rankingBook(newer.file);
    expect(newerBook.change([role('a')])).toEqual({
      ok: false,
      reason: `A newer version (${STORE_VERSION + 1}) wrote the history: it is shown but not continued.`,
    });
    expect([...newerBook.read().roles.keys()]).toEqual(['build']);
    await newer.erase();
    expect([newerBook.change([role('a')]), newerBook.read().roles.size]).toEqual([OK, 1]);
  });
});

describe('given a file that is no database', () => {
  it('when it has been moved aside, then the book is empty and keeps what it is given', async () => {
    const path = await newPath();
    await writeFile(path, 'once upon a time '.repeat(1_000));
    const { store } = await openStore({ path, wall });
    onTestFinished(() => store?.close());
    const book = store && rankingBook(store.file);
    expect([book?.read().roles.size, book?.change([BUILDER])]).toEqual([0, OK]);
    expect((await readdir(dirname(path))).filter((name) => name.includes('.corrupt-'))).toHaveLength(1);
  });
});

describe('given an app that is killed in the instruction after a change', () => {
  it('when the next one starts, then the change is there', async () => {
    const path = await newPath();
    const program = await builtProgram(
      `import { openStore } from '${join(SOURCE, 'node/store/open-store')}';
       import { rankingBook } from '${join(SOURCE, 'features/ranking/node/ranking-book')}';
       const { store, notice } = await openStore({ path: process.argv[2] });
       if (!store) throw new Error(notice);
       const changed = rankingBook(store.file).change([${JSON.stringify(BUILDER)}]);
       if (changed.ok) process.kill(process.pid, 'SIGKILL');
       console.error(changed.reason);`,
    );
    const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'ignore', 'inherit'] });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect([...rankingBook((await open(path)).file).read().roles]).toEqual([['build', 'builder']]);
  });
});
