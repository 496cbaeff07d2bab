import { constants } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { open } from './disk';
import { failureCode, failureText, isAbsence } from './failure';
import { realInside } from './inside';

/** Reading a larger file would delay OpenCode; real ones have a few kB. */
export const MAX_CONFIG_BYTES = 131_072;
/** May hold whole prompts. */
export const MAX_OPENCODE_BYTES = 1_048_576;

export const MAX_COMPARED_BYTES = 16 * 1_048_576;

export const LEADS_OUT = 'it is a link that leads out of the project';

export type Read =
  | Readonly<{ kind: 'missing'; path: string }>
  | Readonly<{ kind: 'text'; path: string; text: string }>
  | Readonly<{ kind: 'unreadable'; path: string; reason: string }>;

/** Opening a pipe must not wait. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const READ_NO_LINK = READ | (constants.O_NOFOLLOW ?? 0);

export type ReadBytes =
  | Readonly<{ kind: 'missing' }>
  | Readonly<{ kind: 'bytes'; bytes: Buffer }>
  | Readonly<{ kind: 'unreadable'; reason: string }>;

/** `within`: a folder that no link may leave. */
type Place = Readonly<{ within?: string | undefined; isNoLink?: boolean }>;

/** Never waits on a pipe or device, and never rejects. */
export async function readBytes(path: string, maxBytes: number, place: Place = {}): Promise<ReadBytes> {
  const unreadable = (reason: string): ReadBytes => ({ kind: 'unreadable', reason });
  try {
    const real = place.within === undefined ? path : await realInside(place.within, path);
    if (real === null) return unreadable(LEADS_OUT);
    // Even opening can move a device.
    if (!(await (place.isNoLink ? lstat : stat)(real)).isFile()) return unreadable('it is not a file');
    const file = await open(real, place.within === undefined && !place.isNoLink ? READ : READ_NO_LINK);
    try {
      const opened = await file.stat();
      if (!opened.isFile()) return unreadable('it is not a file');
      const length = Math.min(opened.size, maxBytes) + 1;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      if (bytesRead > maxBytes) return unreadable(`it is larger than ${Math.round(maxBytes / 1_024)} kB`);
      return { kind: 'bytes', bytes: buffer.subarray(0, bytesRead) };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsence(error)) return { kind: 'missing' };
    return unreadable(failureCode(error) === 'EACCES' ? 'permission is denied' : failureText(error));
  }
}

/** Never rejects. @param within a folder that no link may leave. */
export async function readText(path: string, maxBytes: number, within?: string): Promise<Read> {
  const read = await readBytes(path, maxBytes, { within });
  if (read.kind !== 'bytes') return { ...read, path };
  try {
    return { kind: 'text', path, text: new TextDecoder('utf-8', { fatal: true }).decode(read.bytes) };
  } catch {
    // silent: the reason is returned; a decoder fails only for invalid UTF-8
    return { kind: 'unreadable', path, reason: 'it is not UTF-8 text' };
  }
}
