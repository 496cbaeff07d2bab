import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answer } from '../../../src/contract/contract';
import type { DataInfo } from '../../../src/contract/data';
import type { OpenedCore } from '../../../src/node/attach-core';
import { openDatabase } from '../../../src/node/store/driver';
import { CHAIN, DIRECTORY, prompted, started } from '../../core/virtual-core';
import { patiently } from '../../support/eventually';
import { companion, type Home, look, newHome, open, toldTurn, until } from '../core-support';

/** Asks as the panel does: both schemas check it. */
async function ask<T>(core: OpenedCore, name: string, input: unknown = null): Promise<T> {
  const answered = await answer(core.host.handlers, name, input);
  if (!answered.ok) throw new Error(answered.reason);
  return answered.value as T;
}

const infoOf = (core: OpenedCore): Promise<DataInfo> => ask(core, 'data.info');
const calls = async (core: OpenedCore): Promise<number> =>
  (await core.host.handlers['scorecard.get']({})).totals.totalCalls;

/** A core that has recorded a turn of two attempts. */
async function recorded() {
  const place = await newHome();
  const core = await open(place);
  const told = await toldTurn(place);
  await until(core, ({ models }) => models.some(({ model, state }) => model === CHAIN[0] && state === 'cooling'));
  await patiently(async () => expect((await infoOf(core)).history?.attempts).toBe(2));
  return { place, core, told };
}

/** A database of OpenCode, where this home's OpenCode keeps it, with two answers of last year. */
async function remembers({ env, home }: Home): Promise<void> {
  env.OPENCODE_DB = join(dirname(home), 'opencode.db');
  const database = openDatabase(env.OPENCODE_DB);
  database?.exec('CREATE TABLE message (id text PRIMARY KEY, data text NOT NULL)');
  for (const n of [1, 2])
    database?.run('INSERT INTO message VALUES (?, ?)', [
      `msg_${n}`,
      JSON.stringify({
        ...{ role: 'assistant', agent: 'build', providerID: 'acme', modelID: 'one', cost: 0.5, finish: 'stop' },
        tokens: { input: 100 * n, output: 10, reasoning: 0, cache: { read: 0, write: 0 } },
        time: { created: 1_750_000_000_000, completed: 1_750_000_002_000 },
      }),
    ]);
  database?.close();
}

describe('given an app that has recorded a turn of two attempts', () => {
  it('when the panel asks what there is, then it hears where it lies, how much it is and since when', async () => {
    const { place, core } = await recorded();
    const info = await infoOf(core);
    expect(info).toMatchObject({
      folder: place.home,
      history: { path: join(place.home, 'history.db'), attempts: 2, refused: 0 },
      why: null,
      keeping: { detailDays: 30, maxBytes: 512 * 1_048_576 },
      backups: [],
    });
    expect(info.history?.bytes).toBeGreaterThan(0);
    expect(info.logBytes).toBe((await stat(join(place.home, 'events.jsonl'))).size);
    expect(Date.now() - (info.history?.oldestAt ?? 0)).toBeLessThan(7_200_000);
  });

  it('when the panel asks for a backup, then a whole, private copy lies in the state home and is listed', async () => {
    const { place, core } = await recorded();
    const made = await ask<{ ok: boolean; path: string }>(core, 'data.backup');
    expect(made).toMatchObject({ ok: true, path: expect.stringContaining(join(place.home, 'backups', 'history-')) });
    expect((await stat(made.path)).mode & 0o777).toBe(0o600);
    const copy = openDatabase(made.path);
    expect(copy?.all('SELECT count(*) AS n FROM attempts')).toMatchObject([{ n: 2 }]);
    copy?.close();
    expect((await infoOf(core)).backups.map(({ path }) => path)).toEqual([made.path]);
  });

  it('when the panel deletes everything without the word for it, then nothing is deleted', async () => {
    const { core } = await recorded();
    await expect(ask(core, 'data.erase', { confirm: 'yes' })).rejects.toThrow();
    expect(await calls(core)).toBe(2);
  });
});

