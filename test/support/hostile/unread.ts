import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NEVER = new Date(0);

async function pathsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return [folder, ...names.map((name) => join(folder, name))];
}

/** Resets access times below a folder. */
export async function markUnread(folder: string): Promise<void> {
  for (const path of await pathsIn(folder)) await utimes(path, NEVER, (await stat(path)).mtime);
}

/** Paths that were read since; reading a file or listing a folder counts, `stat` does not. */
export async function readSince(folder: string): Promise<readonly string[]> {
  const atime = async (path: string): Promise<number> => (await stat(path)).atimeMs;
  const own = await atime(folder);
  const paths = (await pathsIn(folder)).slice(1);
  const read: string[] = own > 0 ? [folder] : [];
  for (const path of paths) if ((await stat(path)).isFile() && (await atime(path)) > 0) read.push(path);
  return read;
}

export async function keepsReads(folder: string): Promise<boolean> {
  await mkdir(folder);
  await writeFile(join(folder, 'x'), 'x');
  await markUnread(folder);
  const before = await readSince(folder);
  await markUnread(folder);
  await readFile(join(folder, 'x'));
  return before.length === 0 && (await readSince(folder)).length > 0;
}
