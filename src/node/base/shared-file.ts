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

const MAX_BYTES = 1_048_576;
/** A lock is held for some 10 ms; an older one belongs to a dead process. */
const STALE_MS = 5_000;
export const LOCK = {
  realpath: false,
  stale: STALE_MS,
  // Some 8 s: longer than a lock takes to become stale.
  retries: { retries: 40, factor: 1.2, minTimeout: 10, maxTimeout: 250, randomize: true, unref: true },
  // The write is still atomic, and the next one merges again.
  onCompromised: () => undefined,
};

export type Reading<T> = Readonly<{ value: T | null }> | 'damaged' | 'newer';

export type SharedFile<T> = Readonly<{
  /** Returns another process's content; null without changes. */
  news(): Promise<T | null>;
  /** Null stands for a missing or unreadable file, which is moved aside first. A failure changes nothing. */
  update(change: (old: T | null) => T): Promise<Outcome>;
  remove(): Promise<Outcome>;
}>;

export function openSharedFile<T>(options: {
  path: string;
  parse: (json: unknown) => Reading<T>;
  write: (value: T) => unknown;
  onUnreadable: (message: string) => void;
  /** Sentence about the loss if the file cannot be read. */
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
  /** Under the lock, so that the file moved aside is the one read. Null: never touch the file again. */
  const readForChange = async (): Promise<Readonly<{ value: T | null }> | null> => {
    const reading = await read();
    if (typeof reading !== 'string') return reading;
    // Its writer writes it again: moving it aside twice does not help.
    const aside = hasTold ? null : await quarantine(path);
    isOff = aside === null;
    if (!hasTold) options.onUnreadable(`${sentenceFor(path, reading, aside)} ${options.loss}`);
    hasTold = true;
    return isOff ? null : { value: null };
  };
  /** A process must never wait for its own lock. */
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
      // Not awaited: a request may wait.
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
      if ((await stampOf(path)) === MISSING) return { ok: true };
      return await underLock(async () => {
        await rm(path, { force: true });
        return { ok: true };
      });
    },
  };
}

const MISSING = '';
const LEFT_ALONE = { ok: false, reason: 'this version cannot use the file' } as const;

/** Sufficient because the file is always replaced as a whole. */
async function stampOf(path: string): Promise<string> {
  const found = await statOrNull(path);
  return found === null ? MISSING : `${found.ino} ${found.mtimeMs} ${found.size}`;
}

function sentenceFor(path: string, why: 'damaged' | 'newer', aside: string | null): string {
  const what = why === 'newer' ? 'was written by a newer Understudy' : 'could not be read';
  const then = aside === null ? 'It stays unchanged.' : `It was moved to ${aside}.`;
  return `${path} ${what}. ${then}`;
}
