import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Outcome } from './failure';
import { failureText } from './failure';

const PRIVATE_FILE_MODE = 0o600;

/**
 * Replaces a file as a whole: whoever reads it, also after a crash or a power cut, finds the old content or the new.
 * The file is created 0600. A failure leaves the old file as it was.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array): Promise<Outcome> {
  const sibling = siblingOf(path);
  try {
    await writeAndSync(sibling, data);
    await rename(sibling, path);
    await syncFolder(dirname(path));
    return { ok: true };
  } catch (error) {
    await rm(sibling, { force: true }).catch(() => undefined);
    return { ok: false, reason: failureText(error) };
  }
}

/** A name beside `path` that no other process uses. */
export function siblingOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
}

/** Creates a private file with this content, on disk when the promise resolves. @throws the system's error. */
export async function writeAndSync(path: string, data: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE_MODE);
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and needs no sync of it: the rename is journalled.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
