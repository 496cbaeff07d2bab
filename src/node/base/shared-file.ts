import { dirname } from 'node:path';
import { parseJson } from '../../contract/parse-json';
import { writeFileAtomic } from './atomic-file';
import { rm } from './disk';
import type { Outcome } from './failure';
import { failureText } from './failure';
import { takeLock } from './file-lock';
import { statOrNull } from './look';
import { ensurePrivateFolder, readPrivateFile } from './private-folder';
import { quarantine } from './quarantine';

/** Larger files are not ours. */
const MAX_BYTES = 1_048_576;
/** A lock is held for some 10 ms; one of this age belongs to a dead process. */
const STALE_MS = 5_000;
/** Options for locking a file of ours against other processes of this user. */
export const LOCK = {
  realpath: false,
  stale: STALE_MS,
  // Some 8 s in all: longer than a lock takes to become stale.
  retries: { retries: 40, factor: 1.2, minTimeout: 10, maxTimeout: 250, randomize: true, unref: true },
  // Another process took it as stale: the write is still atomic, and the next one merges it again.
  onCompromised: () => undefined,
};

/** A file's content; `newer`: a later version wrote it, `damaged`: it is unreadable. */
export type Reading<T> = Readonly<{ value: T | null }> | 'damaged' | 'newer';

/** A file that several processes of one user read and change. */
export type SharedFile<T> = Readonly<{
  /**
   * Returns what another process wrote since the last read or write here; null without news. Costs one look at the
   * folder.
   */
  news(): Promise<T | null>;
  /**
   * Replaces the content under a lock with the result of `change`; a missing or unreadable file counts as null. Moves
   * an unreadable one aside first. Returns failures as values; nothing has changed then.
   */
  update(change: (old: T | null) => T): Promise<Outcome>;
  /** Removes the file under the lock. */
  remove(): Promise<Outcome>;
}>;

/**
 * Opens a shared file; reads and creates nothing yet. Calls `onUnreadable` once with the reason if this process cannot
 * read it.
 */
export function openSharedFile<T>(options: {
  path: string;
  parse: (json: unknown) => Reading<T>;
  /** The JSON that `parse` reads. */
  write: (value: T) => unknown;
  onUnreadable: (message: string) => void;
  /** A sentence about the loss if the file cannot be read. */
  loss: string;
}): SharedFile<T> {
  const { path } = options;
  let seen = MISSING;
  let hasTold = false;
  let isOff = false;
  let queue: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<Reading<T>> => {
    const file = await readPrivateFile(path, MAX_BYTES);
    if (!file.ok) return file.code === 'missing' ? { value: null } : 'damaged';
    const json = parseJson(file.text);
    return json === undefined ? 'damaged' : options.parse(json);
  };
  /**
   * Reads under the lock, so that the file moved aside is the one that was read. Null if the file must stay untouched
   * from now on.
   */
  const readForChange = async (): Promise<Readonly<{ value: T | null }> | null> => {
    const reading = await read();
    if (typeof reading !== 'string') return reading;
    // Its writer will write it again: two processes that keep moving it aside help neither.
    const aside = hasTold ? null : await quarantine(path);
    isOff = aside === null;
    if (!hasTold) options.onUnreadable(`${sentenceFor(path, reading, aside)} ${options.loss}`);
    hasTold = true;
    return isOff ? null : { value: null };
  };
  /** One job at a time, so that a process never waits for its own lock. */
  const underLock = (work: () => Promise<Outcome>): Promise<Outcome> => {
    const done = queue.then(() => locked(work));
    queue = done;
    return done;
  };
  const locked = async (work: () => Promise<Outcome>): Promise<Outcome> => {
    if (isOff) return LEFT_ALONE;
    try {
      const folder = await ensurePrivateFolder(dirname(path));
      if (!folder.ok) return folder;
      const release = await takeLock(path, LOCK);
      try {
        return await work();
      } finally {
        seen = await stampOf(path);
        await release();
      }
    } catch (error) {
      return { ok: false, reason: failureText(error) };
    }
  };
  return {
    async news() {
      const stamp = isOff ? seen : await stampOf(path);
      if (stamp === seen) return null;
      seen = stamp;
      const reading = await read();
      if (typeof reading !== 'string') return reading.value;
      // Not awaited: a request may be waiting for this function.
      void underLock(async () => ((await readForChange()) ? { ok: true } : LEFT_ALONE));
      return null;
    },
    update: (change) =>
      underLock(async () => {
        const old = await readForChange();
        if (!old) return LEFT_ALONE;
        const text = `${JSON.stringify(options.write(change(old.value)))}\n`;
        if (Buffer.byteLength(text) > MAX_BYTES) return { ok: false, reason: `${path} would grow too large` };
        return await writeFileAtomic(path, text);
      }),
    remove: async () => {
      // Usually there is no file, and then no lock is needed.
      if ((await stampOf(path)) === MISSING) return { ok: true };
      return await underLock(async () => {
        await rm(path, { force: true });
        return { ok: true };
      });
    },
  };
}

const MISSING = '';
const LEFT_ALONE = { ok: false, reason: 'the file is left to another version' } as const;

/** Returns a stamp that changes with the content, without reading it: a file is always replaced as a whole. */
async function stampOf(path: string): Promise<string> {
  const found = await statOrNull(path);
  return found === null ? MISSING : `${found.ino} ${found.mtimeMs} ${found.size}`;
}

function sentenceFor(path: string, why: 'damaged' | 'newer', aside: string | null): string {
  const what = why === 'newer' ? 'was written by a newer Understudy' : 'could not be read';
  const then = aside === null ? 'It is left as it is.' : `It was moved to ${aside}.`;
  return `${path} ${what}. ${then}`;
}
