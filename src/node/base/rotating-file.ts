import { closeSync, fstatSync, ftruncateSync, readSync, statSync, writeSync } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openToAppendBeneath, runBeneath } from './beneath';
import { mkdir, open, openToWriteSync, rename, rm } from './disk';
import { failureCode } from './failure';
import { statOrNull } from './look';

const MAX_BYTES = 5 * 1_048_576;
/** `PATH.1` is the newest. */
const KEPT_ASIDE = 2;
const WAITING_MAX_BYTES = 1_048_576;
const RETRY_MS = 1_000;
const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_FOLDER_MODE = 0o700;
/** Rotation takes far less time; then the lock's process is dead. */
const LOCK_STALE_MS = 10_000;

export type RotatingFileOptions = Readonly<{
  path: string;
  /** Recognizes our files; others are never written to. */
  isOurs: (beginning: string) => boolean;
  /** Default 5 MiB. */
  maxBytes?: number;
  /** No link below this folder is followed. */
  within?: string;
  /** Called whenever lines are lost, and once when the disk begins to refuse them. */
  onFault: (error: unknown) => void;
}>;

export type RotatingFile = Readonly<{
  /** Appends whole lines in order; never throws because of the disk. */
  append(lines: string): void;
  /** Synchronous unless lines wait, the file is full or the disk fails. */
  appendNow(lines: string): void;
  /** Resolves when all lines are written, lost or refused again. */
  flush(): Promise<void>;
}>;

export function openRotatingFile(options: RotatingFileOptions): RotatingFile {
  let work: Promise<void> = Promise.resolve();
  let waiting: readonly Buffer[] = [];
  let waitingBytes = 0;
  let fault: unknown = null;
  // A dead process may have left a torn line; later, a write of this process may.
  let mayBeTorn = true;
  let timer: NodeJS.Timeout | undefined;

  const take = (bytes: number): void => {
    const [first, ...rest] = waiting;
    const left = first?.subarray(bytes) ?? Buffer.alloc(0);
    waiting = left.length === 0 ? rest : [left, ...rest];
    waitingBytes -= bytes;
  };
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    for (let bytes = waiting[0]; bytes !== undefined; bytes = waiting[0]) {
      const { wholeBytes, error } = await appendTo(options, bytes, mayBeTorn);
      // Refused lines may be accepted later; a foreign file never accepts them.
      const isLost = error !== null && failureCode(error) === null;
      take(error === null || isLost ? bytes.length : wholeBytes);
      if (error !== null && (isLost || fault === null)) options.onFault(error);
      mayBeTorn = error !== null;
      fault = isLost ? null : error;
      if (fault === null) continue;
      timer = setTimeout(() => void start(), RETRY_MS).unref();
      return;
    }
  };
  const start = (): Promise<void> => {
    work = work.then(write);
    return work;
  };
  const append = (lines: string): void => {
    const bytes = Buffer.from(lines);
    if (waitingBytes > WAITING_MAX_BYTES) {
      options.onFault(fault ?? new Error(`${options.path} is too slow`));
      return;
    }
    waiting = [...waiting, bytes];
    waitingBytes += bytes.length;
    void start();
  };
  return {
    append,
    appendNow(lines) {
      if (waitingBytes === 0 && options.within === undefined && writeNow(options, Buffer.from(lines))) return;
      mayBeTorn = true;
      append(lines);
    },
    flush: start,
  };
}

/** @returns whether all lines were written. */
function writeNow({ path, isOurs, maxBytes = MAX_BYTES }: RotatingFileOptions, bytes: Buffer): boolean {
  let file: number | null = null;
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return false;
    file = openToWriteSync(path, 'a+', PRIVATE_FILE_MODE);
    if (file === null) return false;
    const { size } = fstatSync(file);
    if (size > 0 && (size + bytes.length > maxBytes || !isOursAndWhole(file, size, isOurs))) return false;
    const isWhole = writeSync(file, bytes) === bytes.length;
    // Half a first line would make the file foreign.
    if (!isWhole && size === 0) ftruncateSync(file, 0);
    return isWhole;
  } catch {
    // silent: on false, a later write repeats the lines and returns the error
    return false;
  } finally {
    if (file !== null) closeSync(file);
  }
}

