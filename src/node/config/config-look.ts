import type { Stats } from 'node:fs';
import { lstat, opendir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAbsence } from '../base/failure';
import { realInside } from '../base/inside';

/** What a place looked like, only good to be compared with another; `MISSING` where nothing lies. */
export type Mark = string;

/** Nothing lies there, which is certain. What cannot be looked at may be there, and whoever reads it says why it cannot. */
export const MISSING: Mark = 'missing';
const UNKNOWN: Mark = 'cannot be looked at';

/** One look at the places of a scope. What it has found of a folder counts for all places in there. */
export type ConfigLook = (path: string) => Promise<Mark>;

/** Folders with fewer places than that are not listed: looking at each place takes less. */
const MIN_PLACES = 4;
/** A folder with more names is not read to its end; each place in there is looked at by itself. */
const MAX_NAMES = 200;

/** A folder as found: where it lies, and what is in there, in small letters; null for names where they are not known. */
type Folder = Readonly<{ real: string; names: ReadonlySet<string> | null }>;

/**
 * Looks at places of configuration with as few questions to the system as can be: each waits for its turn in a process that
 * is starting, and most people have next to none of the files.
 *
 * @param places all there are; folders that hold several of them are listed once.
 * @param within the project, which no link leads out of and nothing is looked at beyond; absent for the user's own.
 */
export function lookAt(places: readonly string[], within?: string): ConfigLook {
  const folders = new Map<string, Promise<Folder | Mark>>();
  const isListed = (name: string): boolean => places.filter((place) => dirname(place) === name).length >= MIN_PLACES;
  const folderOf = (name: string): Promise<Folder | Mark> => {
    const known = folders.get(name) ?? openFolder(name, within, isListed(name));
    folders.set(name, known);
    return known;
  };
  return async (path) => {
    const folder = await folderOf(dirname(path));
    if (typeof folder === 'string') return folder;
    // A name may be written otherwise where the system takes large letters for small ones.
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

/** @throws Error when there is no such folder. */
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

/** What lies at a place of a project, and where a link there leads inside it. @throws Error when it cannot be looked at. */
async function statInside(within: string, path: string, real: string): Promise<Stats> {
  const info = await lstat(real);
  if (!info.isSymbolicLink()) return info;
  // silent: a link that cannot be followed counts as the link itself
  const target = await realInside(within, path).catch(() => null);
  return target === null ? info : await stat(target);
}

const markOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): Mark => `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
