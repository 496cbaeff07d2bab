import { readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { accountsPath, followFleetAccounts, openAccountBooks } from '../../../src/node/data/account-books';
import { patiently } from '../../support/eventually';
import { tempFolder } from '../temp-folder';

/** A key as a request carries it. */
const sent = (account: string) => ({ account, apart: null });
const KEY = 'https://api.example.com sk-one';
const OTHER = 'https://api.example.com sk-two';
const open = (home: string, warn: (message: string) => void = () => undefined) => openAccountBooks(home, warn);
const written = (home: string) =>
  vi.waitFor(
    async () => JSON.parse(await readFile(accountsPath(home), 'utf8')) as { providers: Record<string, unknown> },
  );

describe('given directories that ask providers', () => {
  it('when all use one account, then there is one book, and nothing of the key is kept', async () => {
    const home = await tempFolder();
    const books = await open(home);
    for (const directory of ['/a', '/b']) books.noteAsked(directory, 'acme', sent(KEY));
    expect([books.booksOf('/a'), books.booksOf('/b'), books.booksOf('/c')]).toEqual([{}, {}, {}]);
    const kept = await written(home);
    expect(JSON.stringify(kept)).not.toMatch(/sk-|example|\/a|\/b/);
    expect((await stat(accountsPath(home))).mode & 0o077).toBe(0);
  });

  it('when one uses another account, then it has a book, the same one wherever that account is used', async () => {
    const home = await tempFolder();
    const books = await open(home);
    books.noteAsked('/a', 'acme', sent(KEY));
    for (const directory of ['/b', '/b', '/c']) books.noteAsked(directory, 'acme', sent(OTHER));
    expect(books.booksOf('/b')).toEqual({ acme: expect.stringMatching(/^[\da-f]{12}$/) });
    expect([books.booksOf('/a'), books.booksOf('/c')]).toEqual([{}, books.booksOf('/b')]);
  });

  it('when a directory that used the usual account has another key, then that is the usual one from then on', async () => {
    const books = await open(await tempFolder());
    for (const directory of ['/a', '/b']) books.noteAsked(directory, 'acme', sent(KEY));
    const changed: string[] = [];
    for (const directory of ['/a', '/b']) books.follow(directory, () => changed.push(directory));
    books.noteAsked('/a', 'acme', sent(OTHER));
    expect([books.booksOf('/a'), Object.keys(books.booksOf('/b')), changed]).toEqual([{}, ['acme'], ['/b']]);
    books.noteAsked('/b', 'acme', sent(OTHER));
    expect([books.booksOf('/b'), changed]).toEqual([{}, ['/b', '/b']]);
  });

  it('when a login sends another secret each time, then it is one account after the fourth', async () => {
    const books = await open(await tempFolder());
    books.noteAsked('/usual', 'acme', sent(KEY));
    const seen = Array.from({ length: 40 }, (_, at) => {
      books.noteAsked('/a', 'acme', sent(`https://api.example.com token-${at}`));
      return books.booksOf('/a').acme;
    });
    expect(new Set(seen).size).toBe(5);
    expect(new Set(seen.slice(4)).size).toBe(1);
  });

  it('when another process starts, then it knows the account before it has asked', async () => {
    const home = await tempFolder();
    const books = await open(home);
    books.noteAsked('/a', 'acme', sent(KEY));
    books.noteAsked('/b', 'acme', sent(OTHER));
    await vi.waitFor(async () => expect((await open(home)).booksOf('/b')).toEqual(books.booksOf('/b')));
    expect(Object.keys(books.booksOf('/b'))).toEqual(['acme']);
  });

  it('when another process that runs has seen more, then it is known from the next look on, and who follows hears it once', async () => {
    const home = await tempFolder();
    const [one, other] = await Promise.all([open(home), open(home)]);
    const changed: string[] = [];
    for (const directory of ['/a', '/b']) other.follow(directory, () => changed.push(directory));
    one.noteAsked('/a', 'acme', sent(KEY));
    one.noteAsked('/b', 'acme', sent(OTHER));
    await patiently(async () => {
      await other.refresh();
      expect(other.booksOf('/b')).toEqual(one.booksOf('/b'));
      expect(Object.keys(one.booksOf('/b'))).toEqual(['acme']);
    });
    await other.refresh();
    expect(changed).toEqual(['/b']);
  });

  it('when two that run see a provider first at once, then both come to the same usual account', async () => {
    const home = await tempFolder();
    const [one, other] = await Promise.all([open(home), open(home)]);
    one.noteAsked('/a', 'acme', sent(KEY));
    other.noteAsked('/b', 'acme', sent(OTHER));
    await patiently(async () => {
      await Promise.all([one.refresh(), other.refresh()]);
      const seen = [one, other].map((books) => ['/a', '/b'].map((directory) => books.booksOf(directory)));
      expect(seen[0]).toEqual(seen[1]);
      expect(seen[0]?.filter((books) => 'acme' in books)).toHaveLength(1);
    });
  });

  it('when a directory is not followed any more, then nobody is told of it', async () => {
    const books = await open(await tempFolder());
    const changed: string[] = [];
    books.noteAsked('/a', 'acme', sent(KEY));
    books.follow('/b', () => changed.push('/b'))();
    books.noteAsked('/b', 'acme', sent(OTHER));
    expect([Object.keys(books.booksOf('/b')), changed]).toEqual([['acme'], []]);
  });

  it('when a provider is called as every object’s parts are, then it is one like any other', async () => {
    const books = await open(await tempFolder());
    for (const provider of ['constructor', '__proto__', 'toString']) {
      books.noteAsked('/a', provider, sent(KEY));
      books.noteAsked('/b', provider, sent(OTHER));
    }
    expect([books.booksOf('/a'), Object.keys(books.booksOf('/b')).length]).toEqual([{}, 3]);
  });

  it('when the file is damaged, then it is moved aside and said, and everything is one account', async () => {
    const home = await tempFolder();
    await (await open(home)).noteAsked('/a', 'acme', sent(KEY));
    await written(home);
    await writeFile(accountsPath(home), '{"v":1,"providers":{"acme":{"usual":"sk-one"}}}', { mode: 0o600 });
    const said: string[] = [];
    const books = await open(home, (message) => said.push(message));
    await vi.waitFor(() => expect(said.join()).toContain('accounts.json could not be read. It was moved to'));
    expect(books.booksOf('/a')).toEqual({});
  });

  it('when there is a fleet, then its name of each account is kept with it, by the key its health has here', async () => {
    const home = await tempFolder();
    const books = await open(home);
    const fleet = { by: 'one', markOf: (account: string) => `mark of ${account.at(-1)}` };
    // Before it is known whether there is one.
    books.noteAsked('/a', 'acme', sent(KEY));
    expect([...books.forFleet().marks]).toEqual([]);
    books.nameBy(fleet);
    expect([...books.forFleet().marks]).toEqual([['acme', `mark of ${KEY.at(-1)}`]]);
    for (const directory of ['/a', '/c']) books.noteAsked(directory, 'acme', sent(KEY));
    books.noteAsked('/b', 'acme', sent(OTHER));
    books.noteAsked('/a', 'other', { account: 'https://api.example.com login', apart: 'login' });
    const other = Object.values(books.booksOf('/b'))[0];
    expect([...books.forFleet().marks]).toEqual([
      ['acme', `mark of ${KEY.at(-1)}`],
      [`acme@${other}`, `mark of ${OTHER.at(-1)}`],
    ]);
    expect([...books.forFleet().apart]).toEqual([['other', 'login']]);
    const follower = followFleetAccounts(home, 'one');
    await patiently(async () => expect([...((await follower.news())?.marks.keys() ?? [])]).toHaveLength(2));
    expect([...((await followFleetAccounts(home, 'two').news())?.marks ?? [])]).toEqual([]);
    // Another secret: no name of before holds.
    books.nameBy({ ...fleet, by: 'two' });
    expect([...books.forFleet().marks]).toEqual([]);
    books.noteAsked('/a', 'acme', sent(KEY));
    expect([...books.forFleet().marks.keys()]).toEqual(['acme']);
  });
});
