import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { Edited } from '../../core/edits';
import { nameMeant, writeFileAtomic } from '../base/atomic-file';
import { mkdir, rm, sealObjection } from '../base/disk';
import type { Outcome } from '../base/failure';
import { failureCode, failureText } from '../base/failure';
import { takeLock } from '../base/file-lock';
import { isInside } from '../base/inside';
import { lstatOrNull, namesOrNone } from '../base/look';
import { ownUserId } from '../base/private-folder';
import { LEADS_OUT, MAX_COMPARED_BYTES, MAX_CONFIG_BYTES, readBytes } from '../base/read-text';
import {
  hashOf,
  keepBackup,
  listReceipts,
  note,
  openJournal,
  type Receipt,
  readBackup,
  receiptId,
  undoDeed,
} from './config-journal';

export type WriteRequest = Readonly<{
  path: string;
  edit(text: string): Edited;
  /** Without it, a missing file is refused. */
  create?: string;
  /** If true, the file is removed, unless a link leads to it. */
  isNothing?: (text: string) => boolean;
  actor: string;
  deed: string;
  maxBytes?: number;
  /** No link may lead out of this project. */
  within?: string;
}>;

/** Valid while the file holds `before`. */
export type WritePlan = Readonly<{
  path: string;
  /** Target of the file's link. */
  target: string;
  before: Uint8Array | null;
  /** Null removes the file. */
  after: Uint8Array | null;
  mode: number;
  diff: string;
  actor: string;
  deed: string;
  /** Equal in all plans of one command. */
  group?: string;
  within?: string;
}>;

/** `receipt` is null if nothing had to change; `changed`: the file changed since the plan. */
export type Written =
  | Readonly<{ ok: true; receipt: Receipt | null }>
  | Readonly<{ ok: false; code: 'refused' | 'changed' | 'failed'; reason: string }>;

type Refused = Extract<Written, { ok: false }>;

/** Tests pass a disk that loses data. */
export type Replace = (path: string, bytes: Uint8Array, mode: number) => Promise<Outcome>;

const NEW_FILE_MODE = 0o644;
const NOT_TEXT = 'it is not UTF-8 text';
const OWNER_WRITES = 0o200;
const MAX_PLANS = 5;

/** Only reads; refusals name the file. */
export async function planWrite(request: WriteRequest): Promise<Outcome<{ plan: WritePlan }>> {
  const { path, actor, deed } = request;
  const refuse = (reason: string) => ({ ok: false, reason: `${path}: ${reason}. Nothing was changed.` }) as const;
  const astray = request.within === undefined ? null : await strayFrom(request.within, path);
  if (astray !== null) return refuse(astray);
  const found = await look(path, request.maxBytes ?? MAX_CONFIG_BYTES);
  if (!found.ok) return refuse(found.reason);
  const { bytes: before, mode, target } = found;
  const text = before === null ? request.create : textOf(before);
  if (text === undefined) return refuse('there is no such file');
  if (text === null) return refuse(NOT_TEXT);
  const edited = request.edit(text);
  if (!edited.ok) {
    const place = edited.line === null ? path : `${path}:${edited.line}:${edited.column ?? 1}`;
    return { ok: false, reason: `${place}: ${edited.message}. Nothing was changed.` };
  }
  const isNothing = before !== null && request.isNothing?.(edited.text) === true;
  const after = isNothing && !(await lstatOrNull(path))?.isSymbolicLink() ? null : Buffer.from(edited.text);
  const isSame = before !== null && after?.equals(before) === true;
  const obstacle = isSame ? null : await obstacleTo(target, before !== null);
  if (obstacle !== null) return refuse(obstacle);
  const diff = isSame ? '' : diffOf(path, before === null ? null : text, after && edited.text);
  const bounds = request.within === undefined ? {} : { within: request.within };
  return { ok: true, plan: { path, target, before, after, mode, diff, actor, deed, ...bounds } };
}

const strayFrom = (within: string, path: string): Promise<string | null> =>
  isInside(within, path).then((is) => (is ? null : LEADS_OUT), failureText);

/** Reverts a result that differs from the plan. */
export async function applyWrite(plan: WritePlan, home: string, replace: Replace = writeFileAtomic): Promise<Written> {
  try {
    return await locked(plan.target, home, () => applyLocked(plan, home, replace));
  } catch (error) {
    return failed(plan.path, error);
  }
}

const failed = (path: string, error: unknown): Extract<Written, { ok: false }> => ({
  ok: false,
  code: 'failed',
  reason: `${path}: ${failureText(error)}.`,
});

