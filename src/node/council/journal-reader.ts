import { stat } from 'node:fs/promises';
import type { JournalLine } from '../../council/state/schema';
import { isFileOrNothing } from '../base/read-log';
import { wholeLines } from '../base/whole-lines';
import { journalLines, journalPath } from './run-folder';

/** What a journal has beyond what was read of it before; `isAnew` where that is not its own any more, and these are its first. */
export type Grown = Readonly<{ lines: readonly JournalLine[]; isAnew: boolean }>;

/** Reads a journal on from where it was left. */
export type JournalReader = Readonly<{
  /** Whole lines alone: half of one is read when it has an end. @throws what the system says, or that it is no journal. */
  more(): Promise<Grown>;
}>;

/** No run of any length comes near this, in bytes: what is longer is no journal of ours. */
const MAX_BYTES = 64 * 1_048_576;

/** A reader at the beginning of a run's journal, which need not be there yet. */
export function readJournalOn(home: string, run: string): JournalReader {
  const path = journalPath(home, run);
  let read = 0;
  let linesOf = journalLines();
  return {
    async more() {
      const size = (await isFileOrNothing(path)) ? await sizeOf(path) : 0;
      if (size > MAX_BYTES) throw new Error(`${path} is too long to be a journal`);
      const isAnew = size < read;
      if (isAnew) [read, linesOf] = [0, journalLines()];
      if (size === read) return { lines: [], isAnew };
      const text = await wholeLines(path, { from: read, size });
      read += text.length;
      return { lines: linesOf(text.toString('utf8')), isAnew };
    },
  };
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    (info) => info.size,
    () => 0,
  );
