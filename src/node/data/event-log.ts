import type { FileHandle } from 'node:fs/promises';
import { parseJson } from '../../contract/parse-json';
import { settled } from '../../core/base/settled';
import { writeFileAtomic } from '../base/atomic-file';
import { chmod, open, rename, rm } from '../base/disk';
import { failureCode, failureText, type Outcome } from '../base/failure';
import { statOrNull } from '../base/look';
import { quarantine } from '../base/quarantine';
import { isFileOrNothing, MAX_LOG_BYTES, READ_MAX_BYTES, readIfThere } from '../base/read-log';
import { endsTorn } from '../base/rotating-file';

const FLUSH_MS = 20;
const RETRY_MS = 1_000;
const WAITING_MAX = 100_000;
/** A full file is rotated between two batches. */
const BATCH_MAX_BYTES = 1_048_576;
const PRIVATE_FILE_MODE = 0o600;
const NEWLINE = 0x0a;

export type EventLogOptions<T> = Readonly<{
  /** Its folder must exist. */
  path: string;
  /** Null for a record that this version does not support. */
  parse: (value: unknown) => T | null;
  /** Rotation size; default 20 MiB. */
  maxBytes?: number;
  /** Default 20 ms. */
  flushMs?: number;
  /** Default 1 s. */
  retryMs?: number;
  /** The oldest are dropped first; default 100,000. */
  maxWaiting?: number;
  onWritten?: (records: readonly T[]) => void;
  /** Called once; the records are retried. */
  onFault?: (error: unknown) => void;
  /** No file will ever hold these records. */
  onLost?: (records: readonly T[]) => void;
  onRecovered?: (lost: number) => void;
}>;

export type LogContent<T> = Readonly<{
  records: readonly T[];
  /** Torn by a crash, or of another version. */
  skippedLines: number;
  /** New paths of unreadable or far too long files. */
  quarantined: readonly string[];
}>;

export type EventLog<T> = Readonly<{
  /** Never throws because of the disk. */
  append(record: T): void;
  /** Resolves when every record is synced. */
  flush(): Promise<Outcome>;
  readAll(): Promise<LogContent<T>>;
  /** @throws the system's error. */
  restart(first: T): Promise<void>;
  /** Flushes first. */
  close(): Promise<void>;
}>;

/** Only the core may write the log. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function openEventLog<T>(options: EventLogOptions<T>): EventLog<T> {
  const { maxBytes = MAX_LOG_BYTES } = options;
  const file = new LogFile(options.path, maxBytes);
  let waiting: T[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isRestarting = false;
  let isFaulty = false;
  let isUnsynced = false;
  let lost = 0;
  const maxWaiting = options.maxWaiting ?? WAITING_MAX;
  // Writes keep their order, and no read meets a rotation.
  let work: Promise<unknown> = Promise.resolve();

  const enqueue = <R>(job: () => Promise<R>): Promise<R> => {
    const result = work.then(job);
    work = settled(result);
    return result;
  };
  const giveUp = (records: readonly T[]): void => {
    lost += records.length;
    if (records.length > 0) options.onLost?.(records);
  };
  /** @returns why a batch could not be written, else null. */
  const write = async (): Promise<string | null> => {
    clearTimeout(timer);
    timer = undefined;
    // Later records belong to the new file.
    while (waiting.length > 0 && !isRestarting) {
      const { text, count } = batchOf(waiting, Math.min(maxBytes, BATCH_MAX_BYTES));
      const batch = waiting.splice(0, count);
      try {
        await file.append(text);
      } catch (error) {
        // Records that are being deleted must not come back.
        if (isRestarting) return null;
        waiting.unshift(...batch);
        giveUp(waiting.splice(0, Math.max(0, waiting.length - maxWaiting)));
        if (!isFaulty) options.onFault?.(error);
        isFaulty = true;
        if (!isClosed) timer ??= setTimeout(() => void enqueue(write), options.retryMs ?? RETRY_MS);
        return failureText(error);
      }
      if (isFaulty) options.onRecovered?.(lost);
      isFaulty = false;
      lost = 0;
      options.onWritten?.(batch);
    }
    return null;
  };
  const flush = () =>
    enqueue(async (): Promise<Outcome> => {
      const reason = await write();
      try {
        await file.sync();
        isUnsynced = false;
      } catch (error) {
        if (!isFaulty && !isUnsynced) options.onFault?.(error);
        isUnsynced = true;
        return { ok: false, reason: reason ?? failureText(error) };
      }
      return reason === null ? { ok: true } : { ok: false, reason };
    });
  return {
    append: (record) => {
      if (isClosed) return;
      waiting.push(record);
      if (isFaulty && waiting.length > maxWaiting) giveUp(waiting.splice(0, 1));
      timer ??= setTimeout(() => void enqueue(write), options.flushMs ?? FLUSH_MS);
    },
    flush,
    readAll: () =>
      enqueue(async () => {
        await write();
        await file.close();
        return await readLog(options);
      }),
    restart: (first) => {
      waiting = [first];
      isRestarting = true;
      return enqueue(async () => {
        try {
          await file.remove();
        } finally {
          isRestarting = false;
        }
        await write();
      });
    },
    close: async () => {
      isClosed = true;
      await flush();
      await enqueue(() => file.close());
    },
  };
}

