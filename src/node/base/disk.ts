import { constants, openSync } from 'node:fs';
import * as disk from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { failureCode, failureText } from './failure';
import { realInside } from './inside';

/**
 * Variable that names the only folder a process may write to. It seals a process from its start: the OpenCode of a
 * demo, and its companion.
 */
export const SEAL_VARIABLE = 'UNDERSTUDY_SEAL';

/** Real path of that folder; null if the process may write everywhere. */
let sealed: string | null = process.env[SEAL_VARIABLE] || null;

/**
 * Restricts all writes of this process to one folder; refuses any other.
 * @param folder its real path.
 * @returns a function that lifts the seal.
 */
export function sealTo(folder: string): () => void {
  const before = sealed;
  sealed = folder;
  return () => {
    sealed = before;
  };
}

/** Returns why a path must not be written, to follow its name in a sentence; null if it may be. */
export async function sealObjection(path: string): Promise<string | null> {
  if (sealed === null) return null;
  const folder = sealed;
  const isIn =
    resolve(path) === folder ||
    (await realInside(folder, path).then(
      (real) => real !== null,
      (error: unknown) => failureText(error),
    ));
  if (isIn === true) return null;
  return isIn === false ? `it lies outside of the demo, which writes to ${folder} alone` : isIn;
}

/** Passes if a path may be written. @throws Error with a message for people if a seal forbids it. */
export async function ensureWritable(path: string): Promise<void> {
  const objection = await sealObjection(path);
  if (objection !== null) throw new Error(`${path} was not written: ${objection}`);
}

/** Creates a temporary folder, within the seal if there is one; the caller removes it. @throws the system's error. */
export const temporaryFolder = (): Promise<string> => disk.mkdtemp(join(sealed ?? tmpdir(), 'understudy-'));

type Disk = typeof disk;
type Path = string;

// The functions below are Node's own behind the seal. Only this file may import them from Node; the linter checks that.

export const mkdir = (async (path: Path, options?: Parameters<Disk['mkdir']>[1]) => {
  await ensureWritable(path);
  try {
    return await disk.mkdir(path, options);
  } catch (error) {
    if (failureCode(error) !== 'ENOENT') throw error;
    // Node reports ENOENT for a read-only disk; a call that creates no parents gets the real reason.
    await disk.mkdir((error as NodeJS.ErrnoException).path ?? path);
    return await disk.mkdir(path, options);
  }
}) as (path: Path, options?: Parameters<Disk['mkdir']>[1]) => Promise<string | undefined>;

/** {@link disk.writeFile}, behind the seal. */
export async function writeFile(
  path: Path,
  data: Parameters<Disk['writeFile']>[1],
  options?: Parameters<Disk['writeFile']>[2],
): Promise<void> {
  await ensureWritable(path);
  await disk.writeFile(path, data, options);
}

export async function rm(path: Path, options?: Parameters<Disk['rm']>[1]): Promise<void> {
  await ensureWritable(path);
  await disk.rm(path, options);
}

/** {@link disk.rmdir}, behind the seal. */
export async function rmdir(path: Path): Promise<void> {
  await ensureWritable(path);
  await disk.rmdir(path);
}

/** {@link disk.rename}, behind the seal: both paths change. */
export async function rename(from: Path, to: Path): Promise<void> {
  await ensureWritable(from);
  await ensureWritable(to);
  await disk.rename(from, to);
}

/** {@link disk.link}, behind the seal: a write through the new name would change the old one. */
export async function link(existing: Path, path: Path): Promise<void> {
  await ensureWritable(existing);
  await ensureWritable(path);
  await disk.link(existing, path);
}

/** {@link disk.copyFile}, behind the seal. */
export async function copyFile(from: Path, to: Path, mode?: number): Promise<void> {
  await ensureWritable(to);
  await disk.copyFile(from, to, mode);
}

/** {@link disk.chmod}, behind the seal. */
export async function chmod(path: Path, mode: number): Promise<void> {
  await ensureWritable(path);
  await disk.chmod(path, mode);
}

const WRITES = constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;

/** {@link disk.open}, behind the seal unless it only reads. */
export async function open(path: Path, flags: string | number, mode?: number): Promise<disk.FileHandle> {
  const isReading = typeof flags === 'number' ? (flags & WRITES) === 0 : flags === 'r';
  if (!isReading) await ensureWritable(path);
  return await disk.open(path, flags, mode);
}

/**
 * Opens a file synchronously for writing and other access; null under a seal, whose check is asynchronous.
 * @throws the system's error.
 */
export const openToWriteSync = (path: Path, flags: string, mode: number): number | null =>
  sealed === null ? openSync(path, flags, mode) : null;

/** Opens a file synchronously for reading only, whatever the flags. @throws the system's error. */
export const openToReadSync = (path: Path, flags: number): number => openSync(path, flags & ~WRITES);
