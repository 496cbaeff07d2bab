import { closeSync, constants, fstatSync, readSync, type Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import type * as z from 'zod';
import { parseJson } from '../../contract/parse-json';
import { chmod, mkdir, open, openToReadSync } from './disk';
import type { Outcome } from './failure';
import { failureCode, failureText } from './failure';

const PRIVATE_FOLDER_MODE = 0o700;
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** Null on Windows, where the profile folder is private. */
export function ownUserId(): number | null {
  return process.getuid?.() ?? null;
}

/** Creates or closes the folder (0700). Follows only the user's own links. */
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

/** True if only this user can have written into `folder`. */
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

/** Windows has neither flag. Opening a pipe must not wait for its writer. */
const PRIVATE_READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Refuses links and files of or readable by other users; reads at most `maxBytes`. */
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

/** For data needed before the first display. */
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

function objectionTo(path: string, info: Stats): Refused | null {
  const user = ownUserId();
  if (!info.isFile()) return { ok: false, code: 'unreadable', reason: `${path} is not a file` };
  if (user !== null && info.uid !== user)
    return { ok: false, code: 'foreign', reason: `${path} belongs to another user` };
  if (user !== null && (info.mode & OTHERS) !== 0)
    return { ok: false, code: 'exposed', reason: `${path} can be read by other users` };
  return null;
}

export async function readPrivateJson<T>(path: string, maxBytes: number, schema: z.ZodType<T>): Promise<T | null> {
  const file = await readPrivateFile(path, maxBytes);
  return file.ok ? (schema.safeParse(parseJson(file.text)).data ?? null) : null;
}
