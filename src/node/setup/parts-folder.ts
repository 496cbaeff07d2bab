import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFile } from '../base/disk';

/** In a folder of the companion's parts: its time is when a process last used them. */
export const USED_MARK = 'used';
/** How often a process that goes on marks its folder, in ms. */
const MARK_EVERY_MS = 86_400_000;

/** A folder of parts is named by the hash of its content. */
export const isPartsFolder = (name: string): boolean => /^understudy-[0-9a-f]{12}$/.test(name);

/**
 * Marks the installed folder of parts that a module was loaded from as used, now and once a day: an update leaves it to this process.
 *
 * @param url of a module; one that lies elsewhere marks nothing.
 */
export function markUsed(url: string, home: string): void {
  const name = basename(dirname(fileURLToPath(url)));
  if (!isPartsFolder(name)) return;
  // silent: parts that are not installed here have no folder to mark
  const mark = (): void => void writeFile(join(home, 'plugin', name, USED_MARK), '').catch(() => undefined);
  mark();
  setInterval(mark, MARK_EVERY_MS).unref();
}
