import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../contract/parse-json';
import { syncFolder, writeAndSync } from '../base/atomic-file';
import { rm } from '../base/disk';
import { ensurePrivateFolder } from '../base/private-folder';
import { readIfThere } from '../base/read-log';
import { MAX_COMPARED_BYTES, readBytes } from '../base/read-text';
import { endsTorn, openToAppend } from '../base/rotating-file';

/** Hashes are SHA-256; null means "no file". */
export const Receipt = z.object({
  v: z.literal(1),
  id: z.string(),
  at: z.number(),
  path: z.string(),
  target: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Null if there was no file. */
  backup: z.string().nullable(),
  actor: z.string(),
  deed: z.string(),
  /** Equal in all writes of one command. */
  group: z.string().optional(),
});
export type Receipt = z.infer<typeof Receipt>;

export const FailedWrite = z.object({ v: z.literal(1), failed: z.string(), reason: z.string() });

const BACKUPS_KEPT = 10;

export const journalFolder = (home: string): string => join(home, 'config-writes');

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** @throws Error if it cannot be made private. */
export async function openJournal(home: string): Promise<string> {
  const folder = journalFolder(home);
  for (const place of [home, folder]) {
    const made = await ensurePrivateFolder(place);
    if (!made.ok) throw new Error(made.reason);
  }
  return folder;
}

export function receiptId(at: number): string {
  return `${new Date(at).toISOString().replaceAll(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}`;
}

/** Keeps the ten latest backups of each file. @throws the system's error. */
export async function keepBackup(home: string, about: Readonly<{ id: string; target: string; bytes: Uint8Array }>) {
  const folder = await openJournal(home);
  const file = hashOf(Buffer.from(about.target)).slice(0, 8);
  const name = `${basename(about.target)}-${file}-${about.id}-${hashOf(about.bytes).slice(0, 12)}.backup`;
  await writeAndSync(join(folder, name), about.bytes);
  await syncFolder(folder);
  const all = (await readdir(folder))
    .filter((other) => other.endsWith('.backup') && other.includes(`-${file}-`))
    .sort();
  for (const old of all.slice(0, -BACKUPS_KEPT)) await rm(join(folder, old), { force: true });
  return name;
}

/** Null if it does not match its receipt. */
export async function readBackup(home: string, receipt: Receipt): Promise<Buffer | null> {
  if (receipt.backup === null) return null;
  const read = await readBytes(join(journalFolder(home), basename(receipt.backup)), MAX_COMPARED_BYTES);
  return read.kind === 'bytes' && hashOf(read.bytes) === receipt.before ? read.bytes : null;
}

/** Synced when the promise resolves. @throws the system's error. */
export async function note(home: string, entry: Receipt | Readonly<{ id: string; reason: string }>): Promise<void> {
  const folder = await openJournal(home);
  const line = 'v' in entry ? entry : { v: 1, failed: entry.id, reason: entry.reason };
  const path = join(folder, 'journal.jsonl');
  const file = await openToAppend(path);
  try {
    // A full disk may have cut the last line.
    const start = (await endsTorn(file, (await file.stat()).size)) ? '\n' : '';
    await file.appendFile(`${start}${JSON.stringify(line)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function listReceipts(home: string): Promise<readonly Receipt[]> {
  const text = await readIfThere(join(journalFolder(home), 'journal.jsonl'));
  const values = text.split('\n').map(parseJson);
  const failed = new Set(values.flatMap((value) => FailedWrite.safeParse(value).data?.failed ?? []));
  const receipts = values.flatMap((value) => Receipt.safeParse(value).data ?? []);
  return receipts.filter(({ id }) => !failed.has(id)).toReversed();
}

/** True if the file holds the latest write. Never rejects. */
export async function hasWritten(home: string, path: string): Promise<boolean> {
  try {
    const latest = (await listReceipts(home)).find((receipt) => receipt.path === path || receipt.target === path);
    if (!latest) return false;
    const read = await readBytes(path, MAX_COMPARED_BYTES);
    return read.kind === 'bytes'
      ? hashOf(read.bytes) === latest.after
      : read.kind === 'missing' && latest.after === null;
  } catch {
    // silent: a file that cannot be compared counts as written by others
    return false;
  }
}

export const undoDeed = (id: string): string => `${UNDO}${id}`;
const UNDO = 'undo ';

/** Not yet undone. @param receipts latest first. */
export function lastChange<R extends Receipt>(receipts: readonly R[]): readonly R[] {
  const undone = new Set<string>();
  const open = receipts.filter(({ id, deed }) => {
    if (undone.has(id)) return false;
    if (deed.startsWith(UNDO)) undone.add(deed.slice(UNDO.length));
    return !deed.startsWith(UNDO);
  });
  const [last] = open;
  return open.filter((one) => one === last || (one.group !== undefined && one.group === last?.group));
}
