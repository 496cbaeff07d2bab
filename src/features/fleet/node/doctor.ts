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
    'See that the server runs and that its address and port are right, also in a firewall. One that takes encrypted connections is named by rediss://, any other by redis://.',
  untrusted:
    'See that the server takes encrypted connections at this port, and that its certificate is in date, is for this name, and is signed by an authority that this machine trusts: "understudy fleet join … --ca FILE" names one of your own.',
  refused:
    'See that the user name and the password are right (--password-env, or the file "fleet-password" beside the secret), and that this user may run scripts on understudy:* keys, and whatever else docs/fleet.md names.',
  readonly: 'Name the server that takes writes: this one is a copy.',
  full: 'Give the server more memory, or see why it cannot write: what it holds is heard, and nothing new is taken.',
  slow: 'The server takes longer than 2 s: see how busy it and the way to it are.',
  flooded: 'See who writes to the server, and delete the key of that account: every machine says again what it knows.',
  failed: 'The server does not do what is asked of it: see that it is Redis 7 or Valkey.',
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
    const time = await checked('its time', () => timed(server));
    if (time.said === NO_REDIS.reason) return [unwell(`the server ${place}`, NO_REDIS)];
    const checks = [
      well(`the server ${place}`, 'it answers'),
      time,
      await checked('words put there', () => putOne(server, key)),
      await checked('words heard from there', () => hearOne(server, key)),
      await checked('the leave to probe', () => leaseOne(server, key)),
    ];
    for (const [account, mark] of accounts) checks.push(await accountAt(server, account, keyOfAccount(team, mark)));
    return checks;
  } finally {
    server.close();
  }
}

const well = (what: string, said: string): FleetCheck => ({ what, isWell: true, said, advice: null });
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
  const advice = `See who writes to the server, and delete the key ${key} there: every machine says again what it knows.`;
  try {
    const { isFlooded } = await server.read(key, NOTHING_HEARD);
    if (!isFlooded) return well(account, 'shared');
    return {
      what: account,
      isWell: false,
      said: 'more stands there than any team says: nothing of it is read',
      advice,
    };
  } catch (error) {
    const found = unwell(account, troubleOf(error));
    return troubleOf(error).trouble === 'failed' ? { ...found, advice } : found;
  }
}

async function timed(server: ServerConnection): Promise<Outcome<{ said: string }>> {
  const { tookMs } = await server.time();
  const took = `${Math.max(1, Math.round(tookMs))} ms away`;
  return { ok: true, said: tookMs > FAR_MS ? `${took}: a machine that may probe a model decides that alone` : took };
}

async function putOne(server: ServerConnection, key: string): Promise<Outcome<{ said: string }>> {
  const { serverMs } = await server.time();
  const held = { machine: DOCTOR, saidAt: serverMs, until: serverMs + WORD_KEPT_MS, words: 'a word' };
  const put = await server.put(key, held);
  const { held: all } = await server.read(key, NOTHING_HEARD);
  if (put.change === 0 || all[0]?.words !== held.words) return { ok: false, reason: 'what was put is not there' };
  return { ok: true, said: 'they are there' };
}

async function hearOne(server: ServerConnection, key: string): Promise<Outcome<{ said: string }>> {
  await server.follow([key]);
  const { serverMs } = await server.time();
  const heard = new Promise<boolean>((resolve) => {
    server.onNews(() => resolve(true));
    setTimeout(() => resolve(false), WORD_KEPT_MS).unref();
  });
  const before = performance.now();
  await server.put(key, { machine: DOCTOR, saidAt: serverMs + 1, until: serverMs + WORD_KEPT_MS, words: 'another' });
  if (!(await heard)) return { ok: false, reason: 'nothing came: what others say is heard every 5 s alone' };
  return { ok: true, said: `within ${Math.max(1, Math.round(performance.now() - before))} ms` };
}

async function leaseOne(server: ServerConnection, key: string): Promise<Outcome<{ said: string }>> {
  const isOurs = await server.lease(`${key}:probe`, DOCTOR, WORD_KEPT_MS);
  const isOthers = await server.lease(`${key}:probe`, 'another', WORD_KEPT_MS);
  await server.release(`${key}:probe`, DOCTOR);
  return isOurs && !isOthers ? { ok: true, said: 'one machine has it' } : { ok: false, reason: 'two machines have it' };
}
