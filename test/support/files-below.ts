import { readdir } from 'node:fs/promises';
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
