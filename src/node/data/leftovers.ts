import { join } from 'node:path';
import { countAs } from '../../core/base/internal-errors';
import { nameMeant } from '../base/atomic-file';
import { rm } from '../base/disk';
import { namesOrNone, statOrNull } from '../base/look';
import { isOwnFolder } from '../base/private-folder';

/** Replacing a file never takes this long; process ids of other containers cannot be checked. */
const LEFT_MS = 10_000;

/** For processes killed during a write. Never throws. */
export async function clearLeftovers(folder: string): Promise<void> {
  if (!(await isOwnFolder(folder))) return;
  const names = await namesOrNone(folder);
  const left = names.filter((name) => nameMeant(name) !== name).map((name) => join(folder, name));
  await Promise.all(left.map((path) => clear(path).catch(countAs('leftovers.clear'))));
}

async function clear(path: string): Promise<void> {
  const found = await statOrNull(path);
  if (found !== null && Date.now() - found.mtimeMs > LEFT_MS) await rm(path, { force: true });
}