/** Repeats the plan: an edit by name never undoes another process's. */
export async function editFile(request: WriteRequest, home: string): Promise<Written & { diff?: string }> {
  const first = await planWrite(request);
  if (!first.ok) return { ok: false, code: 'refused', reason: first.reason };
  try {
    return await locked(first.plan.target, home, async () => {
      for (let round = 1; ; round += 1) {
        const planned = await planWrite(request);
        if (!planned.ok) return { ok: false, code: 'refused', reason: planned.reason };
        const written = await applyLocked(planned.plan, home, writeFileAtomic);
        if (written.ok) return { ...written, diff: planned.plan.diff };
        if (written.code !== 'changed' || round === MAX_PLANS) return written;
      }
    });
  } catch (error) {
    return failed(request.path, error);
  }
}

export async function planUndo(id: string, home: string, actor: string): Promise<Outcome<{ plan: WritePlan }>> {
  const receipt = (await listReceipts(home)).find((one) => one.id === id);
  if (receipt === undefined) return { ok: false, reason: `There is no receipt ${id}.` };
  const { path, target } = receipt;
  const found = await look(target, MAX_COMPARED_BYTES);
  if (!found.ok) return { ok: false, reason: `${target}: ${found.reason}. Nothing was changed.` };
  if (found.target !== target)
    return { ok: false, reason: `${path} now leads elsewhere: ${target} is a link. Nothing was changed.` };
  const hash = found.bytes === null ? null : hashOf(found.bytes);
  if (hash !== receipt.after)
    return {
      ok: false,
      reason: `${path} has changed since ${id}; undoing would lose those changes. Nothing was changed.`,
    };
  const after = await readBackup(home, receipt);
  if (after === null && receipt.before !== null)
    return { ok: false, reason: `The backup of ${id} no longer exists. Nothing was changed.` };
  const obstacle = await obstacleTo(target, found.bytes !== null);
  if (obstacle !== null) return { ok: false, reason: `${target}: ${obstacle}. Nothing was changed.` };
  const texts = [found.bytes, after].map((bytes) => (bytes === null ? null : textOf(bytes)));
  const plan = { path, target, before: found.bytes, after, mode: found.mode, actor, deed: undoDeed(id) };
  return { ok: true, plan: { ...plan, diff: diffOf(path, texts[0] ?? null, texts[1] ?? null) } };
}

type Found = Readonly<{ target: string; bytes: Uint8Array | null; mode: number }>;

async function look(path: string, maxBytes: number): Promise<Outcome<Found>> {
  try {
    const target = await realpath(path);
    const info = await stat(target);
    const read = await readBytes(target, maxBytes);
    if (read.kind === 'unreadable') return { ok: false, reason: read.reason };
    if (read.kind === 'bytes') return { ok: true, target, bytes: read.bytes, mode: info.mode & 0o777 };
    return { ok: false, reason: 'it was deleted just now' };
  } catch (error) {
    if (failureCode(error) !== 'ENOENT') return { ok: false, reason: failureText(error) };
    const link = await lstatOrNull(path);
    if (link !== null) return { ok: false, reason: 'it is a link that leads nowhere' };
    return {
      ok: true,
      target: join(await realFolder(dirname(path)), basename(path)),
      bytes: null,
      mode: NEW_FILE_MODE,
    };
  }
}

async function realFolder(folder: string): Promise<string> {
  const above = dirname(folder);
  // silent: for a missing folder, the nearest one above decides
  return await realpath(folder).catch(async () =>
    above === folder ? folder : join(await realFolder(above), basename(folder)),
  );
}

/** Keeps the byte order mark; null if not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // silent: a decoder fails only for bytes that are not UTF-8
    return null;
  }
}

async function obstacleTo(target: string, isThere: boolean): Promise<string | null> {
  const objection = await sealObjection(target);
  if (objection !== null || !isThere) return objection;
  const info = await stat(target);
  const user = ownUserId();
  if (user !== null && info.uid !== user) return 'it belongs to another user';
  if (info.nlink > 1) return 'it has a second name (a hard link), which would keep the old content';
  if ((info.mode & OWNER_WRITES) === 0) return 'it is read-only';
  const isOpen = await access(dirname(target), constants.W_OK).then(
    () => true,
    // silent: the refusal is returned as a sentence
    () => false,
  );
  return isOpen ? null : 'its folder is read-only';
}

function diffOf(path: string, before: string | null, after: string | null): string {
  const [from, to] = [before, after].map((text) => (text === null ? '/dev/null' : path));
  return createTwoFilesPatch(from ?? path, to ?? path, before ?? '', after ?? '', undefined, undefined, { context: 3 });
}

/** In the state home: beside the file the lock would be litter. */
async function locked<T>(target: string, home: string, act: () => Promise<T>): Promise<T> {
  const folder = await openJournal(home);
  const lockfilePath = join(folder, `${hashOf(Buffer.from(target)).slice(0, 16)}.lock`);
  const retries = { retries: 80, factor: 1.2, minTimeout: 10, maxTimeout: 250 };
  // Only a clock change can lose so short a lock; the file is compared anyway.
  const onCompromised = (): void => undefined;
  const release = await takeLock(target, { lockfilePath, realpath: false, retries, onCompromised });
  try {
    return await act();
  } finally {
    await release();
  }
}