function isOursAndWhole(file: number, size: number, isOurs: RotatingFileOptions['isOurs']): boolean {
  const [beginning, last] = [Buffer.alloc(BEGINNING_BYTES), Buffer.alloc(1)];
  const read = readSync(file, beginning, 0, BEGINNING_BYTES, 0);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === NEWLINE && isOurs(beginning.toString('utf8', 0, read));
}

/** `wholeBytes`: bytes of whole lines written. */
type Appended = Readonly<{ wholeBytes: number; error: unknown }>;

/** Opens for every write: another process may have rotated the file. */
async function appendTo(options: RotatingFileOptions, bytes: Buffer, mayBeTorn: boolean): Promise<Appended> {
  const { path, within } = options;
  try {
    if (within !== undefined)
      return await runBeneath(within, path, (pinned) => appendHere({ ...options, path: pinned }, bytes, mayBeTorn));
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE });
    return await appendHere(options, bytes, mayBeTorn);
  } catch (error) {
    return { wholeBytes: 0, error };
  }
}

async function appendHere(options: RotatingFileOptions, bytes: Buffer, mayBeTorn: boolean): Promise<Appended> {
  const { path, maxBytes = MAX_BYTES } = options;
  let file: FileHandle | null = null;
  try {
    file = await openOurs(options);
    const { size } = await file.stat();
    if (size > 0 && size + bytes.length > maxBytes) {
      await file.close();
      file = null;
      await putAside(path, maxBytes - bytes.length);
      file = await openOurs(options);
    }
    return await writeTo(file, bytes, mayBeTorn);
  } finally {
    // silent: the outcome of the write is returned
    await file?.close().catch(() => undefined);
  }
}

const NEWLINE = 0x0a;

export async function endsTorn(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}

async function writeTo(file: FileHandle, bytes: Buffer, mayBeTorn: boolean): Promise<Appended> {
  const { size } = await file.stat();
  if (mayBeTorn && (await endsTorn(file, size))) await file.write(Uint8Array.of(NEWLINE));
  let written = 0;
  try {
    while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
    return { wholeBytes: written, error: null };
  } catch (error) {
    const wholeBytes = bytes.lastIndexOf(NEWLINE, written - 1) + 1;
    // As in `writeNow`.
    if (size === 0 && wholeBytes === 0 && (await file.stat()).size === written) await file.truncate(0);
    return { wholeBytes: written === 0 ? 0 : wholeBytes, error };
  }
}

const BEGINNING_BYTES = 64;

export async function openToAppend(path: string): Promise<FileHandle> {
  // Opening a named pipe would wait for a reader forever.
  const before = await statOrNull(path);
  if (before && !before.isFile()) throw new Error(`${path} is not a file`);
  return open(path, 'a+', PRIVATE_FILE_MODE);
}

async function openOurs({ path, isOurs, within }: RotatingFileOptions): Promise<FileHandle> {
  const file = await (within === undefined ? openToAppend(path) : openToAppendBeneath(path, PRIVATE_FILE_MODE));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    if (bytesRead > 0 && !isOurs(buffer.toString('utf8', 0, bytesRead)))
      throw new Error(`${path} exists and is not a log of Understudy`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Writes that others still make to the renamed file stay in it. */
async function putAside(path: string, fullBytes: number): Promise<void> {
  const lock = `${path}.lock`;
  if (!(await takeLock(lock))) return;
  try {
    const { size } = await stat(path);
    // Another process may have rotated it meanwhile.
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
    // The clock may have been set back.
    const age = Math.abs(Date.now() - ((await statOrNull(lock))?.mtimeMs ?? Date.now()));
    // Two processes may see the same dead lock: the next write takes it.
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