function batchOf(records: readonly unknown[], maxBytes: number): Readonly<{ text: string; count: number }> {
  const lines: string[] = [];
  let bytes = 0;
  for (const record of records) {
    const line = `${JSON.stringify(record)}\n`;
    bytes += Buffer.byteLength(line);
    if (bytes > maxBytes && lines.length > 0) break;
    lines.push(line);
  }
  return { text: lines.join(''), count: lines.length };
}

class LogFile {
  readonly #path: string;
  readonly #maxBytes: number;
  #handle: FileHandle | null = null;
  #sizeBytes = 0;
  #isTorn = false;

  constructor(path: string, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    let handle = this.#handle ?? (await this.#open());
    if (this.#sizeBytes > 0 && this.#sizeBytes + bytes.length > this.#maxBytes) {
      await this.close();
      // silent: if the system refuses, a file that is too long is better than lost records
      await rename(this.#path, `${this.#path}.1`).catch(() => undefined);
      handle = await this.#open();
    }
    const whole = this.#isTorn ? Buffer.concat([Uint8Array.of(NEWLINE), bytes]) : bytes;
    // Until the write succeeds, the file may end with half of it.
    const wasTorn = this.#isTorn;
    this.#isTorn = true;
    try {
      await handle.appendFile(whole);
    } catch (error) {
      // The next write repeats the written part.
      await handle.truncate(this.#sizeBytes).then(
        () => (this.#isTorn = wasTorn),
        // silent: the line stays marked as torn, and the caller receives the first error
        () => undefined,
      );
      throw error;
    }
    this.#isTorn = false;
    this.#sizeBytes += whole.length;
  }

  async sync(): Promise<void> {
    await this.#handle?.datasync();
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  async remove(): Promise<void> {
    await this.close();
    for (const path of [this.#path, `${this.#path}.1`]) await rm(path, { force: true });
  }

  async #open(): Promise<FileHandle> {
    const handle = await openOwn(this.#path);
    try {
      // Some network drives cannot exclude other users.
      // silent: some file systems have no modes
      await handle.chmod(PRIVATE_FILE_MODE).catch(() => undefined);
      const { size } = await handle.stat();
      this.#isTorn = await endsTorn(handle, size);
      this.#sizeBytes = size;
    } catch (error) {
      // A partly read state would truncate at the wrong place.
      // silent: the causing error is thrown
      await handle.close().catch(() => undefined);
      throw error;
    }
    this.#handle = handle;
    return handle;
  }
}

/** Even if read-only for its owner. */
async function openOwn(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a+', PRIVATE_FILE_MODE);
  } catch (error) {
    if (failureCode(error) !== 'EACCES') throw error;
    const isMended = await chmod(path, PRIVATE_FILE_MODE).then(
      () => true,
      // silent: the first error is thrown
      () => false,
    );
    if (!isMended) throw error;
    return await open(path, 'a+', PRIVATE_FILE_MODE);
  }
}

async function readLog<T>(options: EventLogOptions<T>): Promise<LogContent<T>> {
  const content = { records: [] as T[], quarantined: [] as string[], skippedLines: 0 };
  for (const path of [`${options.path}.1`, options.path]) {
    const text = await readIfThere(path);
    const isOther = text === '' && !(await isFileOrNothing(path));
    const sizeBytes = (await statOrNull(path))?.size ?? 0;
    const lines = text.split('\n').filter((line) => line !== '');
    const before = content.records.length;
    for (const line of lines) {
      const record = parseRecord(line, options.parse);
      if (record === null) content.skippedLines += 1;
      else content.records.push(record);
    }
    const isEmpty = content.records.length === before;
    // Never append to a file without any valid record; a single line may be torn.
    const isRubbish = isEmpty && text.includes('\n') && lines.length > 0;
    const mustMove = isRubbish || isOther || sizeBytes > READ_MAX_BYTES;
    const aside = mustMove ? await moveAside(path, isEmpty ? '' : text) : null;
    if (aside !== null) content.quarantined.push(aside);
  }
  return content;
}

/** Null if the file stayed. */
async function moveAside(path: string, readable: string): Promise<string | null> {
  const aside = await quarantine(path);
  if (aside === null || readable === '' || (await writeFileAtomic(path, readable)).ok) return aside;
  return rename(aside, path).then(
    () => null,
    // silent: the caller reports the file's path
    () => aside,
  );
}

function parseRecord<T>(line: string, parse: (value: unknown) => T | null): T | null {
  const value = parseJson(line);
  return value === undefined ? null : parse(value);
}
