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
/** A lock is held for some 10 ms; one this old belongs to a process that died with it. */
const STALE_MS = 5_000;
/** How a file of ours is locked against other processes of this user. */
export const LOCK = {
  realpath: false,
  stale: STALE_MS,
  // Some 8 s in all: longer than a lock takes to grow stale.
  retries: { retries: 40, factor: 1.2, minTimeout: 10, maxTimeout: 250, randomize: true, unref: true },
  // Somebody took it for stale: what is written then is whole all the same, and merged again by the next one.
  onCompromised: () => undefined,
};

/** What a file holds; `newer`: a later version wrote it, `damaged`: it says nothing. */
export type Reading<T> = Readonly<{ value: T | null }> | 'damaged' | 'newer';

/** A file that several processes of one user read and change. */
export type SharedFile<T> = Readonly<{
  /** What another process has written since this one last read or wrote; null when nothing. Costs one look at the folder. */
  news(): Promise<T | null>;
  /**
   * Replaces the content under a lock, with what `change` makes of it; a missing or unreadable file holds null. An
   * unreadable one is moved aside first. Failures are values, and then nothing has changed.
   */
  update(change: (old: T | null) => T): Promise<Outcome>;
  /** Removes the file under the lock. */
  remove(): Promise<Outcome>;
}>;

/** Opens a shared file; nothing is read or made yet. `onUnreadable` hears once why this process could not read it. */
export function openSharedFile<T>(options: {
  path: string;
  parse: (json: unknown) => Reading<T>;
  /** The JSON that `parse` reads. */
  write: (value: T) => unknown;
  onUnreadable: (message: string) => void;
  /** What goes with a file that cannot be read, as a sentence. */
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
  /** Under the lock, so that what is moved aside is what was read. Null when the file is to be left alone from now on. */
  const readForChange = async (): Promise<Readonly<{ value: T | null }> | null> => {
    const reading = await read();
    if (typeof reading !== 'string') return reading;
    // Whoever wrote it goes on writing it: two that take it from each other help nobody.
    const aside = hasTold ? null : await quarantine(path);
    isOff = aside === null;
    if (!hasTold) options.onUnreadable(`${sentenceFor(path, reading, aside)} ${options.loss}`);
    hasTold = true;
    return isOff ? null : { value: null };
  };
  /** One thing at a time: a process need not wait for a lock of its own. */
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
      // Not waited for: a request may be waiting for us.
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
      // Most often there is none, and then nobody has to wait for a lock.
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

/** Tells one content from another without reading it: a file is always replaced as a whole. */
async function stampOf(path: string): Promise<string> {
  const found = await statOrNull(path);
  return found === null ? MISSING : `${found.ino} ${found.mtimeMs} ${found.size}`;
}

function sentenceFor(path: string, why: 'damaged' | 'newer', aside: string | null): string {
  const what = why === 'newer' ? 'was written by a newer Understudy' : 'could not be read';
  const then = aside === null ? 'It is left as it is.' : `It was moved to ${aside}.`;
  return `${path} ${what}. ${then}`;
}
