import { constants, type Dirent } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { copyFile, mkdir, rm } from '../../../node/base/disk';
import { failureText, type Outcome } from '../../../node/base/failure';
import { lstatOrNull } from '../../../node/base/look';
import { readIfThere } from '../../../node/base/read-log';
import { plainLine } from '../rules/base/text';
import { type IgnoreRule, readRules, speaksOf, type Work } from './ignore-rules';
import { holdsSecret, isSecretFile, SEARCHED_MAX_BYTES } from './secrets';

/** What a repository may hold for a council. Source: docs/council.md. */
const BYTES_MAX = 500 * 1_048_576;
export const FILES_MAX = 50_000;
/** Nobody reviews what is larger, in bytes. */
const FILE_MAX_BYTES = 2 * 1_048_576;
/** Folders within one another. */
const DEPTH_MAX = 100;
const FOLDER_MODE = 0o700;
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__']);
const IGNORE_FILE = '.gitignore';
/** Of one `.gitignore`, in bytes, and of the rules in all of them, in characters. */
const IGNORE_FILE_MAX_BYTES = 262_144;
const RULES_MAX_CHARS = 1_048_576;
/** Comparisons with rules until somebody else has a turn: some ms. */
const STEPS_AT_ONCE = 250_000;
/** Characters that are searched for secrets until somebody else has a turn: some ms. */
const SEARCHED_AT_ONCE = 65_536;
/** Entries until somebody else has a turn. */
const ENTRIES_AT_ONCE = 500;

/** What a copy came to; `leftOut` counts links, secrets and large files, `secrets` names those that may hold secrets. */
export type Copied = Readonly<{ files: readonly string[]; bytes: number; leftOut: number; secrets: readonly string[] }>;

/** Files and as many folders that a copy has at most, and comparisons with rules before it is refused. */
export type CopyLimits = Readonly<{ files: number; steps: number }>;

export type Copying = Readonly<{
  /** Ends it. */
  signal?: AbortSignal | undefined;
  copyLimits?: CopyLimits | undefined;
}>;

/** So many comparisons take some seconds. */
const LIMITS: CopyLimits = { files: FILES_MAX, steps: 500_000_000 };

/** A folder that is still to be copied, below the repository, with what files above and in it say is to be left out. */
type Folder = Readonly<{ path: string; depth: number; rules: readonly Rules[] }>;
/** What one `.gitignore` says of everything below its folder, which lies so far below the topmost that has one. */
type Rules = Readonly<{ depth: number; rules: readonly IgnoreRule[] }>;

/**
 * Copies what is to be reviewed into a folder of ours: plain files alone, so that no link leads out of it, no hook or setting of its version
 * control is there to be run, and nothing that holds secrets by its name or its text, or that its version control ignores. What is reviewed does not change
 * under the reviewers either. Nothing of it is run for that, its version control included. Where it cannot be told what is ignored, nothing
 * is copied; others have their turns meanwhile, whatever lies there.
 */
