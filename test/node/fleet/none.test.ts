import { writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fleetSecretPath, newSecret } from '../../../src/features/fleet/node/settings';
import { keepOthersSpent, openOthersSpent } from '../../../src/node/data/others-spent';
import { EVIDENCE } from '../../engine/world';
import { patiently } from '../../support/eventually';
import { tempFolder } from '../temp-folder';
import { appIn } from './app';

afterEach(() => vi.restoreAllMocks());

/** An app of which every connection that it opens is counted, and none comes about. */
async function opened() {
  const home = await tempFolder();
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
    return this.destroy();
  });
  return { home, connect, ...appIn(home) };
}

describe('given an app whose user has joined no fleet', () => {
  it('when ten days of failures, probes and looks pass, then nothing is opened, and nobody waits; once they join, a server is asked', async () => {
    const { home, connect, fleet, world } = await opened();
    for (let hours = 0; hours < 240; hours += 10) {
      world.wait(36_000_000);
      world.failingAlone('a/1', EVIDENCE.rateLimit);
      fleet.look();
      await fleet.reread();
      await fleet.meet();
      expect(await fleet.lease('a/1')).toBe(true);
    }
    expect([connect.mock.calls.length, fleet.status().state]).toEqual([0, 'off']);

    await writeFile(fleetSecretPath(home), newSecret(), { mode: 0o600 });
    const choice = { fleet: { url: 'redis://127.0.0.1:1', team: 'acme', name: 'b-7' } };
    await writeFile(join(home, 'preferences.json'), JSON.stringify(choice));
    await fleet.reread();
    await patiently(() => expect(connect).toHaveBeenCalled());
  });
});

describe('given what other machines have spent, which every process counts by', () => {
  it('when one of them does not know the password, then it stays; when the fleet is left, or money is not shared, then it is gone', async () => {
    const { home, fleet } = await opened();
    const isThere = async (): Promise<boolean> => {
      const kept = openOthersSpent(home);
      await kept.refresh();
      return kept.known().size > 0;
    };
    const choose = async (choice: object): Promise<void> => {
      await writeFile(join(home, 'preferences.json'), JSON.stringify({ fleet: choice }));
      await fleet.reread();
    };
    const spent = new Map([['a', [[Math.floor(Date.now() / 3_600_000), 5e9]] as const]]);
    await writeFile(fleetSecretPath(home), newSecret(), { mode: 0o600 });
    const team = { url: 'redis://127.0.0.1:1', team: 'acme', share: ['budget'] };
    await choose(team);
    await keepOthersSpent(home, spent);
    await choose({ ...team, passwordEnv: 'NOT_SET' });
    expect([fleet.status().state, await isThere()]).toEqual(['unready', true]);
    await choose(team);
    expect(await isThere()).toBe(true);
    await choose({ ...team, share: ['health'] });
    await patiently(async () => expect(await isThere()).toBe(false));
    await keepOthersSpent(home, spent);
    await choose({});
    await patiently(async () => expect(await isThere()).toBe(false));
  });
});
