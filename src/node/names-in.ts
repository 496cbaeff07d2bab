import { readdir } from 'node:fs/promises';
import { failureCode } from './failure';

/** The names in a folder; none where there is no folder. @throws what else the system says. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return [];
    throw error;
  }
}
