import { access } from 'node:fs/promises';
import type { Place } from './run-folder';

export async function isThere({ repo, directory }: Place): Promise<boolean> {
  const found = await Promise.all([repo, directory].map((folder) => folder === null || isReached(folder)));
  return !found.includes(false);
}

const isReached = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    // silent: the answer is whether the folder can be reached
    () => false,
  );
