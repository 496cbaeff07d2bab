import type { Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { countError } from '../../core/base/internal-errors';
import { rm } from './disk';

/** What lies at a path, through links; null where nothing does or nobody may look. */
export const statOrNull = (path: string): Promise<Stats | null> => orNull(stat(path));

/** The same of a link itself. */
export const lstatOrNull = (path: string): Promise<Stats | null> => orNull(lstat(path));

export const isPresent = async (path: string): Promise<boolean> => (await statOrNull(path)) !== null;

/** The names in a folder; none where it is absent or closed to us. */
export const namesOrNone = async (folder: string): Promise<readonly string[]> => (await orNull(readdir(folder))) ?? [];

/** A path with every link followed; unchanged where that leads nowhere. */
export const realOrSame = async (path: string): Promise<string> => (await orNull(realpath(path))) ?? path;

/** Removes a file or folder of ours; a failure is counted. Never rejects. */
export async function discard(path: string, options: Readonly<{ recursive?: true }> = {}): Promise<void> {
  try {
    await rm(path, { force: true, ...options });
  } catch (error) {
    countError('file.discard', error);
  }
}

// silent: an absent path and a closed one count alike for callers, who read null
const orNull = <T>(look: Promise<T>): Promise<T | null> => look.catch(() => null);
