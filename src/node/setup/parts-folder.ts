import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFile } from '../base/disk';

/** File in a folder of the companion's parts; its time is the last use by a process. */
export const USED_MARK = 'used';
/** How often a running process marks its folder, in ms. */
const MARK_EVERY_MS = 86_400_000;

/** Returns whether a name is that of a folder of parts: the hash of its content. */
export const isPartsFolder = (name: string): boolean => /^understudy-[0-9a-f]{12}$/.test(name);

/**
 * Marks the installed folder of parts of a module as used, now and once a day, so that an update leaves it to this
 * process.
 * @param url of a module; one elsewhere marks nothing.
 */
export function markUsed(url: string, home: string): void {
  const name = basename(dirname(fileURLToPath(url)));
  if (!isPartsFolder(name)) return;
  // silent: parts that are not installed here have no folder to mark
  const mark = (): void => void writeFile(join(home, 'plugin', name, USED_MARK), '').catch(() => undefined);
  mark();
  setInterval(mark, MARK_EVERY_MS).unref();
}
