import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { failureCode } from './failure';

/** No system follows a longer series of links. */
const MAX_LINKS = 40;

/** @throws Error if the path cannot be checked. */
export const isInside = async (folder: string, path: string): Promise<boolean> =>
  (await realInside(folder, path)) !== null;

/**
 * Returns the real path; null if a link leads out. Follows links by hand: even a stat outside mounts disks and
 * contacts servers.
 * @throws Error if it cannot be checked, or a link leads nowhere.
 */
export async function realInside(folder: string, path: string): Promise<string | null> {
  const root = await realpath(folder);
  const below = (place: string): string | null => partBelow(root, place) ?? partBelow(resolve(folder), place);
  const first = below(resolve(path));
  if (first === null || first === '') return null;
  let todo = partsOf(first);
  /** Remaining parts that come from a link. */
  let linked = 0;
  let links = 0;
  let here = root;
  for (let next = todo.shift(); next !== undefined; next = todo.shift()) {
    const place = join(here, next);
    const kind = await kindOf(place);
    if (kind === 'missing') {
      if (linked > 0) throw new Error(`${path} is a link that leads nowhere`);
      return join(place, ...todo);
    }
    linked = Math.max(0, linked - 1);
    if (kind === 'other') {
      here = place;
      continue;
    }
    if (++links > MAX_LINKS) throw new Error(`${path} is a link that leads to itself`);
    const target = await readlink(place);
    const led = below(isAbsolute(target) ? resolve(target) : resolve(dirname(place), target));
    if (led === null) return null;
    const parts = partsOf(led);
    todo = [...parts, ...todo];
    linked += parts.length;
    here = root;
  }
  return here;
}

async function kindOf(path: string): Promise<'missing' | 'link' | 'other'> {
  try {
    return (await lstat(path)).isSymbolicLink() ? 'link' : 'other';
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return 'missing';
    throw error;
  }
}

function partBelow(folder: string, path: string): string | null {
  const part = relative(folder, path);
  return part === '..' || part.startsWith(`..${sep}`) || isAbsolute(part) ? null : part;
}

const partsOf = (path: string): string[] => path.split(sep).filter((part) => part !== '');
