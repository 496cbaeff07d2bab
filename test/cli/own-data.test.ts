import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CliParts } from '../../src/cli/parts';
import type { LogRecord } from '../../src/core/base/record';
import { openCore } from '../../src/node/open-core';
import { openDatabase } from '../../src/node/store/driver';
import { openStore, storePath } from '../../src/node/store/open-store';
import { COMPANION, configured, openTestCore, START, SWITCHED_TURN } from '../core/virtual-core';
import { tempFolder } from '../node/temp-folder';
import { patiently } from '../support/eventually';
import { fakeHost, openedOn } from '../support/panel-host';
import { snapshotOf } from '../support/rows';
import { runCli } from './run-cli';

let home = '';
let said: string[] = [];

beforeEach(async () => {
  home = join(await tempFolder(), 'u');
  said = [];
});

const running = openedOn(fakeHost(snapshotOf([])));

const run = (args: readonly string[], isRunning = false, change: Partial<CliParts> = {}): Promise<number> =>
  runCli(args, {
    env: { UNDERSTUDY_HOME: home },
    attachCore: async () => (isRunning ? running : null),
    print: (text) => said.push(text),
    printError: (text) => said.push(text),
    ...change,
  });

/** The log of a turn that an understudy answered. */
function logged(): readonly LogRecord[] {
  const { core, log, tell } = openTestCore();
  core.connected(COMPANION);
  for (const event of [configured(), ...SWITCHED_TURN]) tell(event);
  return log;
}

const linesOf = (records: readonly LogRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe('given the log of another state home', () => {
  it('when it is imported and the app starts, then the scorecard has its 2 calls; exported, it is the same log', async () => {
    const file = join(await tempFolder(), 'log.jsonl');
    await writeFile(file, linesOf(logged()));
    expect([await run(['data', 'import', file]), said]).toEqual([0, [`${logged().length} records are in ${home}.`]]);
    expect([await run(['data', 'log', '--out', `${file}.2`]), await readFile(`${file}.2`, 'utf8')]).toEqual([
      0,
      linesOf(logged()),
    ]);
    const core = await openCore({ version: '0.1.0', runtime: 'test', env: { UNDERSTUDY_HOME: home } });
    await patiently(async () => expect((await core.host.handlers['scorecard.get']({})).totals.totalCalls).toBe(2));
    await core.close();
  });

  it('when one of its lines is no record, then nothing is imported and the line is named', async () => {
    const file = join(await tempFolder(), 'log.jsonl');
    await writeFile(file, `${linesOf(logged())}{"v":1}\n`);
    expect([await run(['data', 'import', file]), said]).toEqual([
      1,
      [`${file}:${logged().length + 1} is not a log record of Understudy.`],
    ]);
    expect(await readdir(home).catch(() => [])).toEqual([]);
  });

  it('when something is recorded here already, or the app runs, then it is refused', async () => {
    const file = join(await tempFolder(), 'log.jsonl');
    await writeFile(file, linesOf(logged()));
    expect(await run(['data', 'import', file], true)).toBe(1);
    expect([await run(['data', 'import', file]), await run(['data', 'import', file])]).toEqual([0, 1]);
    expect(said.at(-1)).toBe(`${home} already contains records. Choose another UNDERSTUDY_HOME.`);
  });
});

describe('given a state home with everything that can be recorded', () => {
  /** Of a process that cannot be: no system counts so far. */
  const LEFT = '999999999.0123456789ab.tmp';
  const DATA = [
    ...['events.jsonl', 'events.jsonl.1', 'history.db', 'history.db-wal', 'history.db.corrupt-2026-a1'],
    ...[`.events.jsonl.${LEFT}`, 'accounts.json', 'accounts.json.corrupt-2026-b2', 'health.json'],
    ...['health.json.corrupt-2026-c3', `.health.json.${LEFT}`],
  ];
  const OTHERS = [
    // Of a writer at its work.
    `.health.json.${process.pid}.0123456789ab.tmp`,
    `.token.${LEFT}`,
    'health.json.mine',
    'metrics-token',
    'token',
  ];

  it('when it is erased, then the records are gone and the rest stays', async () => {
    await mkdir(home);
    for (const name of [...DATA, ...OTHERS]) await writeFile(join(home, name), 'x');
    expect(await run(['data', 'erase', '--yes'])).toBe(0);
    expect(said[0]?.slice('Deleted: '.length, -1).split(', ').toSorted()).toEqual(DATA.toSorted());
    expect((await readdir(home)).sort()).toEqual(OTHERS);
    expect([await run(['data', 'erase', '--yes']), said.at(-1)]).toEqual([0, 'There is no recorded data.']);
  });

  it('when a folder lay in the place of one and was moved aside, then it stays, and all that was recorded goes', async () => {
    const aside = 'health.json.corrupt-2026-c3';
    await mkdir(join(home, aside), { recursive: true });
    for (const name of ['events.jsonl', 'health.json']) await writeFile(join(home, name), 'x');
    expect([await run(['data', 'erase', '--yes']), said]).toEqual([0, ['Deleted: events.jsonl, health.json.']]);
    expect(await readdir(home)).toEqual([aside]);
  });

  it('when a terminal answers no, then nothing is deleted; a yes deletes', async () => {
    await mkdir(home);
    await writeFile(join(home, 'history.db'), 'x');
    const answer = (isYes: boolean) => run(['data', 'erase'], false, { isTerminal: true, ask: async () => isYes });
    expect([await answer(false), await readdir(home)]).toEqual([5, ['history.db']]);
    expect([await answer(true), await readdir(home)]).toEqual([0, []]);
  });

  it('when nobody said yes, or the app runs, then nothing is deleted', async () => {
    await mkdir(home);
    await writeFile(join(home, 'history.db'), 'x');
    expect([await run(['data', 'erase']), await run(['data', 'erase', '--yes'], true)]).toEqual([5, 1]);
    expect(await readdir(home)).toEqual(['history.db']);
  });
});

describe('given a history that is being written', () => {
  it('when it is backed up, then the copy is whole and private; a second time, or without one, it is refused', async () => {
    const file = join(await tempFolder(), 'copy.db');
    expect([await run(['data', 'backup', file], true), said.at(-1)]).toEqual([1, 'Nothing has been recorded yet.']);
    await mkdir(home);
    const { store } = await openStore({ path: storePath(home), wall: () => START });
    const { core, tell } = openTestCore(undefined, store);
    core.connected(COMPANION);
    for (const event of [configured(), ...SWITCHED_TURN]) tell(event);
    core.flush();
    await store?.flush();
    expect([await run(['data', 'backup', file], true), said.at(-1)]).toEqual([0, `The history is copied to ${file}.`]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await run(['data', 'backup', file], true)).toBe(1);
    expect(said.at(-1)).toContain('EEXIST');
    await store?.close();
    const copy = openDatabase(file);
    expect(copy?.all('SELECT count(*) AS n FROM attempts')).toMatchObject([{ n: 2 }]);
    copy?.close();
  });
});
