import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { open, rename } from './disk';
import type { Outcome } from './failure';
import { failureCode, failureText } from './failure';
import { isAlive } from './is-alive';
import { discard } from './look';

const PRIVATE_FILE_MODE = 0o600;

/** On Windows, virus scanners and indexers briefly hold new files. */
const HELD_CODES: readonly (string | null)[] = ['EBUSY', 'EPERM', 'EACCES'];
const HELD_TRIES = 6;
const HELD_WAIT_MS = 20;

/** Replaces a file atomically, even across a crash. @param mode default 0600. */
export async function writeFileAtomic(path: string, data: string | Uint8Array, mode?: number): Promise<Outcome> {
  const sibling = siblingOf(path);
  try {
    await writeAndSync(sibling, data, mode);
    await renameHeld(() => rename(sibling, path), process.platform);
    await syncFolder(dirname(path));
    return { ok: true };
  } catch (error) {
    await discard(sibling);
    return { ok: false, reason: failureText(error, path) };
  }
}

export async function renameHeld(act: () => Promise<void>, platform: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      const isHeld = platform === 'win32' && HELD_CODES.includes(failureCode(error));
      if (!isHeld || attempt === HELD_TRIES) throw error;
      await wait(HELD_WAIT_MS * 2 ** attempt);
    }
  }
}

export function siblingOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
}

/** Returns the target of a temporary file whose writer has died; else the name itself. */
export function nameMeant(name: string): string {
  const [, meant, pid] = /^\.(.+)\.(\d+)\.[0-9a-f]{12}\.tmp$/.exec(name) ?? [];
  return meant === undefined || isAlive(Number(pid)) ? name : meant;
}

/** On disk when the promise resolves. @throws the system's error. */
export async function writeAndSync(path: string, data: string | Uint8Array, mode = PRIVATE_FILE_MODE): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE_MODE);
  try {
    // Ignores the umask: a replaced file keeps its mode.
    if (mode !== PRIVATE_FILE_MODE) await file.chmod(mode);
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Some network drives refuse. Never rejects. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder and needs no sync: it journals renames.
  if (process.platform === 'win32') return;
  // silent: some file systems cannot open or sync a folder
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined); // silent: as above
  await handle?.close().catch(() => undefined); // silent: it wrote nothing
}
