import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod';
import { runFolder } from '../../../node/base/council-runs';
import { open } from '../../../node/base/disk';
import { linesIn } from '../../../node/base/whole-lines';
import type { Journal } from '../core/runner';
import { councilStep } from '../rules/run/step';
import { JournalLine } from '../rules/state/schema';
import { type CouncilState, initialCouncil } from '../rules/state/state';
import { type Following, followLines, type LineReader, MAX_BYTES, openLines, sizeOf } from './line-reader';

export const PRIVATE_FILE_MODE = 0o600;
const Numbered = z.object({ player: z.int().positive() });
const Stored = z.union([JournalLine, Numbered]);
export const LOST = 'another process runs it now';

export const journalPath = (home: string, run: string): string => join(runFolder(home, run), 'journal.jsonl');

type OpenJournal = Journal &
  Readonly<{
    /** @throws Error if a newer player has taken the run. */
    check(): Promise<void>;
    close(): Promise<void>;
  }>;

/**
 * @throws the system's error.
 * @param player number of the writer, which stops after a line of a higher number; null for the first line.
 */
export async function openJournal(home: string, run: string, player: number | null = null): Promise<OpenJournal> {
  const path = journalPath(home, run);
  const file = await open(path, 'a', PRIVATE_FILE_MODE);
  const sizeNow = async (): Promise<number> => (await file.stat()).size;
  let size = 0;
  const write = async (text: string): Promise<void> => {
    await file.appendFile(text);
    size += Buffer.byteLength(text);
  };
  // A killed process may have left an unfinished line.
  if ((await sizeNow()) > 0) await write('\n');
  const players = openPlayers(path);
  let highest = 0;
  const check = async (): Promise<void> => {
    const now = player === null ? size : await sizeNow();
    if (player === null || now === size) return;
    highest = Math.max(highest, await lastPlayerOf(players));
    if (highest > player) throw new Error(LOST);
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

const openPlayers = (path: string): LineReader<number> =>
  openLines(path, () => (line) => linesIn(line, Numbered).map(({ player }) => player));

const lastPlayerOf = async (players: LineReader<number>): Promise<number> =>
  (await players.more()).values.reduce((last, player) => Math.max(last, player), 0);

/**
 * Records a new player.
 * @returns its number.
 */
export async function numberPlayer(home: string, run: string): Promise<number> {
  const path = journalPath(home, run);
  if ((await sizeOf(path)) === 0) return 1;
  const file = await open(path, 'a', PRIVATE_FILE_MODE);
  try {
    // Ends a killed process's line, so that the new number counts.
    await file.appendFile('\n');
    const player = (await lastPlayerOf(openPlayers(path))) + 1;
    await file.appendFile(`${JSON.stringify({ v: 1, at: Date.now(), player })}\n`);
    return player;
  } finally {
    await file.close();
  }
}

/** Skips invalid lines and those of replaced players. */
function newParser(): (line: string) => readonly JournalLine[] {
  let highest = 0;
  return (text) =>
    linesIn(text, Stored).flatMap((line) => {
      const { player = highest } = line;
      if (player < highest) return [];
      highest = player;
      return 'event' in line ? [line as JournalLine] : [];
    });
}

export const journalReader = (home: string, run: string): LineReader<JournalLine> =>
  openLines(journalPath(home, run), newParser);

export const followJournal = (
  home: string,
  run: string,
  on: Readonly<{ handle(line: JournalLine): void; restart(): void }>,
): Following => followLines(journalPath(home, run), journalReader(home, run), on);

export async function readJournal(home: string, run: string): Promise<readonly JournalLine[]> {
  if ((await sizeOf(journalPath(home, run))) > MAX_BYTES) return [];
  return (await journalReader(home, run).more()).values;
}

export async function playedState(lines: readonly JournalLine[]): Promise<CouncilState> {
  let state = initialCouncil;
  for (const { event, at } of lines) {
    state = councilStep(state, event, at).state;
    await turn();
  }
  return state;
}
