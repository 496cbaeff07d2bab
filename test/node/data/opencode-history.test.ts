import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hourOf, ledgerOf, reportOf, type ScorecardReport } from '../../../src/engine/scorecard';
import { importOpencode, opencodeDatabase } from '../../../src/node/data/opencode-history';
import { type Database, openDatabase } from '../../../src/node/store/driver';
import { openStore, storePath } from '../../../src/node/store/open-store';
import { readSums } from '../../../src/node/store/read-sums';
import { openReader } from '../../../src/node/store/reader';
import { START } from '../../core/virtual-core';
import { tempFolder } from '../temp-folder';

const HOUR = 3_600_000;
/** As OpenCode 1.18.33 makes it. */
const TABLE = `CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
  time_updated integer NOT NULL, data text NOT NULL)`;

const answer = (over: Readonly<Record<string, unknown>> = {}) => ({
  parentID: 'msg_1',
  role: 'assistant',
  mode: 'build',
  agent: 'build',
  path: { cwd: '/secret', root: '/secret' },
  cost: 0.25,
  tokens: { total: 176, input: 120, output: 24, reasoning: 8, cache: { read: 16, write: 8 } },
  providerID: 'acme',
  modelID: 'one',
  time: { created: START, completed: START + 2_000 },
  finish: 'stop',
  ...over,
});

/** A database of OpenCode with these messages, open as in an OpenCode that runs. */
async function opencode(messages: readonly unknown[]): Promise<Readonly<{ file: string; database: Database }>> {
  const file = join(await tempFolder(), 'opencode.db');
  const database = openDatabase(file);
  if (!database) throw new Error('no SQLite here');
  onTestFinished(() => database.close());
  database.exec(`PRAGMA journal_mode = WAL; ${TABLE}`);
  for (const [at, data] of messages.entries())
    database.run('INSERT INTO message VALUES (?, ?, 0, 0, ?)', [
      `msg_${at}`,
      'ses_1',
      typeof data === 'string' ? data : JSON.stringify(data),
    ]);
  return { file, database };
}

async function report(home: string): Promise<ScorecardReport> {
  const reading = await openReader(home);
  if (!reading.ok) throw new Error(reading.reason);
  const ledger = ledgerOf(reading.figures({}));
  reading.close();
  return reportOf(ledger, { now: START }, null);
}

