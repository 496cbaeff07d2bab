import { constants, openSync } from 'node:fs';
import * as disk from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { failureCode, failureText } from './failure';
import { realInside } from './inside';

/**
 * The variable that names the one folder a process may write to. Whoever is started with it is sealed from its first
 * moment: the OpenCode of a demo, and the companion in it.
 */
export const SEAL_VARIABLE = 'UNDERSTUDY_SEAL';

/** The real path of that folder; null where everything may be written. */
let sealed: string | null = process.env[SEAL_VARIABLE] || null;

/**
 * From now on this process writes in one folder alone: what any part of it wants to write elsewhere is refused.
 *
 * @param folder its real path.
 * @returns what lifts the seal.
 */
export function sealTo(folder: string): () => void {
  const before = sealed;
  sealed = folder;
  return () => {
    sealed = before;
  };
}

/** Why a path must not be written, to go after its name in a sentence; null where nothing stands against it. */
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

/** Passes where a path may be written. @throws Error with a message for people where a seal forbids it. */
export async function ensureWritable(path: string): Promise<void> {
  const objection = await sealObjection(path);
  if (objection !== null) throw new Error(`${path} was not written: ${objection}`);
}

/** A new temporary folder, which the caller removes; within the seal where there is one. @throws the system's error. */
export const temporaryFolder = (): Promise<string> => disk.mkdtemp(join(sealed ?? tmpdir(), 'understudy-'));

type Disk = typeof disk;
type Path = string;

// What follows is Node's own, behind the seal. Only here may it be imported from Node: the linter holds that.

export const mkdir = (async (path: Path, options?: Parameters<Disk['mkdir']>[1]) => {
  await ensureWritable(path);
  try {
    return await disk.mkdir(path, options);
  } catch (error) {
    if (failureCode(error) !== 'ENOENT') throw error;
    // Node reports ENOENT for a read-only disk: a call that makes no parents has the reason.
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

/** {@link disk.rename}, behind the seal: both ends change. */
export async function rename(from: Path, to: Path): Promise<void> {
  await ensureWritable(from);
  await ensureWritable(to);
  await disk.rename(from, to);
}

/** {@link disk.link}, behind the seal: who writes through the new name would write the old one. */
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

/** {@link disk.open}, behind the seal when it opens for more than reading. */
export async function open(path: Path, flags: string | number, mode?: number): Promise<disk.FileHandle> {
  const isReading = typeof flags === 'number' ? (flags & WRITES) === 0 : flags === 'r';
  if (!isReading) await ensureWritable(path);
  return await disk.open(path, flags, mode);
}

/** Opens for writing and more at once; null where a seal stands, which takes time to ask. @throws the system's error. */
export const openToWriteSync = (path: Path, flags: string, mode: number): number | null =>
  sealed === null ? openSync(path, flags, mode) : null;

/** Opens for reading at once, whatever else the flags say. @throws the system's error. */
export const openToReadSync = (path: Path, flags: number): number => openSync(path, flags & ~WRITES);
