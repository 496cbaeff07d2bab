import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Sorted files below a folder. Skips locks and temporary folders that vanish meanwhile, for which a recursive
 * `readdir` fails.
 */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return await filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
  return (await Promise.all(found)).flat().toSorted();
}

export async function textsBelow(folder: string): Promise<readonly string[]> {
  const texts = (await filesBelow(folder)).map(async (file) => {
    try {
      return [await readFile(file, 'latin1')];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
  return (await Promise.all(texts)).flat();
}
