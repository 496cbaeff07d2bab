import { dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { countAs } from '../../../core/base/internal-errors';
import { statOrNull } from '../../../node/base/look';
import { isFileOrNothing } from '../../../node/base/read-log';
import { watchFolder } from '../../../node/base/watch-folder';
import { wholeLines } from '../../../node/base/whole-lines';

/** `isAnew`: the file was truncated or replaced, and values start at its first line. */
export type Grown<T> = Readonly<{ values: readonly T[]; isAnew: boolean }>;

export type LineReader<T> = Readonly<{
  /** A partial last line waits. @throws the system's error, or Error if the file is too long. */
  more(): Promise<Grown<T>>;
}>;

export const MAX_BYTES = 64 * 1_048_576;
/** Bytes before the offset that identify the file. */
const TAIL_BYTES = 128;
const NOTHING = Buffer.alloc(0);
/** For systems that report no changes, in ms. */
const LOOK_MS = 500;

/**
 * The file may not exist yet.
 * @param newParser called again for a new file.
 */
export function openLines<T>(path: string, newParser: () => (line: string) => readonly T[]): LineReader<T> {
  let offset = 0;
  let tail: Buffer = NOTHING;
  let parse = newParser();
  return {
    async more() {
      const size = await sizeOf(path);
      if (size > MAX_BYTES) throw new Error(`${path} is too long to be a journal`);
      if (size === offset) return { values: [], isAnew: false };
      const readFrom = async (from: number): Promise<Buffer> =>
        size > from ? await wholeLines(path, { from, size }) : NOTHING;
      let bytes = await readFrom(offset - tail.length);
      const isAnew = !bytes.subarray(0, tail.length).equals(tail);
      if (isAnew) {
        [offset, tail, parse] = [0, NOTHING, newParser()];
        bytes = await readFrom(0);
      }
      const fresh = bytes.subarray(tail.length);
      offset += fresh.length;
      tail = Buffer.from(bytes.subarray(-TAIL_BYTES));
      const values: T[] = [];
      for (const line of fresh.toString('utf8').split('\n')) {
        values.push(...parse(line));
        await turn();
      }
      return { values, isAnew };
    },
  };
}

export const sizeOf = async (path: string): Promise<number> =>
  (await isFileOrNothing(path)) ? ((await statOrNull(path))?.size ?? 0) : 0;

export type Following = Readonly<{
  /** Resolves when the values have been handled. Never rejects. */
  look(): Promise<void>;
  end(): void;
}>;

/**
 * Includes past values.
 * @param restart called before the first value of a new file.
 */
export function followLines<T>(
  path: string,
  reader: LineReader<T>,
  { handle, restart }: Readonly<{ handle(value: T): void; restart(): void }>,
): Following {
  let isEnded = false;
  let looking: Promise<void> = Promise.resolve();
  const next = async (): Promise<void> => {
    if (isEnded) return;
    const { values, isAnew } = await reader.more();
    if (isAnew && !isEnded) restart();
    for (const value of values) if (!isEnded) handle(value);
  };
  const look = (): Promise<void> => {
    looking = looking.then(next).catch(countAs('council.follow'));
    return looking;
  };
  void look();
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  const watcher = watchFolder(dirname(path), () => void look());
  return {
    look,
    end() {
      isEnded = true;
      clearInterval(timer);
      watcher?.close();
    },
  };
}
