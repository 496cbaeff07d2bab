import { readFile, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_PREFERENCES } from '../../../src/contract/preferences';
import { fleetOf, fleetSecretPath, newSecret } from '../../../src/features/fleet/node/settings';
import { joinAsCompanion } from '../../../src/features/fleet/plugin/fleet';
import { accountsPath, openAccountBooks } from '../../../src/node/data/account-books';
import { keepOthersSpent, openOthersSpent } from '../../../src/node/data/others-spent';
import { createBrain } from '../../../src/plugin/base/brain';
import { patiently } from '../../support/eventually';
import { tempFolder } from '../temp-folder';
import { appIn } from './app';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const TEAM = { url: 'redis://10.0.0.5:6379', team: 'acme', name: 'build-7' };

/** A machine of a team that has asked nobody, where connections come to nothing. */
async function newMachine() {
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
    return this.destroy();
  });
  const home = await tempFolder();
  await writeFile(fleetSecretPath(home), newSecret(), { mode: 0o600 });
  const choose = (fleet: object | string): Promise<void> =>
    writeFile(join(home, 'preferences.json'), typeof fleet === 'string' ? fleet : JSON.stringify({ fleet }));
  await choose(TEAM);
  const found = await fleetOf({ ...DEFAULT_PREFERENCES.fleet, ...TEAM }, { home, env: {}, version: '1.2.3' });
  if (found.kind !== 'ready') throw new Error('no fleet');
  const books = await openAccountBooks(home, () => undefined);
  books.nameBy(found.marks);
  const asks = () => books.noteAsked('/project', 'team', { account: 'https://api.example.com a-key', apart: null });
  return { home, choose, asks };
}

/** An app in a team on such a machine, which has asked one account by now. */
async function inTeam() {
  const { home, choose, asks } = await newMachine();
  asks();
  const { fleet } = appIn(home);
  const shared = () => fleet.status().accounts.map(({ account }) => account);
  await patiently(async () => {
    await fleet.reread();
    fleet.look();
    expect(shared()).toEqual(['team']);
  });
  return { home, fleet, choose, shared };
}

describe('given an app in a team, on a machine that has asked nobody', () => {
  it('when it is written down which account was asked after all else of that turn, then that account is shared within five seconds', async () => {
    const { home, asks } = await newMachine();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { fleet } = appIn(home);
    await fleet.reread();
    expect(fleet.status()).toMatchObject({ state: expect.stringMatching(/connecting|away/), accounts: [] });
    asks();
    await patiently(async () => expect(await readFile(accountsPath(home), 'utf8')).toContain('"team"'));
    vi.advanceTimersByTime(5_000);
    await patiently(() => expect(fleet.status().accounts).toMatchObject([{ account: 'team', apart: null }]));
  });
});

describe('given an app in a team, with an account that it shares', () => {
  it('when a setting of the fleet changes, or it leaves and joins again, then that account is shared as before', async () => {
    const { fleet, choose, shared } = await inTeam();
    for (const change of [{ ignored: ['0123456789abcdef'] }, { share: ['health'] }, { url: null }, {}]) {
      await choose({ ...TEAM, ...change });
      await fleet.reread();
      expect([change, shared()]).toEqual([change, 'url' in change ? [] : ['team']]);
    }
  });

  it('when its preferences cannot be understood for a while, then it stays in the team, and what others have spent counts on', async () => {
    const { home, fleet, choose, shared } = await inTeam();
    await keepOthersSpent(home, new Map([['team', [[Math.floor(Date.now() / 3_600_000), 5e9]] as const]]));
    await choose('{ "fleet": {');
    await fleet.reread();
    expect([fleet.status().state, shared()]).toEqual([expect.stringMatching(/connecting|away/), ['team']]);
    const spent = openOthersSpent(home);
    await spent.refresh();
    expect(spent.known().size).toBe(1);
    await choose(TEAM);
    await fleet.reread();
    expect(shared()).toEqual(['team']);
  });

  it('when an app begins with preferences that cannot be understood, then it says so, and that it is in no fleet it does not say', async () => {
    const { home, choose } = await inTeam();
    await choose('{ "fleet": {');
    const { fleet } = appIn(home);
    await fleet.reread();
    expect(fleet.status()).toMatchObject({
      state: 'unready',
      missing: { what: 'preferences', why: expect.stringContaining('preferences.json:1:') },
    });
  });

  it('when a password is put right beside it, then it is used within half a minute, without anybody saying so', async () => {
    const { home, fleet, choose } = await inTeam();
    await choose({ ...TEAM, passwordEnv: 'NOT_SET' });
    await fleet.reread();
    expect(fleet.status().state).toBe('unready');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { fleet: other } = appIn(home);
    await patiently(() => expect(other.status().state).toBe('unready'));
    await choose(TEAM);
    vi.advanceTimersByTime(30_000);
    await patiently(() => expect(other.status().state).toMatch(/connecting|away/));
  });
});

describe('given an OpenCode without an app, in a team, at which nobody works', () => {
  it('when its user leaves, then it looks for the server no more within half a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
      return this.destroy();
    });
    const home = await tempFolder();
    vi.stubEnv('UNDERSTUDY_HOME', home);
    await writeFile(fleetSecretPath(home), newSecret(), { mode: 0o600 });
    const choose = (fleet: object): Promise<void> =>
      writeFile(join(home, 'preferences.json'), JSON.stringify({ fleet }));
    await choose(TEAM);
    joinAsCompanion({
      brain: createBrain(),
      books: openAccountBooks(home, () => undefined),
      version: '1.2.3',
      warn: (message) => expect.unreachable(message),
    });
    /** How often it looks for the server in so many seconds; files are read between two of them. */
    const looksIn = async (seconds: number): Promise<number> => {
      connect.mockClear();
      for (let at = 0; at < seconds; at++) {
        await vi.advanceTimersByTimeAsync(1_000);
        await new Promise(setImmediate);
      }
      return connect.mock.calls.length;
    };
    await vi.waitFor(async () => expect(await looksIn(5)).toBeGreaterThan(2), { timeout: 20_000 });
    await choose({ ...TEAM, url: null });
    await looksIn(30);
    await vi.waitFor(async () => expect(await looksIn(5)).toBe(0), { timeout: 20_000 });
  });
});