describe('given an OpenCode that runs and remembers answers of two models', () => {
  const messages = [
    answer(),
    answer({ finish: 'tool-calls', time: { created: START + 3_000, completed: START + 90_000 }, cost: 0 }),
    answer({ modelID: 'two', time: { created: START + HOUR, completed: START + HOUR + 500 } }),
  ];

  it('when it is imported twice, then tokens, cost and times count once, and nothing is called an attempt', async () => {
    const home = join(await tempFolder(), 'u');
    const { file } = await opencode(messages);
    expect(await importOpencode(home, file)).toEqual({ ok: true, found: 3, added: 3 });
    expect(await importOpencode(home, file)).toEqual({ ok: true, found: 3, added: 0 });
    const { models, overall } = await report(home);
    expect(overall).toMatchObject({
      totalCalls: 0,
      successRate: { n: 0 },
      tokens: { input: 360, output: 72, reasoning: 24, cacheRead: 48, cacheWrite: 24 },
      cost: { total: 0.5, pricedShare: 2 / 3 },
    });
    // A step that went on to tools took their time as well.
    expect(models.map(({ model, avgResponseTimeMs }) => [model, avgResponseTimeMs])).toEqual([
      ['acme/two', 500],
      ['acme/one', 2_000],
    ]);
  });

  it('when a step was continued after an unknown finish, then its time is not the time of an answer', async () => {
    const home = join(await tempFolder(), 'u');
    const time = { created: START + 3_000, completed: START + 90_000 };
    const { file } = await opencode([answer(), answer({ finish: 'unknown', time })]);
    await importOpencode(home, file);
    expect((await report(home)).models.map(({ avgResponseTimeMs }) => avgResponseTimeMs)).toEqual([2_000]);
  });

  it('when usage is asked by agent and by position, then it is theirs, in place of a position, and once', async () => {
    const home = join(await tempFolder(), 'u');
    const { file } = await opencode([
      ...messages,
      answer({ agent: 'plan', time: { created: START, completed: START + 9 } }),
    ]);
    await importOpencode(home, file);
    await importOpencode(home, file);
    const database = openDatabase(storePath(home));
    if (!database) throw new Error('no SQLite here');
    const sums = (splitBy: 'agent' | 'position') =>
      readSums(database, { splitBy, sinceHour: hourOf(START), untilHour: hourOf(START) + 1 }).map(
        ({ name, attempts, input, reports, placed }) => [name, attempts, input, reports, placed],
      );
    expect(sums('agent')).toEqual([
      ['build', 0, 240, 2, 0],
      ['plan', 0, 120, 1, 0],
    ]);
    expect(sums('position')).toEqual([['-2', 0, 360, 3, 0]]);
    database.close();
  });

  it('when it is imported, then not a byte of its files changes, and no path or text is in the history', async () => {
    const home = join(await tempFolder(), 'u');
    const { file } = await opencode(messages);
    const files = async () => {
      const names = (await readdir(dirname(file))).sort();
      return await Promise.all(names.map(async (name) => [name, await readFile(join(dirname(file), name), 'hex')]));
    };
    const before = await files();
    expect(before.map(([name]) => name)).toEqual(['opencode.db', 'opencode.db-shm', 'opencode.db-wal']);
    await importOpencode(home, file);
    expect(await files()).toEqual(before);
    expect(await readFile(storePath(home), 'latin1')).not.toMatch(/secret|msg_|ses_/);
  });

  it('when own records begin in the second hour, then only the first hour of the import counts', async () => {
    const home = join(await tempFolder(), 'u');
    const { file } = await opencode(messages);
    await importOpencode(home, file);
    const database = openDatabase(storePath(home));
    const own = [
      '',
      0,
      hourOf(START + HOUR),
      'acme/own',
      '{"sums":[],"answers":[],"firstTokens":[],"waits":[],"switches":[]}',
    ];
    database?.run('INSERT INTO cells (session, serial, hour, model, cell) VALUES (?, ?, ?, ?, ?)', own);
    database?.close();
    const { models } = await report(home);
    expect(models.map(({ model }) => model).sort()).toEqual(['acme/one', 'acme/own']);
    const { store } = await openStore({ path: storePath(home), wall: () => START });
    expect(store?.figures({ sinceHour: hourOf(START + HOUR) }).map(({ model }) => model)).toEqual(['acme/own']);
    await store?.close();
  });

  it('when a session was forked, then its messages, which have new ids then, count once', async () => {
    const home = join(await tempFolder(), 'u');
    const { file } = await opencode([...messages, ...messages]);
    expect(await importOpencode(home, file)).toEqual({ ok: true, found: 6, added: 3 });
  });
});

describe('given a history of a newer version', () => {
  it('when OpenCode is imported, then it is refused, and the reason is the history', async () => {
    const home = await tempFolder();
    const { file } = await opencode([answer()]);
    await importOpencode(home, file);
    const database = openDatabase(storePath(home));
    database?.exec('PRAGMA user_version = 99');
    database?.close();
    expect(await importOpencode(home, file)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^The history cannot be written/),
    });
  });
});

describe('given messages that are no answers', () => {
  it('when they are imported, then each of them is left out and the one answer counts', async () => {
    const home = join(await tempFolder(), 'u');
    const none = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
    const { file } = await opencode([
      'no JSON',
      'null',
      { ...answer(), role: 'user' },
      answer({ time: { created: START } }),
      answer({ tokens: none }),
      answer({ modelID: undefined }),
      answer({ agent: undefined, tokens: { input: 'many', output: 5 } }),
    ]);
    expect(await importOpencode(home, file)).toEqual({ ok: true, found: 1, added: 1 });
    expect((await report(home)).overall.tokens).toMatchObject({ input: 0, output: 5 });
  });
});

describe('given no database of OpenCode', () => {
  it('when it is missing, or another file, then nothing is imported and the reason says so', async () => {
    const home = join(await tempFolder(), 'u');
    const file = join(await tempFolder(), 'opencode.db');
    expect(await importOpencode(home, file)).toEqual({
      ok: false,
      reason: `OpenCode has no database at ${file}.`,
    });
    await writeFile(file, 'once upon a time '.repeat(1_000));
    expect(await importOpencode(home, file)).toMatchObject({ ok: false, reason: expect.stringContaining(file) });
    expect(await readdir(dirname(home))).toEqual([]);
  });

  it('when its place is asked for, then it is where OpenCode looks', () => {
    expect(opencodeDatabase({ XDG_DATA_HOME: '/data' })).toBe('/data/opencode/opencode.db');
    expect(opencodeDatabase({ XDG_DATA_HOME: '/data', OPENCODE_DB: 'mine.db' })).toBe('/data/opencode/mine.db');
    expect(opencodeDatabase({ OPENCODE_DB: '/elsewhere/mine.db' })).toBe('/elsewhere/mine.db');
  });
});
