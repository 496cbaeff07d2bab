import { type FileHandle, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { mkdir, open, rename, rm } from './disk';
import { failureCode } from './failure';
import { ensureInside } from './inside';

const MAX_BYTES = 5 * 1_048_576;
/** Files kept besides the one that is written: `PATH.1` is the newer. */
const KEPT_ASIDE = 2;
/** Lines that may wait for a disk that hangs. */
const WAITING_MAX_BYTES = 1_048_576;
const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_FOLDER_MODE = 0o700;
/** A process that puts files aside is done long before; after this, in ms, it is dead. */
const LOCK_STALE_MS = 10_000;

export type RotatingFileOptions = Readonly<{
  path: string;
  /** Whether a file that is there already begins like one of ours; another one is never written to. */
  isOurs: (beginning: string) => boolean;
  /** A file that would grow beyond this is put aside first; 5 MiB unless told. */
  maxBytes?: number;
  /** Links that lead out of this folder are not followed; anything goes where it is not given. */
  within?: string;
  /** Called with what went wrong whenever lines are lost. */
  onFault: (error: unknown) => void;
}>;

/** A text file that several processes append to; when it is full it is put aside, and three are kept in all. */
export type RotatingFile = Readonly<{
  /** Appends whole lines in one write, after those before; returns at once and never throws for the disk's sake. */
  append(lines: string): void;
  /** Resolves when everything so far is written or lost. */
  flush(): Promise<void>;
}>;

/** Opens the file with its first lines, 0600, in a folder that is made when it is missing. */
export function openRotatingFile(options: RotatingFileOptions): RotatingFile {
  let work: Promise<void> = Promise.resolve();
  let waitingBytes = 0;
  const write = async (bytes: Buffer): Promise<void> => {
    try {
      await appendTo(options, bytes);
    } catch (error) {
      options.onFault(error);
    }
    waitingBytes -= bytes.length;
  };
  return {
    append(lines) {
      const bytes = Buffer.from(lines);
      if (waitingBytes > WAITING_MAX_BYTES) return options.onFault(new Error(`${options.path} is too slow`));
      waitingBytes += bytes.length;
      work = work.then(() => write(bytes));
    },
    flush: () => work,
  };
}

/** Opened for every write: another process may have put the file aside since the last one. */
async function appendTo(options: RotatingFileOptions, bytes: Buffer): Promise<void> {
  const { path, maxBytes = MAX_BYTES, within } = options;
  if (within !== undefined) await ensureInside(within, path);
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE });
  let file = await openOurs(options);
  try {
    const { size } = await file.stat();
    if (size > 0 && size + bytes.length > maxBytes) {
      await file.close();
      await putAside(path, maxBytes - bytes.length);
      file = await openOurs(options);
    }
    await file.appendFile(bytes);
  } finally {
    await file.close();
  }
}

const BEGINNING_BYTES = 64;

/** @throws Error for what is no file, and for a file that somebody else has begun. */
async function openOurs({ path, isOurs }: RotatingFileOptions): Promise<FileHandle> {
  // Opening a named pipe would wait for a reader for ever.
  const before = await stat(path).catch(() => null);
  if (before && !before.isFile()) throw new Error(`${path} is not a file`);
  const file = await open(path, 'a+', PRIVATE_FILE_MODE);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    if (bytesRead > 0 && !isOurs(buffer.toString('utf8', 0, bytesRead)))
      throw new Error(`${path} is there already and is no log of Understudy’s`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Renames the full file and those before it. Of several processes one does; the others write on, and what one of them
 * still writes to a file that has just been renamed is in that file.
 */
async function putAside(path: string, fullBytes: number): Promise<void> {
  const lock = `${path}.lock`;
  if (!(await takeLock(lock))) return;
  try {
    const { size } = await stat(path);
    // Another process may have done it between our look and the lock.
    if (size <= fullBytes) return;
    for (let number = KEPT_ASIDE; number > 0; number--)
      await renameIfThere(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', PRIVATE_FILE_MODE)).close();
    return true;
  } catch (error) {
    if (failureCode(error) !== 'EEXIST') throw error;
    // One of the future was taken before the clock was set back.
    const age = Math.abs(Date.now() - ((await stat(lock).catch(() => null))?.mtimeMs ?? Date.now()));
    // Taken by the next write, not now: two processes may see the same dead one's lock.
    if (age > LOCK_STALE_MS) await rm(lock, { force: true });
    return false;
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (failureCode(error) !== 'ENOENT') throw error;
  }
}
