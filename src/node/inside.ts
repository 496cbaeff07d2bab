import { lstat, realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { failureCode } from './failure';

/**
 * Looks at a path with every link followed, before it is written to.
 *
 * @throws Error when it lies outside `folder`, or a link is all that lies there.
 */
export async function ensureInside(folder: string, path: string): Promise<void> {
  if (!(await isInside(folder, path))) throw new Error(`${path} leads out of the project through a link`);
}

/** Whether a path stays in `folder` with every link followed. @throws Error when it cannot be looked at. */
export async function isInside(folder: string, path: string): Promise<boolean> {
  const [root, real] = await Promise.all([realpath(folder), realPlace(resolve(path))]);
  return real.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Where a path leads: what is not there yet lies in the deepest folder that is. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (failureCode(error) !== 'ENOENT') throw error;
  }
  // A link to nothing would be followed by whoever makes a file there.
  const isLink = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isLink) throw new Error(`${path} is a link that leads nowhere`);
  const folder = dirname(path);
  return folder === path ? path : resolve(await realPlace(folder), relative(folder, path));
}
