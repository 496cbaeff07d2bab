import { constants, openSync } from 'node:fs';
import * as disk from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { failureCode, failureText } from './failure';
import { realInside } from './inside';

/** Names the only folder a demo's OpenCode and companion may write to. */
export const SEAL_VARIABLE = 'UNDERSTUDY_SEAL';

/** Real path; null without a limit. */
let sealed: string | null = process.env[SEAL_VARIABLE] || null;

/** @param folder its real path. @returns a function that lifts the seal. */
export function sealTo(folder: string): () => void {
  const before = sealed;
  sealed = folder;
  return () => {
    sealed = before;
  };
}

/** Returns the reason as a clause that follows the path's name; null if it may be written. */
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
  return isIn === false ? `it is outside the demo’s folder ${folder}` : isIn;
}

/** @throws Error with a message for people. */
export async function ensureWritable(path: string): Promise<void> {
  const objection = await sealObjection(path);
  if (objection !== null) throw new Error(`${path} was not written: ${objection}`);
}

/** The caller removes it. */
export const temporaryFolder = (): Promise<string> => disk.mkdtemp(join(sealed ?? tmpdir(), 'understudy-'));

type Disk = typeof disk;
type Path = string;

// The linter forbids other files to import these functions from Node.

export const mkdir = (async (path: Path, options?: Parameters<Disk['mkdir']>[1]) => {
  await ensureWritable(path);
  try {
    return await disk.mkdir(path, options);
  } catch (error) {
    if (failureCode(error) !== 'ENOENT') throw error;
    // Node reports ENOENT for a read-only disk; a call without parents gets the real reason.
    await disk.mkdir((error as NodeJS.ErrnoException).path ?? path);
    return await disk.mkdir(path, options);
  }
}) as (path: Path, options?: Parameters<Disk['mkdir']>[1]) => Promise<string | undefined>;

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

export async function rmdir(path: Path): Promise<void> {
  await ensureWritable(path);
  await disk.rmdir(path);
}

export async function rename(from: Path, to: Path): Promise<void> {
  await ensureWritable(from);
  await ensureWritable(to);
  await disk.rename(from, to);
}

/** A write through the new name would change the old file. */
export async function link(existing: Path, path: Path): Promise<void> {
  await ensureWritable(existing);
  await ensureWritable(path);
  await disk.link(existing, path);
}

export async function copyFile(from: Path, to: Path, mode?: number): Promise<void> {
  await ensureWritable(to);
  await disk.copyFile(from, to, mode);
}

export async function chmod(path: Path, mode: number): Promise<void> {
  await ensureWritable(path);
  await disk.chmod(path, mode);
}

const WRITES = constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;

export async function open(path: Path, flags: string | number, mode?: number): Promise<disk.FileHandle> {
  const isReading = typeof flags === 'number' ? (flags & WRITES) === 0 : flags === 'r';
  if (!isReading) await ensureWritable(path);
  return await disk.open(path, flags, mode);
}

/** Null under a seal, whose check is asynchronous. */
export const openToWriteSync = (path: Path, flags: string, mode: number): number | null =>
  sealed === null ? openSync(path, flags, mode) : null;

export const openToReadSync = (path: Path, flags: number): number => openSync(path, flags & ~WRITES);
