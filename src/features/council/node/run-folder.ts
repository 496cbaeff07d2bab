import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from '../../../node/base/atomic-file';
import { councilFolder, isRunName, RUN_VARIABLE, runFolder, runsIn } from '../../../node/base/council-runs';
import { mkdir, open, rm, writeFile } from '../../../node/base/disk';
import { failureText, type Outcome } from '../../../node/base/failure';
import { takeLock } from '../../../node/base/file-lock';
import { isAlive } from '../../../node/base/is-alive';
import { discard, statOrNull } from '../../../node/base/look';
import { ensurePrivateFolder, readPrivateJson } from '../../../node/base/private-folder';
import { LOCK } from '../../../node/base/shared-file';
import { ensureStateHome } from '../../../node/base/state-home';
import { linesIn } from '../../../node/base/whole-lines';
import { PersonWord } from '../rules/state/schema';
import { journalPath, numberPlayer, PRIVATE_FILE_MODE } from './journal';
import { followLines, openLines } from './line-reader';

export const STARTER_VARIABLE = 'UNDERSTUDY_COUNCIL_BY';
const INBOX = 'inbox.jsonl';
const PLACE = 'place.json';
const PLAYER = 'player.json';
/** No name of these folders is a prefix of another. */
const REPO = 'repo';
const EMPTY = 'place';
const CLONE = 'clone';
const KNOWLEDGE = 'knowledge';
const SMALL_BYTES = 65_536;

/** Stays on this machine, because it names folders. */
export const Place = z.object({
  v: z.literal(1),
  run: z.string(),
  /** The project of a run started in OpenCode, otherwise an empty folder. */
  directory: z.string(),
  repo: z.string().nullable(),
  /** As entered; an address has no login. */
  source: z.string().nullable(),
  isOwn: z.boolean(),
  generation: z.int().positive().optional(),
  /** Session that started the run; null outside OpenCode. */
  askedIn: z.string().nullable(),
  hasMetrics: z.boolean().optional(),
  createdAt: z.number(),
});
export type Place = z.infer<typeof Place>;

export const Player = z.object({
  v: z.literal(1),
  pid: z.int().positive(),
  at: z.number(),
  number: z.int().positive().optional(),
});

export const copyFolder = (home: string, run: string): string => join(runFolder(home, run), REPO);
export const knowledgeFolder = (home: string, run: string): string => join(runFolder(home, run), KNOWLEDGE);
export const emptyFolder = (home: string, run: string): string => join(runFolder(home, run), EMPTY);
export const cloneFolder = (home: string, run: string): string => join(runFolder(home, run), CLONE);
export { councilFolder, isRunName, RUN_VARIABLE, runFolder, runsIn };

/** @param chance uniform in [0, 1). */
export function nameRun(now: Date, chance: number): string {
  const [day = '', time = ''] = now.toISOString().replace(/\..*$/, '').replaceAll(/[-:]/g, '').split('T');
  return `r${day}-${time}-${Math.floor(chance * 36 ** 4)
    .toString(36)
    .padStart(4, '0')}`;
}

export async function createRun(home: string, place: Place): Promise<Outcome> {
  for (const made of [await ensureStateHome(home), await ensurePrivateFolder(councilFolder(home))])
    if (!made.ok) return made;
  const folder = await ensurePrivateFolder(runFolder(home, place.run));
  if (!folder.ok) return folder;
  if (place.isOwn) await makeEmpty(place.directory);
  return await writeFileAtomic(join(runFolder(home, place.run), PLACE), JSON.stringify(place));
}

