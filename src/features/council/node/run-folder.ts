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

/** The process that has started it for that: without it nobody follows the run. */
export const STARTER_VARIABLE = 'UNDERSTUDY_COUNCIL_BY';
const INBOX = 'inbox.jsonl';
const PLACE = 'place.json';
const PLAYER = 'player.json';
/** The copy of what is reviewed, where OpenCode is started, and what is fetched: none is the beginning of another's name. */
const REPO = 'repo';
const EMPTY = 'place';
const CLONE = 'clone';
const KNOWLEDGE = 'knowledge';
const SMALL_BYTES = 65_536;

/** Where a run is played. It stays on this machine, unlike what the run hears: it names folders. */
export const Place = z.object({
  v: z.literal(1),
  run: z.string(),
  /** OpenCode's directory: the user's project where they have asked for it there, else an empty folder of ours. */
  directory: z.string(),
  /** The copy of what is reviewed; null where nothing is. */
  repo: z.string().nullable(),
  /** What it is a copy of, as it was named; of an address without its login. */
  source: z.string().nullable(),
  /** The OpenCode is one that was started for it. */
  isOwn: z.boolean(),
  /** The generation of OpenCode in which its participants have their sessions; absent until one has played it. */
  generation: z.int().positive().optional(),
  /** The session whose run it is; null where none has asked. */
  askedIn: z.string().nullable(),
  /** Whether the user wants figures of how speakers did. */
  hasMetrics: z.boolean().optional(),
  /** Unix ms. */
  createdAt: z.number(),
});
export type Place = z.infer<typeof Place>;

/** A process that plays a run. */
export const Player = z.object({
  v: z.literal(1),
  pid: z.int().positive(),
  at: z.number(),
  /** Of the player that has taken the run: a higher one has taken it from a lower one. */
  number: z.int().positive().optional(),
});

export const copyFolder = (home: string, run: string): string => join(runFolder(home, run), REPO);
export const knowledgeFolder = (home: string, run: string): string => join(runFolder(home, run), KNOWLEDGE);
export const emptyFolder = (home: string, run: string): string => join(runFolder(home, run), EMPTY);
/** Where a repository is fetched to; there only until it has been copied. */
export const cloneFolder = (home: string, run: string): string => join(runFolder(home, run), CLONE);
export { councilFolder, isRunName, RUN_VARIABLE, runFolder, runsIn };

/** A name for a run that begins now. @param chance uniform in [0, 1). */
export function nameRun(now: Date, chance: number): string {
  const [day = '', time = ''] = now.toISOString().replace(/\..*$/, '').replaceAll(/[-:]/g, '').split('T');
  return `r${day}-${time}-${Math.floor(chance * 36 ** 4)
    .toString(36)
    .padStart(4, '0')}`;
}

/** Makes the folder of a run, closed to everybody else. */
export async function createRun(home: string, place: Place): Promise<Outcome> {
  for (const made of [await ensureStateHome(home), await ensurePrivateFolder(councilFolder(home))])
    if (!made.ok) return made;
  const folder = await ensurePrivateFolder(runFolder(home, place.run));
  if (!folder.ok) return folder;
  if (place.isOwn) await makeEmpty(place.directory);
  return await writeFileAtomic(join(runFolder(home, place.run), PLACE), JSON.stringify(place));
}

/**
 * An empty folder that is the root of a repository: OpenCode looks for plugins and settings in every folder above the one it is started in, up
 * to such a root.
 */
export async function makeEmpty(folder: string): Promise<void> {
  for (const path of ['', '.git/objects', '.git/refs/heads'])
    await mkdir(join(folder, path), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(folder, '.git', 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
}

/** Writes down in which generation of OpenCode a run is played, once: another one has not its participants. */
export async function noteGeneration(home: string, place: Place, generation: number): Promise<void> {
  if (place.generation !== undefined) return;
  await writeFileAtomic(join(runFolder(home, place.run), PLACE), JSON.stringify({ ...place, generation }));
}

/** Where a run is played; null where there is none of that name. */
export const placeOfRun = (home: string, run: string): Promise<Place | null> =>
  isRunName(run) ? readPrivateJson(join(runFolder(home, run), PLACE), SMALL_BYTES, Place) : Promise.resolve(null);

/** Says something to a run, whoever plays it. */
export async function sendWord(home: string, run: string, word: PersonWord): Promise<Outcome> {
  try {
    const file = await open(join(runFolder(home, run), INBOX), 'a', PRIVATE_FILE_MODE);
    try {
      // What stands there may have no end of a line.
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
 * Calls back with each message to a run, also with those sent while no process played it.
 *
 * @param skipped number of messages that the run has handled before.
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

/** How often whoever plays a run says that it still does, in ms. */
const ALIVE_EVERY_MS = 5_000;
/** Who has not said so for this long has died, whoever has its process id now, in ms; a busy machine may be late. */
const GONE_AFTER_MS = 30_000;

/** A run that this process has taken. */
export type Taken = Readonly<{
  number: number;
  /** Lets go of it: nobody has it then. */
  release(): Promise<void>;
  /** Another process has taken it over. */
  handOver(): void;
}>;

/**
 * Takes a run to play it, or to see to it that it is played; refused while somebody else has it, this very process included.
 *
 * @param from the process that it may be taken over from: whoever has started this one for it.
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
      return { ok: false, reason: `Run ${run} is played by process ${other.pid}.` };
    number = await numberPlayer(home, run);
    const written = await write();
    if (!written.ok) return written;
  } finally {
    await unlock();
  }
  let writing: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // A process that was suspended must not take back what another one has taken meanwhile.
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
      // A write that ends later would bring the file back.
      await writing;
      if (await isOurs()) await rm(path, { force: true });
    },
  };
}

/** The process that plays a run now; null while nobody does. */
export async function playerOf(home: string, run: string): Promise<z.infer<typeof Player> | null> {
  const player = await readPrivateJson(join(runFolder(home, run), PLAYER), SMALL_BYTES, Player);
  const isNow = player !== null && isAlive(player.pid) && Date.now() - player.at < GONE_AFTER_MS;
  return isNow ? player : null;
}

export const isPlayed = async (home: string, run: string): Promise<boolean> => (await playerOf(home, run)) !== null;

/** A git that was just ended may still be making a file. */
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

/** Removes what a run that is over needs no more: the copy of what it looked at, and the folder its OpenCode was started in. */
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

/** How long a run is kept after it has last heard something, in ms. Source: docs/council.md. */
export const KEPT_MS = 30 * 86_400_000;

/**
 * Removes runs that nobody plays and that have heard nothing for longer than they are kept. What cannot be removed stays, and is tried again the
 * next time.
 *
 * @param now Unix ms.
 * @returns those that are gone.
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

/** Removes what a process has left that was killed while it fetched a repository: without it the run has not begun. */
async function removeUnfetched(home: string, run: string): Promise<void> {
  const isLeft = (await statOrNull(cloneFolder(home, run))) !== null;
  if (!isLeft || (await isPlayed(home, run))) return;
  const isBegun = (await statOrNull(journalPath(home, run))) !== null;
  if (isBegun) await discard(cloneFolder(home, run), { recursive: true });
  else await removeRun(home, run);
}

/** When a run has last heard something, in Unix ms; of one that never did, when it was made. Null where that is not known. */
async function lastHeardAt(home: string, run: string): Promise<number | null> {
  for (const path of [journalPath(home, run), runFolder(home, run)]) {
    const info = await statOrNull(path);
    if (info !== null) return info.mtimeMs;
  }
  return null;
}
