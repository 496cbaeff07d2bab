import { closeSync, constants, fstatSync, readSync, type Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import type * as z from 'zod';
import { parseJson } from '../../contract/parse-json';
import { chmod, mkdir, open, openToReadSync } from './disk';
import type { Outcome } from './failure';
import { failureCode, failureText } from './failure';

const PRIVATE_FOLDER_MODE = 0o700;
/** Permission bits that let someone else read, write or enter. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** The user id files must belong to; null where the system has none (Windows, where the profile folder is private). */
export function ownUserId(): number | null {
  return process.getuid?.() ?? null;
}

/**
 * Makes sure `folder` exists, belongs to this user and is closed to everybody else (0700).
 * A link of the user's own is followed; another user's link is refused as another user's folder is.
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

/** Whether nobody but this user can have put what lies in `folder`; reads only, and is false when there is no folder. */
export async function isOwnFolder(folder: string): Promise<boolean> {
  const user = ownUserId();
  if (user === null) return true;
  try {
    const [link, target] = await Promise.all([lstat(folder), stat(folder)]);
    return target.isDirectory() && target.uid === user && link.uid === user && (target.mode & OTHERS_WRITE) === 0;
  } catch {
    // silent: an absent folder and one that nobody may look at are not ours
    return false;
  }
}

export type PrivateRead =
  | Readonly<{ ok: true; text: string }>
  | Readonly<{ ok: false; code: 'missing' | 'foreign' | 'exposed' | 'unreadable'; reason: string }>;

/** Windows has neither; links there need a privilege of their own. Opening a pipe must not wait for who writes into it. */
const PRIVATE_READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a small private file: never through a link, never another user's, never one that others may read.
 *
 * @param maxBytes what lies beyond is not read.
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

/** The same at once, for what must be known before anything is shown. */
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

/** Why what was opened is not read; null where nothing stands against it. */
function objectionTo(path: string, info: Stats): Refused | null {
  const user = ownUserId();
  if (!info.isFile()) return { ok: false, code: 'unreadable', reason: `${path} is not a file` };
  if (user !== null && info.uid !== user)
    return { ok: false, code: 'foreign', reason: `${path} belongs to another user` };
  if (user !== null && (info.mode & OTHERS) !== 0)
    return { ok: false, code: 'exposed', reason: `${path} can be read by other users` };
  return null;
}

/** A small private JSON file by its schema; null when it is missing, not ours to read, or holds something else. */
export async function readPrivateJson<T>(path: string, maxBytes: number, schema: z.ZodType<T>): Promise<T | null> {
  const file = await readPrivateFile(path, maxBytes);
  return file.ok ? (schema.safeParse(parseJson(file.text)).data ?? null) : null;
}