/** Creates an empty repository: OpenCode searches plugins and settings in all folders up to such a root. */
export async function makeEmpty(folder: string): Promise<void> {
  for (const path of ['', '.git/objects', '.git/refs/heads'])
    await mkdir(join(folder, path), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(folder, '.git', 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
}

/** Other generations do not have the sessions. */
export async function noteGeneration(home: string, place: Place, generation: number): Promise<void> {
  if (place.generation !== undefined) return;
  await writeFileAtomic(join(runFolder(home, place.run), PLACE), JSON.stringify({ ...place, generation }));
}

export const placeOfRun = (home: string, run: string): Promise<Place | null> =>
  isRunName(run) ? readPrivateJson(join(runFolder(home, run), PLACE), SMALL_BYTES, Place) : Promise.resolve(null);

export async function sendWord(home: string, run: string, word: PersonWord): Promise<Outcome> {
  try {
    const file = await open(join(runFolder(home, run), INBOX), 'a', PRIVATE_FILE_MODE);
    try {
      // The file may end with an unfinished line.
      await file.appendFile(`\n${JSON.stringify(word)}\n`);
    } finally {
      await file.close();
    }
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

/**
 * Includes messages sent without a player.
 * @param skipped messages handled before.
 * @returns a function that ends it.
 */
export function hearWords(home: string, run: string, skipped: number, handle: (word: PersonWord) => void): () => void {
  const path = join(runFolder(home, run), INBOX);
  let left = skipped;
  const restart = (): void => {
    left = 0;
  };
  const following = followLines(
    path,
    openLines(path, () => (line) => linesIn(line, PersonWord)),
    {
      restart,
      handle(word) {
        if (left > 0) left--;
        else handle(word);
      },
    },
  );
  return following.end;
}

/** Heartbeat, in ms. */
const ALIVE_EVERY_MS = 5_000;
/** Age of a dead player's heartbeat, in ms, even if its process ID exists. Allows for a busy machine. */
const GONE_AFTER_MS = 30_000;

export type Taken = Readonly<{
  number: number;
  release(): Promise<void>;
  handOver(): void;
}>;

/**
 * Refused if any process has the run, including this one.
 * @param from process that may hand it over: the one that started this process.
 */
export async function takeRun(home: string, run: string, from?: number): Promise<Outcome<Taken>> {
  const path = join(runFolder(home, run), PLAYER);
  let number = 0;
  const noted = (): Promise<z.infer<typeof Player> | null> => readPrivateJson(path, SMALL_BYTES, Player);
  const write = () => writeFileAtomic(path, JSON.stringify({ v: 1, pid: process.pid, at: Date.now(), number }));
  const isOurs = async (): Promise<boolean> => {
    const player = await noted();
    return player?.pid === process.pid && (player.number ?? number) === number;
  };
  const unlock = await takeLock(path, LOCK);
  try {
    const other = await playerOf(home, run);
    if (other !== null && other.pid !== from)
      return { ok: false, reason: `Run ${run} is running in process ${other.pid}.` };
    number = await numberPlayer(home, run);
    const written = await write();
    if (!written.ok) return written;
  } finally {
    await unlock();
  }
  let writing: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // A suspended process must not overwrite a newer player.
    writing = writing.then(async () => ((await isOurs()) ? write() : clearInterval(timer)));
  }, ALIVE_EVERY_MS);
  timer.unref();
  const handOver = (): void => clearInterval(timer);
  return {
    ok: true,
    number,
    handOver,
    async release() {
      handOver();
      // A later write would create the file again.
      await writing;
      if (await isOurs()) await rm(path, { force: true });
    },
  };
}

export async function playerOf(home: string, run: string): Promise<z.infer<typeof Player> | null> {
  const player = await readPrivateJson(join(runFolder(home, run), PLAYER), SMALL_BYTES, Player);
  const isNow = player !== null && isAlive(player.pid) && Date.now() - player.at < GONE_AFTER_MS;
  return isNow ? player : null;
}

export const isPlayed = async (home: string, run: string): Promise<boolean> => (await playerOf(home, run)) !== null;

/** A git that was just ended may still create a file. */
const RETRIES = 10;

export async function removeRun(home: string, run: string): Promise<Outcome> {
  if (!isRunName(run)) return { ok: false, reason: `There is no run ${run}.` };
  try {
    await rm(runFolder(home, run), { recursive: true, force: true, maxRetries: RETRIES });
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

export async function removeCopy(home: string, run: string): Promise<Outcome> {
  if (!isRunName(run)) return { ok: false, reason: `There is no run ${run}.` };
  try {
    for (const folder of [copyFolder(home, run), emptyFolder(home, run), cloneFolder(home, run)])
      await rm(folder, { recursive: true, force: true, maxRetries: RETRIES });
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

/** After the last event, in ms. Source: docs/council.md. */
export const KEPT_MS = 30 * 86_400_000;

/**
 * Retries failures at the next call.
 * @param now Unix ms.
 */
export async function removeOldRuns(home: string, now = Date.now()): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const run of await runsIn(home)) {
    await removeUnfetched(home, run);
    const heardAt = await lastHeardAt(home, run);
    if (heardAt === null || now - heardAt < KEPT_MS || (await isPlayed(home, run))) continue;
    const removed = await removeRun(home, run);
    if (removed.ok) gone.push(run);
  }
  return gone;
}

/** A process was killed during a fetch. */
async function removeUnfetched(home: string, run: string): Promise<void> {
  const isLeft = (await statOrNull(cloneFolder(home, run))) !== null;
  if (!isLeft || (await isPlayed(home, run))) return;
  const isBegun = (await statOrNull(journalPath(home, run))) !== null;
  if (isBegun) await discard(cloneFolder(home, run), { recursive: true });
  else await removeRun(home, run);
}

/** Unix ms of the last event, or of the creation. */
async function lastHeardAt(home: string, run: string): Promise<number | null> {
  for (const path of [journalPath(home, run), runFolder(home, run)]) {
    const info = await statOrNull(path);
    if (info !== null) return info.mtimeMs;
  }
  return null;
}
