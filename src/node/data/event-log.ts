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
/** How soon records that could not be written are tried again, in ms. */
const RETRY_MS = 1_000;
const WAITING_MAX = 100_000;
/** A file that has become full is put aside between two batches. */
const BATCH_MAX_BYTES = 1_048_576;
const PRIVATE_FILE_MODE = 0o600;
const NEWLINE = 0x0a;

export type EventLogOptions<T> = Readonly<{
  /** The newest file; the one before it lies beside it as `PATH.1`. Its folder must exist. */
  path: string;
  /** Checks a record read back; null for one this version does not know. */
  parse: (value: unknown) => T | null;
  /** A file that would grow beyond this is put aside first; 20 MiB unless told. */
  maxBytes?: number;
  /** How long a record may wait for others to be written with; 20 ms unless told. */
  flushMs?: number;
  /** How soon records that could not be written are tried again; 1 s unless told. */
  retryMs?: number;
  /** Records that may wait for the disk, the oldest are given up first; 100,000 unless told. */
  maxWaiting?: number;
  /** Called with records that stand in the file now. */
  onWritten?: (records: readonly T[]) => void;
  /** Called once with what the system said when records cannot be written; they are kept, and tried again until they can. */
  onFault?: (error: unknown) => void;
  /** Called with records that are given up: no file holds them, and none ever will. */
  onLost?: (records: readonly T[]) => void;
  /** Called when they have been written after all, with how many had to be given up meanwhile. */
  onRecovered?: (lost: number) => void;
}>;

/** All records on disk, oldest first. */
export type LogContent<T> = Readonly<{
  records: readonly T[];
  /** Lines that are no record: torn by a crash, or of another version. */
  skippedLines: number;
  /** New paths of files that were moved aside: no line of theirs could be read, or they were far too long. */
  quarantined: readonly string[];
}>;

/** An append-only file of records, one JSON line each. */
export type EventLog<T> = Readonly<{
  /** Takes a record; returns at once, and never throws for the disk's sake. */
  append(record: T): void;
  /** Resolves when every record so far is on the disk itself, or with why it is not. */
  flush(): Promise<Outcome>;
  /** Reads everything back, what is still waiting included. */
  readAll(): Promise<LogContent<T>>;
  /** Deletes everything that was taken in before, and begins anew with this record. @throws what the system says. */
  restart(first: T): Promise<void>;
  /** Flushes and closes; records appended later are dropped. */
  close(): Promise<void>;
}>;

/** Opens the log; its file is created, 0600, with the first record. Only one process may write it: the core. */
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
  // One thing at a time: writes keep their order, and nobody reads a file that is being put aside.
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
  /** @returns why nothing could be written; null when all is. */
  const write = async (): Promise<string | null> => {
    clearTimeout(timer);
    timer = undefined;
    // What is told since belongs to the new file.
    while (waiting.length > 0 && !isRestarting) {
      const { text, count } = batchOf(waiting, Math.min(maxBytes, BATCH_MAX_BYTES));
      const batch = waiting.splice(0, count);
      try {
        await file.append(text);
      } catch (error) {
        // What is being deleted must not come back.
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

/** The first records as lines that are written at once: so many bytes at most, or one longer record. */
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

/** The file being written: opened late, put aside when full, and never continued in the middle of a torn line. */
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
      // silent: where the system refuses, a file that is too long is better than lost records
      await rename(this.#path, `${this.#path}.1`).catch(() => undefined);
      handle = await this.#open();
    }
    const whole = this.#isTorn ? Buffer.concat([Uint8Array.of(NEWLINE), bytes]) : bytes;
    // Until the write has succeeded, half of it may be what the file ends with.
    const wasTorn = this.#isTorn;
    this.#isTorn = true;
    try {
      await handle.appendFile(whole);
    } catch (error) {
      // What did get there is written again with the rest: it must not stand there twice.
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
      // Where others may not be kept out, as on some network drives, it is written all the same.
      // silent: some file systems have no modes
      await handle.chmod(PRIVATE_FILE_MODE).catch(() => undefined);
      const { size } = await handle.stat();
      this.#isTorn = await endsTorn(handle, size);
      this.#sizeBytes = size;
    } catch (error) {
      // Half known, it would be cut at the wrong place when a write fails.
      // silent: the error that led here is thrown
      await handle.close().catch(() => undefined);
      throw error;
    }
    this.#handle = handle;
    return handle;
  }
}

/** Opens our own file, also one that is closed to writing even for its owner. @throws what the system says. */
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
    // A single line may simply be torn; a file of nothing but rubbish is not ours to append to.
    const isRubbish = isEmpty && text.includes('\n') && lines.length > 0;
    const mustMove = isRubbish || isOther || sizeBytes > READ_MAX_BYTES;
    const aside = mustMove ? await moveAside(path, isEmpty ? '' : text) : null;
    if (aside !== null) content.quarantined.push(aside);
  }
  return content;
}

/** Moves a file aside and puts its readable part in its place. @returns the new path; null where the file had to stay. */
async function moveAside(path: string, readable: string): Promise<string | null> {
  const aside = await quarantine(path);
  if (aside === null || readable === '' || (await writeFileAtomic(path, readable)).ok) return aside;
  return rename(aside, path).then(
    () => null,
    // silent: the caller reports where the file is
    () => aside,
  );
}

function parseRecord<T>(line: string, parse: (value: unknown) => T | null): T | null {
  const value = parseJson(line);
  return value === undefined ? null : parse(value);
}
