import { copyFile, cp, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { companionParts } from '../../scripts/npm-package.mjs';

export const builtPlugin = (): string =>
  join(import.meta.dirname, '..', '..', 'out', 'plugin', 'opencode-understudy.js');

export const partsOf = (entry: string): string => join(dirname(entry), companionParts(dirname(entry)));

/** Copies an entry and its parts into a new folder. @returns the copied entry. */
export async function copyCompanion(folder: string, entry = builtPlugin()): Promise<string> {
  await mkdir(folder, { recursive: true });
  const parts = partsOf(entry);
  await cp(parts, join(folder, basename(parts)), { recursive: true });
  const copy = join(folder, basename(entry));
  await copyFile(entry, copy);
  return copy;
}