async function applyLocked(plan: WritePlan, home: string, replace: Replace): Promise<Written> {
  const { path, target, before, after } = plan;
  // A folder may have become a link since the approval.
  const astray = await strayNow(plan);
  if (astray !== null) return astray;
  if (!(await isStill(target, before))) return changed(path);
  if (isSameBytes(before, after)) return { ok: true, receipt: null };
  const at = Date.now();
  const id = receiptId(at);
  const backup = before === null ? null : await keepBackup(home, { id, target, bytes: before });
  const grouped = plan.group === undefined ? {} : { group: plan.group };
  const hashes = { before: before && hashOf(before), after: after && hashOf(after) };
  const receipt: Receipt = {
    v: 1,
    id,
    at,
    path,
    target,
    ...hashes,
    backup,
    actor: plan.actor,
    deed: plan.deed,
    ...grouped,
  };
  // Before the file changes: a killed process leaves its receipt.
  await note(home, receipt);
  if (before === null) await mkdir(dirname(target), { recursive: true });
  await sweep(target);
  const refused = (await strayNow(plan)) ?? ((await isStill(target, before)) ? null : changed(path));
  if (refused !== null) {
    await note(home, { id, reason: refused.code });
    return refused;
  }
  const put = await putBytes(target, after, { mode: plan.mode, replace });
  if (put.ok && (await isStill(target, after))) return { ok: true, receipt };
  const reason = put.ok ? await takeBack(plan, { home, id }) : put.reason;
  await note(home, { id, reason });
  return { ok: false, code: 'failed', reason: `${path}: ${reason}.` };
}

async function strayNow({ path, target, within }: WritePlan): Promise<Refused | null> {
  if (within === undefined) return null;
  const astray = (await strayFrom(within, path)) ?? (await strayFrom(within, target));
  if (astray === null) return null;
  return { ok: false, code: 'refused', reason: `${path}: ${astray}. Nothing was changed.` };
}

const changed = (path: string): Refused => ({
  ok: false,
  code: 'changed',
  reason: `${path} was changed by another program meanwhile, so nothing was written; review it again.`,
});

async function putBytes(
  target: string,
  bytes: Uint8Array | null,
  { mode, replace }: Readonly<{ mode: number; replace: Replace }>,
): Promise<Outcome> {
  if (bytes !== null) return replace(target, bytes, mode);
  await rm(target);
  return { ok: true };
}

/** Restores a file after the disk stored something else; backs that up too. */
async function takeBack(plan: WritePlan, { home, id }: Readonly<{ home: string; id: string }>): Promise<string> {
  const found = await readBytes(plan.target, MAX_COMPARED_BYTES);
  const bytes = found.kind === 'bytes' ? found.bytes : null;
  const backup = bytes && (await keepBackup(home, { id: `${id}-found`, target: plan.target, bytes }));
  const back = await putBytes(plan.target, plan.before, { mode: plan.mode, replace: writeFileAtomic });
  const where = backup === null ? '' : `; its content was saved as ${backup}`;
  return back.ok
    ? `the disk stored something else, so the file was restored${where}`
    : `the disk stored something else, and the file could not be restored: ${back.reason}${where}`;
}

async function isStill(target: string, bytes: Uint8Array | null): Promise<boolean> {
  const now = await readBytes(target, MAX_COMPARED_BYTES);
  return now.kind !== 'unreadable' && isSameBytes(now.kind === 'bytes' ? now.bytes : null, bytes);
}

function isSameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

async function sweep(target: string): Promise<void> {
  const folder = dirname(target);
  const own = basename(target);
  const names = await namesOrNone(folder);
  for (const name of names) if (name !== own && nameMeant(name) === own) await rm(join(folder, name), { force: true });
}
