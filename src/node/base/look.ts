import type { Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { countError } from '../../core/base/internal-errors';
import { rm } from './disk';

/** Null also if access is denied. */
export const statOrNull = (path: string): Promise<Stats | null> => orNull(stat(path));

export const lstatOrNull = (path: string): Promise<Stats | null> => orNull(lstat(path));

export const isPresent = async (path: string): Promise<boolean> => (await statOrNull(path)) !== null;

export const namesOrNone = async (folder: string): Promise<readonly string[]> => (await orNull(readdir(folder))) ?? [];

/** Returns a path that leads nowhere unchanged. */
export const realOrSame = async (path: string): Promise<string> => (await orNull(realpath(path))) ?? path;

/** Counts a failure and never rejects. */
export async function discard(path: string, options: Readonly<{ recursive?: true }> = {}): Promise<void> {
  try {
    await rm(path, { force: true, ...options });
  } catch (error) {
    countError('file.discard', error);
  }
}

// silent: callers read null for both a missing path and denied access
const orNull = <T>(look: Promise<T>): Promise<T | null> => look.catch(() => null);
