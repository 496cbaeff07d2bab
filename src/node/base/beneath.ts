import { constants } from 'node:fs';
import { type FileHandle, lstat, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { mkdir, open } from './disk';
import { failureCode } from './failure';
import { lstatOrNull } from './look';

const { O_APPEND, O_CREAT, O_DIRECTORY = 0, O_RDONLY, O_RDWR } = constants;
/** 0 if the system cannot refuse links. */
export const { O_NOFOLLOW = 0 } = constants;
const isLinux = process.platform === 'linux';

/**
 * Follows no link below `folder` and creates missing folders. On Linux `use` gets a path through the open folder,
 * which cannot be swapped.
 * @throws Error if a step is a link.
 */
export async function runBeneath<R>(folder: string, path: string, use: (pinned: string) => Promise<R>): Promise<R> {
  const names = relative(folder, path).split(sep);
  const last = names.pop() ?? '';
  const opened: FileHandle[] = [];
  let here = await realpath(folder);
  const enter = async (place: string): Promise<void> => {
    here = place;
    if (!isLinux) return;
    const handle = await open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    opened.push(handle);
    here = `/proc/self/fd/${handle.fd}`;
  };
  try {
    await enter(here);
    for (const name of names) {
      const place = join(here, name);
      await mkdir(place, { mode: 0o700 }).catch((error: unknown) => {
        if (failureCode(error) !== 'EEXIST') throw error;
      });
      if (!(await lstat(place)).isDirectory()) throw new Error(`${path} leads out of the project through a link`);
      await enter(place);
    }
    return await use(join(here, last));
  } catch (error) {
    const message = error instanceof Error ? error.message.replaceAll(join(here, last), path) : String(error);
    throw Object.assign(error instanceof Error ? error : new Error(), { message, path });
  } finally {
    for (const handle of opened) await handle.close();
  }
}

/** @throws Error for anything but a file with exactly one name. */
export async function openToAppendBeneath(path: string, mode: number): Promise<FileHandle> {
  const before = await lstatOrNull(path);
  if (before && !before.isFile()) throw new Error(`${path} is ${before.isSymbolicLink() ? 'a link' : 'not a file'}`);
  const file = await open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, mode);
  const { nlink, ino } = await file.stat();
  if (nlink <= 1 && (isLinux || ino === (await lstat(path)).ino)) return file;
  await file.close();
  throw new Error(`${path} has a second name (a hard link)`);
}
