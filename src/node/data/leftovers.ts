import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nameMeant } from '../base/atomic-file';
import { rm } from '../base/disk';
import { isOwnFolder } from '../base/private-folder';

/** Nobody takes so long to replace a file, in ms; processes of another container have numbers of their own. */
const LEFT_MS = 10_000;

/**
 * Removes from a folder of ours what a process has left there that was killed while it replaced a file: the file is whole, what
 * was to take its place is half of something. Never throws.
 */
export async function clearLeftovers(folder: string): Promise<void> {
  if (!(await isOwnFolder(folder))) return;
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => nameMeant(name) !== name).map((name) => join(folder, name));
  await Promise.all(left.map((path) => clear(path).catch(() => undefined)));
}

async function clear(path: string): Promise<void> {
  const { mtimeMs } = await stat(path);
  if (Date.now() - mtimeMs > LEFT_MS) await rm(path, { force: true });
}