export async function copyRepository(
  from: string,
  to: string,
  { signal, copyLimits = LIMITS }: Copying = {},
): Promise<Outcome<Copied>> {
  try {
    return await copied(await realpath(from), to, newPace(signal, copyLimits));
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

async function copied(from: string, to: string, pace: Pace): Promise<Outcome<Copied>> {
  const files: string[] = [];
  let bytes = 0;
  let leftOut = 0;
  const secrets: string[] = [];
  const { above, rules: rulesAbove } = await saidAbove(from, pace);
  if (await isWithinIgnored(above, rulesAbove, pace)) return { ok: true, files, bytes, leftOut, secrets };
  let found = 1;
  const folders: Folder[] = [{ path: '', depth: 0, rules: rulesAbove }];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    await mkdir(join(to, folder.path), { recursive: true, mode: FOLDER_MODE });
    const inner = [...above, ...(folder.path === '' ? [] : folder.path.toLowerCase().split('/'))];
    const rules = await withRulesIn(
      { folder: join(from, folder.path), depth: inner.length, shown: join(folder.path, IGNORE_FILE) },
      folder.rules,
      pace,
    );
    for (const entry of await entriesIn(join(from, folder.path))) {
      await pace.entry();
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      // A home that lies in the repository would be copied into itself.
      if (LEFT_OUT.has(entry.name) || isAround(join(from, path), to)) continue;
      if (await isIgnored([...inner, entry.name.toLowerCase()], entry.isDirectory(), rules, pace)) continue;
      if (entry.isDirectory()) {
        if (folder.depth >= DEPTH_MAX) return { ok: false, reason: TOO_DEEP };
        if (++found > pace.limits.files) return { ok: false, reason: tooLarge(pace.limits) };
        folders.push({ path, depth: folder.depth + 1, rules });
        continue;
      }
      const size = await sizeToCopy(join(from, path));
      const isSecret = size !== null && isSecretFile(path);
      if (files.length >= pace.limits.files || bytes + (size ?? 0) > BYTES_MAX)
        return { ok: false, reason: tooLarge(pace.limits) };
      // What cannot be read, or is gone meanwhile, costs nobody the rest.
      const isThere = size !== null && !isSecret && (await isCopied(join(from, path), join(to, path)));
      const isFound = isThere && (await holdsSecretAt(join(to, path), size, pace));
      if (isFound) await rm(join(to, path));
      if (isSecret || isFound) secrets.push(path);
      if (!isThere || isFound) {
        leftOut++;
        continue;
      }
      bytes += size;
      files.push(path);
    }
  }
  return { ok: true, files, bytes, leftOut, secrets };
}

/** How much has been looked at, so that others have their turns, and there is an end to it. */
type Pace = Readonly<{
  limits: CopyLimits;
  work: Work;
  /** Before each entry, and after each rule that may have taken long. @throws Error that says why it goes no further. */
  entry(): Promise<void>;
  /** Before so many characters are searched. @throws the same. */
  search(characters: number): Promise<void>;
  rule(): Promise<void> | null;
  /** Takes up the rules of a file. @throws Error where they are too many with those before. */
  take(characters: number): void;
}>;

function newPace(signal: AbortSignal | undefined, limits: CopyLimits): Pace {
  const work: Work = { steps: 0 };
  let [entries, seenSteps, characters, searched] = [0, 0, 0, 0];
  const pause = async (): Promise<void> => {
    seenSteps = work.steps;
    if (work.steps > limits.steps) throw new Error(TOO_MUCH_TO_COMPARE);
    await turn();
    if (signal?.aborted) throw new Error(STOPPED);
  };
  return {
    limits,
    work,
    entry: async () => {
      if (signal?.aborted) throw new Error(STOPPED);
      if (++entries % ENTRIES_AT_ONCE === 0) await pause();
    },
    search: async (count) => {
      searched += count;
      if (searched < SEARCHED_AT_ONCE) return;
      searched = 0;
      await pause();
    },
    rule: () => (work.steps - seenSteps > STEPS_AT_ONCE ? pause() : null),
    take: (count) => {
      characters += count;
      if (characters > RULES_MAX_CHARS) throw new Error(TOO_MUCH_TO_COMPARE);
    },
  };
}

const STOPPED = 'The copy was stopped. Nothing was begun.';
const TOO_MUCH_TO_COMPARE = `Its ${IGNORE_FILE} files have more rules than can be looked at, so what is ignored might be read: name a folder of it.`;
const TOO_DEEP = `It has more than ${DEPTH_MAX} folders within one another, which is too deep for a council: name a folder of it.`;

const entriesIn = async (folder: string): Promise<readonly Dirent[]> =>
  // silent: a folder that is closed to us is copied as an empty one
  (await readdir(folder, { withFileTypes: true }).catch(() => [])).toSorted(byName);

/** How large a file is that may be copied, in bytes; null for every other one. */
async function sizeToCopy(path: string): Promise<number | null> {
  const info = await lstatOrNull(path);
  return info?.isFile() && info.size <= FILE_MAX_BYTES ? info.size : null;
}

/** True if a copy has a secret in its text, or cannot be read. Larger files are not searched. */
async function holdsSecretAt(path: string, size: number, pace: Pace): Promise<boolean> {
  if (size > SEARCHED_MAX_BYTES) return false;
  // silent: a file that cannot be searched counts as one with a secret
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return true;
  await pace.search(text.length);
  return holdsSecret(text);
}

const isCopied = (from: string, to: string): Promise<boolean> =>
  copyFile(from, to, constants.COPYFILE_FICLONE).then(
    () => true,
    // silent: the caller lists the file as left out
    () => false,
  );

const tooLarge = ({ files }: CopyLimits): string =>
  `It is too large for a council, which reads at most ${files} files, as many folders and ${BYTES_MAX / 1_048_576} MB.`;

const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1);

