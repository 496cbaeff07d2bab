import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { failureCode } from './failure';

/** @throws any error of the system except a missing folder. */
export const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await entriesIn(folder)).map(({ name }) => name);

export const fileNamesIn = async (folder: string): Promise<readonly string[]> =>
  (await entriesIn(folder)).filter((entry) => !entry.isDirectory()).map(({ name }) => name);

async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return [];
    throw error;
  }
}
