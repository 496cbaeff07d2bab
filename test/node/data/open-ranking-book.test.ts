import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RankingBook } from '../../../src/features/ranking/core/port';
import { openRankingBook } from '../../../src/features/ranking/node/open-ranking-book';
import type { KeptChange } from '../../../src/features/ranking/rules/kept/change';
import { backUpHistory, eraseData } from '../../../src/node/data/own-data';
import { openDatabase } from '../../../src/node/store/driver';
import { storePath } from '../../../src/node/store/open-store';
import { STORE_VERSION } from '../../../src/node/store/schema';
import { newHome, open } from '../core-support';

const BUILDER: KeptChange = { part: 'role', agent: 'build', value: 'builder' };

/** Does something with the book of a home, and closes it. @throws why there is none. */
async function withBook<T>(home: string, work: (book: RankingBook) => T): Promise<T> {
  const opened = await openRankingBook(home, (notice) => expect.unreachable(notice));
  if (!opened.ok) throw new Error(opened.reason);
  try {
    return work(opened.book);
  } finally {
    opened.close();
  }
}

const keepOne = (home: string) => withBook(home, (book) => book.change([BUILDER]));
const rolesIn = (home: string) => withBook(home, (book) => [...book.read().roles]);
const refusal = async (home: string) => {
  const opened = await openRankingBook(home, () => undefined);
  return opened.ok ? null : opened.reason;
};

describe('given a state home without anything, and no app', () => {
  it('when something is kept, then it is there again, in files that nobody else may read', async () => {
    const { home } = await newHome();
    expect(await keepOne(home)).toEqual({ ok: true });
    expect(await rolesIn(home)).toEqual([['build', 'builder']]);
    for (const name of await readdir(home)) expect((await stat(join(home, name))).mode & 0o777).toBe(0o600);
  });
});

describe('given a state home with a role', () => {
  it('when an app runs, then the book is refused; when it is closed, then the role is there', async () => {
    const place = await newHome();
    await keepOne(place.home);
    const app = await open(place);
    expect(await refusal(place.home)).toBe('Understudy is running and locks its history. Try again, or quit it first.');
    await app.close();
    expect(await rolesIn(place.home)).toEqual([['build', 'builder']]);
  });

  it('when the history is backed up, then the copy has it', async () => {
    const [{ home }, other] = [await newHome(), await newHome()];
    await keepOne(home);
    await mkdir(other.home);
    expect(await backUpHistory(home, storePath(other.home))).toEqual({ ok: true });
    expect(await rolesIn(other.home)).toEqual([['build', 'builder']]);
  });

  it('when everything is erased, then it is gone', async () => {
    const { home } = await newHome();
    await keepOne(home);
    expect(await eraseData(home)).toMatchObject({ ok: true, files: expect.arrayContaining(['history.db']) });
    expect(await rolesIn(home)).toEqual([]);
  });

  it('when a newer version has written the file, then the book is refused and the file is as it was', async () => {
    const { home } = await newHome();
    await keepOne(home);
    const database = openDatabase(storePath(home));
    database?.exec(`PRAGMA user_version = ${STORE_VERSION + 1}; PRAGMA wal_checkpoint(TRUNCATE)`);
    database?.close();
    const before = await readFile(storePath(home));
    expect(await refusal(home)).toBe(
      `A newer version (${STORE_VERSION + 1}) wrote the history: it is shown but not continued.`,
    );
    expect(await readFile(storePath(home))).toEqual(before);
  });

  it('when the file is damaged, then the book is refused and the file lies where it lay, as it was', async () => {
    const { home } = await newHome();
    await keepOne(home);
    const text = 'once upon a time '.repeat(1_000);
    await writeFile(storePath(home), text);
    expect(await refusal(home)).toBe(
      'The history is damaged. Start Understudy: it moves the file aside and creates a new one.',
    );
    expect(await readdir(home)).not.toContainEqual(expect.stringContaining('.corrupt-'));
    expect(await readFile(storePath(home), 'utf8')).toBe(text);
  });
});

describe('given a path at which no folder can be', () => {
  it('when the book is to be opened, then it is refused with the reason', async () => {
    const { home } = await newHome();
    await writeFile(home, '');
    expect(await refusal(home)).toMatch(/EEXIST|ENOTDIR|not a folder/);
  });
});
