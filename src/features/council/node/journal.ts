import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod';
import { runFolder } from '../../../node/base/council-runs';
import { open } from '../../../node/base/disk';
import { statOrNull } from '../../../node/base/look';
import { isFileOrNothing, readIfThere } from '../../../node/base/read-log';
import { linesIn, wholeLines } from '../../../node/base/whole-lines';
import type { Journal } from '../core/runner';
import { councilStep } from '../rules/run/step';
import { JournalLine } from '../rules/state/schema';
import { type CouncilState, initialCouncil } from '../rules/state/state';

export const PRIVATE_FILE_MODE = 0o600;
/** What stands in a journal when a player takes its run, and in each line of that player. */
const Numbered = z.object({ player: z.int().positive() });
const Stored = z.union([JournalLine, Numbered]);
export const LOST = 'another process plays it now';

export const journalPath = (home: string, run: string): string => join(runFolder(home, run), 'journal.jsonl');

/** A journal that is open. */
type OpenJournal = Journal &
  Readonly<{
    /** @throws Error if a player with a higher number has taken the run. */
    check(): Promise<void>;
    close(): Promise<void>;
  }>;

/**
 * Opens a journal, to be written at its end. @throws what the system says.
 *
 * @param player the number of who plays it: nothing is written after the line of a higher one. Null for its first line.
 */
export async function openJournal(home: string, run: string, player: number | null = null): Promise<OpenJournal> {
  const path = journalPath(home, run);
  const file = await open(path, 'a', PRIVATE_FILE_MODE);
  const sizeNow = async (): Promise<number> => (await file.stat()).size;
  /** As far as it is known whose lines they are, in bytes: none of those that were there before. */
  let size = 0;
  const write = async (text: string): Promise<void> => {
    await file.appendFile(text);
    size += Buffer.byteLength(text);
  };
  // A process that was killed may have left half a line.
  if ((await sizeNow()) > 0) await write('\n');
  const check = async (): Promise<void> => {
    const now = player === null ? size : await sizeNow();
    if (player === null || now === size) return;
    if (lastPlayerIn(await readIfThere(path)) > player) throw new Error(LOST);
    size = now;
  };
  return {
    check,
    async append(line) {
      await check();
      await write(`${JSON.stringify(player === null ? line : { ...line, player })}\n`);
    },
    // silent: each line is on the disk before it is acknowledged
    close: () => file.close().catch(() => undefined),
  };
}

const lastPlayerIn = (text: string): number =>
  linesIn(text, Numbered).reduce((last, { player }) => Math.max(last, player), 0);

/** Notes in the journal of a run that has begun that a player takes it. @returns its number, one more than that of the last. */
export async function numberPlayer(home: string, run: string): Promise<number> {
  const path = journalPath(home, run);
  const text = await readIfThere(path);
  const player = lastPlayerIn(text) + 1;
  if (text === '') return player;
  const file = await open(path, 'a', PRIVATE_FILE_MODE);
  try {
    await file.appendFile(`\n${JSON.stringify({ v: 1, at: Date.now(), player })}\n`);
  } finally {
    await file.close();
  }
  return player;
}

/**
 * Reads whole lines of a journal, in their order. Lines that are none are left out, and so are those of a player from which the run
 * had been taken.
 */
export function journalLines(): (text: string) => readonly JournalLine[] {
  let highest = 0;
  return (text) =>
    linesIn(text, Stored).flatMap((line) => {
      const { player = highest } = line;
      if (player < highest) return [];
      highest = player;
      return 'event' in line ? [line as JournalLine] : [];
    });
}

/** What a run has heard so far; the last line may be torn. Other work has its turn between two lines. */
export async function readJournal(home: string, run: string): Promise<readonly JournalLine[]> {
  const linesOf = journalLines();
  const lines: JournalLine[] = [];
  for (const text of (await readIfThere(journalPath(home, run))).split('\n')) {
    lines.push(...linesOf(text));
    await turn();
  }
  return lines;
}

/** A run as its journal leads to it. Other work has its turn between two lines. */
export async function playedState(lines: readonly JournalLine[]): Promise<CouncilState> {
  let state = initialCouncil;
  for (const { event, at } of lines) {
    state = councilStep(state, event, at).state;
    await turn();
  }
  return state;
}

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

const sizeOf = async (path: string): Promise<number> => (await statOrNull(path))?.size ?? 0;
