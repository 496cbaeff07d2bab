import { lstat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { chmod, open, rm } from '../base/disk';
import { failureCode, failureText } from '../base/failure';
import { discard, lstatOrNull } from '../base/look';
import { ownUserId } from '../base/private-folder';
import { CLEAR, ensureSocketFolder, isPipe } from '../base/state-home';

const PROBE_MS = 1_000;
const CLAIM_RETRY_MS = 25;
/** Claims last some ms; older ones belong to dead processes. */
const CLAIM_STALE_MS = 5_000;
const CLAIM_PATIENCE_MS = CLAIM_STALE_MS + 1_000;

const OWNERS = 0o600;

export type Claim =
  | Readonly<{ ok: true; release: () => Promise<void> }>
  | Readonly<{ ok: false; reason: 'taken' | 'unsafe' | 'failed'; message: string }>;

/** Blocks others until `release`. Removes only a socket of this user without a listener. */
export async function claimAddress(address: string): Promise<Claim> {
  // Pipes have one process and end with it.
  if (isPipe(address)) return { ok: true, release: async () => undefined };
  const folder = await ensureSocketFolder(address);
  if (!folder.ok) return { ok: false, reason: 'unsafe', message: folder.reason };
  const lock = `${address}.claim`;
  try {
    if (!(await acquire(lock))) return { ok: false, reason: 'taken', message: `${lock} is held by another process` };
  } catch (error) {
    return { ok: false, reason: 'failed', message: failureText(error) };
  }
  const release = () => discard(lock);
  const refusal = await clear(address).catch((error: unknown) => {
    return { ok: false, reason: 'failed', message: failureText(error) } as const;
  });
  if (refusal === null) return { ok: true, release };
  await release();
  return refusal;
}

/** False only for a refused or missing connection. */
export async function isAnswering(address: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = createConnection(address);
    const settle = (answers: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answers);
    };
    const timer = setTimeout(() => settle(true), PROBE_MS);
    socket.once('connect', () => settle(true));
    socket.once('error', (error) => settle(!['ECONNREFUSED', 'ENOENT'].includes(failureCode(error) ?? '')));
  });
}

async function clear(address: string): Promise<Extract<Claim, { ok: false }> | null> {
  const info = await lstat(address).catch((error: unknown) => {
    if (failureCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (info === null) return null;
  if (info.isSymbolicLink()) return { ok: false, reason: 'unsafe', message: `${address} is a symbolic link. ${CLEAR}` };
  if (!info.isSocket()) return { ok: false, reason: 'unsafe', message: `${address} is not a socket. ${CLEAR}` };
  const user = ownUserId();
  if (user !== null && info.uid !== user)
    return { ok: false, reason: 'unsafe', message: `${address} belongs to another user. ${CLEAR}` };
  // Without its owner's rights, a socket cannot be probed.
  if ((info.mode & OWNERS) !== OWNERS) await chmod(address, OWNERS);
  if (await isAnswering(address))
    return { ok: false, reason: 'taken', message: `${address} is answered by another process` };
  await rm(address, { force: true });
  return null;
}

// Otherwise two processes could remove each other's new socket.
async function acquire(lock: string): Promise<boolean> {
  const giveUpAt = performance.now() + CLAIM_PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      return true;
    } catch (error) {
      if (failureCode(error) !== 'EEXIST') throw error;
    }
    const info = await lstatOrNull(lock);
    if (info !== null && Math.abs(Date.now() - info.mtimeMs) > CLAIM_STALE_MS) await rm(lock, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, CLAIM_RETRY_MS));
  }
  return false;
}