/**
 * Adds what the file of a folder says.
 *
 * @param place the folder, and how many names it lies below the topmost that has rules; `shown` is what the file is called to people.
 * @throws Error that says why it cannot be looked at.
 */
async function withRulesIn(
  place: Readonly<{ folder: string; depth: number; shown: string }>,
  rules: readonly Rules[],
  pace: Pace,
): Promise<readonly Rules[]> {
  const file = join(place.folder, IGNORE_FILE);
  const info = await lstatOrNull(file);
  if (!info?.isFile()) return rules;
  if (info.size > IGNORE_FILE_MAX_BYTES) throw new Error(unreadable(place.shown, TOO_LONG));
  const read = readRules(await readIfThere(file));
  if ('problem' in read) throw new Error(unreadable(place.shown, read.problem));
  if (read.rules.length === 0) return rules;
  pace.take(read.characters);
  return [...rules, { depth: place.depth, rules: read.rules }];
}

const TOO_LONG = `it is larger than ${IGNORE_FILE_MAX_BYTES / 1_024} KB`;

/** What is ignored might be read, were such a file left aside. */
const unreadable = (file: string, problem: string): string =>
  `${plainLine(file)} has rules that cannot be looked at: ${problem}. Make it shorter, or name a folder without it.`;

/** What is said above a folder that lies in a repository: a part of it is reviewed as the whole would be. */
async function saidAbove(
  folder: string,
  pace: Pace,
): Promise<Readonly<{ above: readonly string[]; rules: readonly Rules[] }>> {
  const above: string[] = [];
  for (let here = folder; ; here = dirname(here)) {
    if ((await lstatOrNull(join(here, '.git'))) !== null) break;
    const parent = dirname(here);
    if (parent === here) return { above: [], rules: [] };
    above.unshift(parent);
  }
  let rules: readonly Rules[] = [];
  for (const [depth, each] of above.entries()) {
    rules = await withRulesIn({ folder: each, depth, shown: join(each, IGNORE_FILE) }, rules, pace);
  }
  const names = relative(above[0] ?? folder, folder).toLowerCase();
  return { above: names === '' ? [] : names.split(sep), rules };
}

/** Whether a folder, by its names from the topmost that has rules on, is ignored itself or lies in one that is. */
async function isWithinIgnored(names: readonly string[], rules: readonly Rules[], pace: Pace): Promise<boolean> {
  for (let depth = 1; depth <= names.length; depth++)
    if (await isIgnored(names.slice(0, depth), true, rules, pace)) return true;
  return false;
}

/** Whether one of the files says so of a path; in each of them the last rule that speaks of it counts. */
async function isIgnored(
  names: readonly string[],
  isFolder: boolean,
  all: readonly Rules[],
  pace: Pace,
): Promise<boolean> {
  for (const { depth, rules } of all) {
    // What is said in a folder is not said of it, or of those above.
    if (depth >= names.length) continue;
    const seen = depth === 0 ? names : names.slice(depth);
    for (let at = rules.length - 1; at >= 0; at--) {
      const rule = rules[at] as IgnoreRule;
      const isSaid = speaksOf(rule, seen, isFolder, pace.work);
      const pause = pace.rule();
      if (pause !== null) await pause;
      if (!isSaid) continue;
      if (!rule.isNegative) return true;
      break;
    }
  }
  return false;
}

const isAround = (folder: string, inner: string): boolean => `${inner}${sep}`.startsWith(`${folder}${sep}`);

/** Names shown of a folder, and endings counted. */
const SHOWN_MAX = 60;
const ENDINGS_MAX = 12;

/** What stands in a repository, in words for the Oracle: what lies at its top, and how many files of which ending. */
export function overviewOf(files: readonly string[]): string {
  const top = new Map<string, number>();
  const endings = new Map<string, number>();
  for (const path of files) {
    const [first = '', ...rest] = path.split('/');
    const name = rest.length > 0 ? `${first}/` : first;
    top.set(name, (top.get(name) ?? 0) + 1);
    const ending = /\.[A-Za-z0-9]{1,8}$/.exec(path)?.[0]?.toLowerCase() ?? 'others';
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
  }
  const counted = [...endings].toSorted(([, one], [, other]) => other - one).slice(0, ENDINGS_MAX);
  return [
    `${files.length} files: ${counted.map(([ending, count]) => `${count} ${ending}`).join(', ')}`,
    ...[...top].slice(0, SHOWN_MAX).map(([name, count]) => (name.endsWith('/') ? `${name} (${count})` : name)),
  ].join('\n');
}