describe('given an app that is told to delete everything while an OpenCode runs', () => {
  it('when it has, then files and figures are gone, the OpenCode is still there, and what it says next is recorded', async () => {
    const { place, core, told } = await recorded();
    await ask(core, 'data.backup');
    await writeFile(join(place.home, 'history.db.corrupt-1'), 'x');
    const { files } = await ask<{ files: string[] }>(core, 'data.erase', { confirm: 'erase' });
    expect(files).toEqual([
      'events.jsonl',
      'history.db',
      'health.json',
      'history.db.corrupt-1',
      expect.stringMatching(/^backups.history-/),
    ]);
    expect(await readdir(join(place.home, 'backups'))).toEqual([]);
    expect(await readFile(join(place.home, 'events.jsonl'), 'utf8')).not.toMatch(/attempt\.|prompt\./);
    const { instances, sessions, chains, events } = await look(core);
    expect(instances.map(({ status }) => status)).toEqual(['connected']);
    expect(sessions).toEqual([]);
    expect(chains.map(({ directory }) => directory)).toContain(DIRECTORY);
    expect(events.map(({ detail }) => detail)).toContain('Everything recorded before was deleted');
    expect(await calls(core)).toBe(0);
    const health = () => readFile(join(place.home, 'health.json'), 'utf8').catch(() => '');
    await patiently(async () => expect(await health()).not.toContain('lead/one'));

    told.tell(prompted({ turn: 't2' }));
    told.tell(started({ attempt: 'b1', turn: 't2' }));
    await patiently(async () => expect((await infoOf(core)).history?.attempts).toBe(1));
  });

  it('when it starts again and that OpenCode comes back, then it is not told again what was deleted', async () => {
    const { place, core, told } = await recorded();
    await ask(core, 'data.erase', { confirm: 'erase' });
    told.leave();
    await core.close();
    const next = await open(place);
    const back = await companion(place);
    expect(back.haveSeq).toBe(told.lastSeq());
    expect((await look(next)).chains.map(({ directory }) => directory)).toContain(DIRECTORY);
    expect(await calls(next)).toBe(0);
  });
});

describe('given an OpenCode that remembers two answers of last year', () => {
  it('when they are imported while the app runs, then its scorecard has them at once, and a second time adds none', async () => {
    const place = await newHome();
    await remembers(place);
    const core = await open(place);
    expect((await infoOf(core)).opencode).toEqual({ path: place.env.OPENCODE_DB, isThere: true });
    expect(await ask(core, 'data.import')).toEqual({ ok: true, found: 2, added: 2 });
    expect((await core.host.handlers['scorecard.get']({})).totals).toMatchObject({
      totalCalls: 0,
      tokens: { input: 300, output: 20 },
      cost: { total: '1' },
    });
    expect(await ask(core, 'data.import')).toEqual({ ok: true, found: 2, added: 0 });
    expect((await infoOf(core)).history?.oldestAt).toBe(Math.floor(1_750_000_002_000 / 3_600_000) * 3_600_000);
  });

  it('when there is no database, then it is refused with the place', async () => {
    const place = await newHome();
    place.env.OPENCODE_DB = join(dirname(place.home), 'missing.db');
    const core = await open(place);
    expect(await ask(core, 'data.import')).toEqual({
      ok: false,
      reason: `OpenCode has no database at ${place.env.OPENCODE_DB}.`,
    });
  });
});

describe('given a backup folder that cannot be made', () => {
  it('when a backup is asked for, then it is refused with the reason', async () => {
    const place = await newHome();
    const core = await open(place);
    await mkdir(place.home, { recursive: true });
    await writeFile(join(place.home, 'backups'), '');
    onTestFinished(() => core.close());
    expect(await ask(core, 'data.backup')).toMatchObject({ ok: false, reason: expect.stringContaining('backups') });
  });
});
