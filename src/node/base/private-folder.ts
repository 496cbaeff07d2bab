import { closeSync, constants, fstatSync, readSync, type Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import type * as z from 'zod';
import { parseJson } from '../../contract/parse-json';
import { chmod, mkdir, open, openToReadSync } from './disk';
import type { Outcome } from './failure';
import { failureCode, failureText } from './failure';

const PRIVATE_FOLDER_MODE = 0o700;
/** Permission bits that let other users read, write or enter. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/**
 * Returns the user id that files must belong to; null if the system has none (Windows, where the profile folder is
 * private).
 */
export function ownUserId(): number | null {
  return process.getuid?.() ?? null;
}

/**
 * Ensures that `folder` exists, belongs to this user and is closed to others (0700). Follows the user's own link;
 * refuses another user's link as it refuses another user's folder.
 */
export async function ensurePrivateFolder(folder: string): Promise<Outcome> {
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
    const user = ownUserId();
    if (user === null) return { ok: true };
    const link = await lstat(folder);
    if (link.uid !== user) return { ok: false, reason: `${folder} belongs to another user` };
    const target = await stat(folder);
    if (!target.isDirectory()) return { ok: false, reason: `${folder} is not a folder` };
    if (target.uid !== user) return { ok: false, reason: `${folder} belongs to another user` };
    if ((target.mode & OTHERS) !== 0) await chmod(folder, PRIVATE_FOLDER_MODE);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

/** Returns whether only this user can have written into `folder`. Only reads; false without a folder. */
export async function isOwnFolder(folder: string): Promise<boolean> {
  const user = ownUserId();
  if (user === null) return true;
  try {
    const [link, target] = await Promise.all([lstat(folder), stat(folder)]);
    return target.isDirectory() && target.uid === user && link.uid === user && (target.mode & OTHERS_WRITE) === 0;
  } catch {
    // silent: a missing or inaccessible folder is not ours
    return false;
  }
}

export type PrivateRead =
  | Readonly<{ ok: true; text: string }>
  | Readonly<{ ok: false; code: 'missing' | 'foreign' | 'exposed' | 'unreadable'; reason: string }>;

/** Windows has neither flag; links there need a privilege. Opening a pipe must not wait for its writer. */
const PRIVATE_READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a small private file, never through a link, never another user's, and never one that others may read.
 * @param maxBytes limit; the rest is not read.
 */
export async function readPrivateFile(path: string, maxBytes: number): Promise<PrivateRead> {
  let file: Awaited<ReturnType<typeof open>> | null = null;
  try {
    file = await open(path, PRIVATE_READ);
    const info = await file.stat();
    const objection = objectionTo(path, info);
    if (objection !== null) return objection;
    const length = Math.min(maxBytes, info.size);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return { ok: true, text: buffer.toString('utf8', 0, bytesRead) };
  } catch (error) {
    return unreadable(error);
  } finally {
    // silent: the text is read, or its error returned
    await file?.close().catch(() => undefined);
  }
}

/** Reads synchronously, for data that is needed before the first display. */
export function readPrivateFileSync(path: string, maxBytes: number): PrivateRead {
  let file: number | null = null;
  try {
    file = openToReadSync(path, PRIVATE_READ);
    const info = fstatSync(file);
    const objection = objectionTo(path, info);
    if (objection !== null) return objection;
    const bytes = Buffer.alloc(Math.min(maxBytes, info.size));
    return { ok: true, text: bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0)) };
  } catch (error) {
    return unreadable(error);
  } finally {
    if (file !== null) closeSync(file);
  }
}

type Refused = Extract<PrivateRead, { ok: false }>;

function unreadable(error: unknown): Refused {
  const code = failureCode(error) === 'ENOENT' ? 'missing' : 'unreadable';
  return { ok: false, code, reason: failureText(error) };
}

/** Returns why an open file is not read; null if it may be. */
function objectionTo(path: string, info: Stats): Refused | null {
  const user = ownUserId();
  if (!info.isFile()) return { ok: false, code: 'unreadable', reason: `${path} is not a file` };
  if (user !== null && info.uid !== user)
    return { ok: false, code: 'foreign', reason: `${path} belongs to another user` };
  if (user !== null && (info.mode & OTHERS) !== 0)
    return { ok: false, code: 'exposed', reason: `${path} can be read by other users` };
  return null;
}

/** Reads a small private JSON file by its schema; null if it is missing, not ours to read, or invalid. */
export async function readPrivateJson<T>(path: string, maxBytes: number, schema: z.ZodType<T>): Promise<T | null> {
  const file = await readPrivateFile(path, maxBytes);
  return file.ok ? (schema.safeParse(parseJson(file.text)).data ?? null) : null;
}
