import type { Stats } from 'node:fs';
import { lstat, opendir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAbsence } from '../base/failure';
import { realInside } from '../base/inside';

/** Only for comparison with another. */
export type Mark = string;

/** A path that cannot be checked is not missing; reading it reports the reason. */
export const MISSING: Mark = 'missing';
const UNKNOWN: Mark = 'cannot be checked';

export type ConfigLook = (path: string) => Promise<Mark>;

/** Checking fewer paths is faster than listing the folder. */
const MIN_PLACES = 4;
const MAX_NAMES = 200;

/** `names`: in lower case; null if not listed. */
type Folder = Readonly<{ real: string; names: ReadonlySet<string> | null }>;

/**
 * Needs few system calls: each waits for its turn in a starting process, and most files do not exist.
 * @param places folders with several of them are listed once.
 * @param within the project, beyond which nothing is checked.
 */
export function lookAt(places: readonly string[], within?: string): ConfigLook {
  const folders = new Map<string, Promise<Folder | Mark>>();
  const isListed = (name: string): boolean => places.filter((place) => dirname(place) === name).length >= MIN_PLACES;
  const folderOf = (name: string): Promise<Folder | Mark> => {
    const folder = folders.get(name) ?? openFolder(name, within, isListed(name));
    folders.set(name, folder);
    return folder;
  };
  return async (path) => {
    const folder = await folderOf(dirname(path));
    if (typeof folder === 'string') return folder;
    // Some systems ignore case.
    if (folder.names?.has(basename(path).toLowerCase()) === false) return MISSING;
    try {
      const real = join(folder.real, basename(path));
      return markOf(within === undefined ? await stat(real) : await statInside(within, path, real));
    } catch (error) {
      return isAbsence(error) ? MISSING : UNKNOWN;
    }
  };
}

async function openFolder(name: string, within: string | undefined, isListed: boolean): Promise<Folder | Mark> {
  try {
    const real = within === undefined || name === within ? name : await realInside(within, name);
    if (real === null) return UNKNOWN;
    return { real, names: isListed ? await namesIn(real) : null };
  } catch (error) {
    return isAbsence(error) ? MISSING : UNKNOWN;
  }
}

/** @throws Error if the folder is missing. */
async function namesIn(folder: string): Promise<ReadonlySet<string> | null> {
  const names = new Set<string>();
  try {
    for await (const { name } of await opendir(folder)) {
      names.add(name.toLowerCase());
      if (names.size > MAX_NAMES) return null;
    }
  } catch (error) {
    if (isAbsence(error)) throw error;
    return null;
  }
  return names;
}

/** Follows links only inside the project. @throws Error if the path cannot be checked. */
async function statInside(within: string, path: string, real: string): Promise<Stats> {
  const info = await lstat(real);
  if (!info.isSymbolicLink()) return info;
  // silent: a link that cannot be followed counts as the link itself
  const target = await realInside(within, path).catch(() => null);
  return target === null ? info : await stat(target);
}

const markOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): Mark => `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
