import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Every file below a folder, sorted; what goes away while it is looked for, as locks and temporary folders do, is left
 * out. `readdir` with `recursive` fails for those.
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

/** The bytes of every file below a folder, as text; a file that goes away before it is read is left out. */
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
