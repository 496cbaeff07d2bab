import type { FileHandle } from 'node:fs/promises';
import { readlink, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { open } from './disk';
import { failureCode, failureText } from './failure';
import { statOrNull } from './look';

export const MAX_LOG_BYTES = 20 * 1_048_576;
/** Our logs never grow longer; only the end of such a file is read. */
export const READ_MAX_BYTES = 4 * MAX_LOG_BYTES;
const NEWLINE = 0x0a;

/** False for a folder, pipe or device. */
export async function isFileOrNothing(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    async (error: unknown) => failureCode(error) === 'ENOENT' && !(await leadsNowhere(path)),
  );
}

/** True for a link into a missing folder: no file can be created through it. */
async function leadsNowhere(path: string): Promise<boolean> {
  // silent: only a link can lead nowhere
  const target = await readlink(path).catch(() => null);
  if (target === null) return false;
  return !(await statOrNull(dirname(resolve(dirname(path), target))))?.isDirectory();
}

/** Returns '' for a missing log. @throws Error with a remedy. */
export async function readIfThere(path: string): Promise<string> {
  if (!(await isFileOrNothing(path))) return '';
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return '';
    throw new Error(`${failureText(error)}. Make ${path} readable for your user, or move it away.`);
  }
  try {
    const { size } = await handle.stat();
    if (size <= READ_MAX_BYTES) return await handle.readFile('utf8');
    const end = Buffer.alloc(MAX_LOG_BYTES);
    const { bytesRead } = await handle.read(end, 0, MAX_LOG_BYTES, size - MAX_LOG_BYTES);
    return end.toString('utf8', end.indexOf(NEWLINE) + 1, bytesRead);
  } finally {
    await handle.close();
  }
}
