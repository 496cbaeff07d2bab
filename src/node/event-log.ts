import type { FileHandle } from 'node:fs/promises';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { failureCode } from './failure';
import { quarantine } from './quarantine';

const MAX_LOG_BYTES = 20 * 1_048_576;
const FLUSH_MS = 20;
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
  /** Called with what the system said when records could not be written; they are lost, and the next are tried again. */
  onFault?: (error: unknown) => void;
}>;

/** All records on disk, oldest first. */
export type LogContent<T> = Readonly<{
  records: readonly T[];
  /** Lines that are no record: torn by a crash, or of another version. */
  skippedLines: number;
  /** Files none of whose lines could be read, moved aside to these paths. */
  quarantined: readonly string[];
}>;

/** An append-only file of records, one JSON line each. */
export type EventLog<T> = Readonly<{
  /** Takes a record; returns at once, and never throws for the disk's sake. */
  append(record: T): void;
  /** Resolves when every record so far is on the disk itself. */
  flush(): Promise<void>;
  /** Reads everything back, what is still waiting included. */
  readAll(): Promise<LogContent<T>>;
  /** Deletes everything that was taken in before, and begins anew with this record. @throws what the system says. */
  restart(first: T): Promise<void>;
  /** Flushes and closes; records appended later are dropped. */
  close(): Promise<void>;
}>;

/** Opens the log; its file is created, 0600, with the first record. Only one process may write it: the core. */
export function openEventLog<T>(options: EventLogOptions<T>): EventLog<T> {
  const file = new LogFile(options.path, options.maxBytes ?? MAX_LOG_BYTES);
  let waiting: T[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isRestarting = false;
  // One thing at a time: writes keep their order, and nobody reads a file that is being put aside.
  let work: Promise<unknown> = Promise.resolve();

  const enqueue = <R>(job: () => Promise<R>): Promise<R> => {
    const result = work.then(job);
    work = result.catch(() => undefined);
    return result;
  };
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    // What is told since belongs to the new file.
    if (isRestarting) return;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      await file.append(batch.map((record) => `${JSON.stringify(record)}\n`).join(''));
    } catch (error) {
      options.onFault?.(error);
    }
  };
  const flush = () =>
    enqueue(async () => {
      await write();
      await file.sync().catch((error: unknown) => options.onFault?.(error));
    });
  return {
    append: (record) => {
      if (isClosed) return;
      waiting.push(record);
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
      // Where the system refuses, a file that is too long is better than lost records.
      await rename(this.#path, `${this.#path}.1`).catch(() => undefined);
      handle = await this.#open();
    }
    const whole = this.#isTorn ? Buffer.concat([Uint8Array.of(NEWLINE), bytes]) : bytes;
    // Until the write has succeeded, half of it may be what the file ends with.
    this.#isTorn = true;
    await handle.appendFile(whole);
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
    const handle = await open(this.#path, 'a+', PRIVATE_FILE_MODE);
    this.#handle = handle;
    await handle.chmod(PRIVATE_FILE_MODE);
    this.#sizeBytes = (await handle.stat()).size;
    const last = Buffer.alloc(1);
    if (this.#sizeBytes > 0) await handle.read(last, 0, 1, this.#sizeBytes - 1);
    this.#isTorn = this.#sizeBytes > 0 && last[0] !== NEWLINE;
    return handle;
  }
}

async function readLog<T>(options: EventLogOptions<T>): Promise<LogContent<T>> {
  const records: T[] = [];
  const quarantined: string[] = [];
  let skippedLines = 0;
  for (const path of [`${options.path}.1`, options.path]) {
    const text = await readIfThere(path);
    const lines = text.split('\n').filter((line) => line !== '');
    const read = lines.map((line) => parseRecord(line, options.parse)).filter((record) => record !== null);
    records.push(...read);
    skippedLines += lines.length - read.length;
    // A single line may simply be torn; a file of nothing but rubbish is not ours to append to.
    const isRubbish = read.length === 0 && text.includes('\n') && lines.length > 0;
    const aside = isRubbish ? await quarantine(path) : null;
    if (aside !== null) quarantined.push(aside);
  }
  return { records, skippedLines, quarantined };
}

function parseRecord<T>(line: string, parse: (value: unknown) => T | null): T | null {
  try {
    return parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** The text of a file; empty when there is none. @throws what else the system says. */
export async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return '';
    throw error;
  }
}
