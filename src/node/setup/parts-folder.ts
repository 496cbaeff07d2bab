import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFile } from '../base/disk';

/** The file's time is the last use. */
export const USED_MARK = 'used';
const MARK_EVERY_MS = 86_400_000;

export const isPartsFolder = (name: string): boolean => /^understudy-[0-9a-f]{12}$/.test(name);

/** Marks parts in use, so that no update removes them. @param url one elsewhere marks nothing. */
export function markUsed(url: string, home: string): void {
  const name = basename(dirname(fileURLToPath(url)));
  if (!isPartsFolder(name)) return;
  // silent: parts that are not installed here have no folder to mark
  const mark = (): void => void writeFile(join(home, 'plugin', name, USED_MARK), '').catch(() => undefined);
  mark();
  setInterval(mark, MARK_EVERY_MS).unref();
}
