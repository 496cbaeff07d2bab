import { randomBytes } from 'node:crypto';
import type { HealthKey } from '../../../engine';
import type { Outcome } from '../../../node/base/failure';
import type { ServerTrouble } from '../contract/fleet-values';
import type { FleetIdentity } from './link';
import {
  connectToServer,
  keyOfAccount,
  NO_REDIS,
  NOTHING_HEARD,
  type ServerConnection,
  type Trouble,
  troubleOf,
} from './server';

export type FleetCheck = Readonly<{ what: string; isWell: boolean; said: string; advice: string | null }>;

const ADVICE: Readonly<Record<ServerTrouble, string>> = {
  unreachable:
    'Check that the server runs, that its address and port are correct, and that no firewall blocks them. Use rediss:// for encrypted connections, otherwise redis://.',
  untrusted:
    'Check that the server accepts encrypted connections on this port, and that its certificate is valid, matches this name and is signed by an authority that this machine trusts. To name your own authority, use "understudy fleet join … --ca FILE".',
  refused:
    'Check the user name and the password (--password-env, or the file "fleet-password" in the folder of the secret). The user needs permission to run scripts on understudy:* keys, and the other permissions listed in docs/fleet.md.',
  readonly: 'This server is a read-only replica. Use the server that accepts writes.',
  full: 'Give the server more memory, or find out why it cannot write. Stored reports are still read, but new ones are rejected.',
  slow: 'The server takes longer than 2 s. Check its load and the network.',
  flooded: 'Find out who writes to the server, and delete the key of that account. Every machine then reports again.',
  failed: 'The server returned an unexpected reply. Check that it is Redis 7 or Valkey.',
};

/** A longer round trip, in ms, is too slow to lease a probe. */
const FAR_MS = 50;
const WORD_KEPT_MS = 5_000;
const DOCTOR = '0'.repeat(16);

/**
 * Writes one entry that expires after five seconds.
 * @param accounts marks by health key.
 */
export async function checkServer(
  { team, address }: FleetIdentity,
  accounts: ReadonlyMap<HealthKey, string>,
): Promise<readonly FleetCheck[]> {
  const place = `${address.isTls ? 'rediss' : 'redis'}://${address.host}:${address.port}`;
  const connected = await connectToServer(address);
  if (!connected.ok) return [unwell(`the server ${place}`, connected)];
  const server = connected.value;
  const key = keyOfAccount(team, `doctor-${randomBytes(4).toString('hex')}`);
  try {
    const time = await checked('the clock', () => timed(server));
    if (time.said === NO_REDIS.reason) return [unwell(`the server ${place}`, NO_REDIS)];
    const checks = [
      well(`the server ${place}`, 'it responds'),
      time,
      await checked('writing a report', () => putOne(server, key)),
      await checked('receiving a report', () => hearOne(server, key)),
      await checked('the lease of a probe', () => leaseOne(server, key)),
    ];
    for (const [account, mark] of accounts) checks.push(await accountAt(server, account, keyOfAccount(team, mark)));
    return checks;
  } finally {
    server.close();
  }
}

const well = (what: string, report: string): FleetCheck => ({ what, isWell: true, said: report, advice: null });
const unwell = (what: string, { trouble, reason }: Trouble): FleetCheck => ({
  what,
  isWell: false,
  said: reason,
  advice: ADVICE[trouble],
});

async function checked(what: string, look: () => Promise<Outcome<{ said: string }>>): Promise<FleetCheck> {
  try {
    const found = await look();
    return found.ok ? well(what, found.said) : unwell(what, { trouble: 'failed', reason: found.reason });
  } catch (error) {
    return unwell(what, troubleOf(error));
  }
}

/** Anyone with write access to the server can create such data. */
async function accountAt(server: ServerConnection, account: HealthKey, key: string): Promise<FleetCheck> {
  const advice = `Find out who writes to the server, and delete the key ${key}. Every machine then reports again.`;
  try {
    const { isFlooded } = await server.read(key, NOTHING_HEARD);
    if (!isFlooded) return well(account, 'shared');
    return {
      what: account,
      isWell: false,
      said: 'it holds more reports than a team writes, so none is read',
      advice,
    };
  } catch (error) {
    const found = unwell(account, troubleOf(error));
    return troubleOf(error).trouble === 'failed' ? { ...found, advice } : found;
  }
}

async function timed(server: ServerConnection): Promise<Outcome<{ said: string }>> {
  const { tookMs } = await server.time();
  const took = `round trip of ${Math.max(1, Math.round(tookMs))} ms`;
  return {
    ok: true,
    said: tookMs > FAR_MS ? `${took}, too slow for leases: each machine decides alone whether to probe a model` : took,
  };
}

async function putOne(server: ServerConnection, key: string): Promise<Outcome<{ said: string }>> {
  const { serverMs } = await server.time();
  const held = { machine: DOCTOR, saidAt: serverMs, until: serverMs + WORD_KEPT_MS, words: 'a word' };
  const put = await server.put(key, held);
  const { held: all } = await server.read(key, NOTHING_HEARD);
  if (put.change === 0 || all[0]?.words !== held.words) return { ok: false, reason: 'the written report is missing' };
  return { ok: true, said: 'stored and read' };
}

async function hearOne(server: ServerConnection, key: string): Promise<Outcome<{ said: string }>> {
  await server.follow([key]);
  const { serverMs } = await server.time();
  const arrival = new Promise<boolean>((resolve) => {
    server.onNews(() => resolve(true));
    setTimeout(() => resolve(false), WORD_KEPT_MS).unref();
  });
  const before = performance.now();
  await server.put(key, { machine: DOCTOR, saidAt: serverMs + 1, until: serverMs + WORD_KEPT_MS, words: 'another' });
  if (!(await arrival))
    return { ok: false, reason: 'no message arrived: reports of other machines are read only every 5 s' };
  return { ok: true, said: `received within ${Math.max(1, Math.round(performance.now() - before))} ms` };
}

async function leaseOne(server: ServerConnection, key: string): Promise<Outcome<{ said: string }>> {
  const isOurs = await server.lease(`${key}:probe`, DOCTOR, WORD_KEPT_MS);
  const isOthers = await server.lease(`${key}:probe`, 'another', WORD_KEPT_MS);
  await server.release(`${key}:probe`, DOCTOR);
  return isOurs && !isOthers
    ? { ok: true, said: 'granted to one machine' }
    : { ok: false, reason: 'granted to two machines' };
}
