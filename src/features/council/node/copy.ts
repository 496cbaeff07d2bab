import { constants } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { copyFile, mkdir, rm } from '../../../node/base/disk';
import { failureText, type Outcome } from '../../../node/base/failure';
import { lstatOrNull } from '../../../node/base/look';
import type { Environment } from '../../../node/base/state-home';
import { listFiles, STOPPED } from './list-files';
import { holdsSecret, isSecretFile, SEARCHED_MAX_BYTES } from './secrets';

/** Source: docs/council.md. */
const BYTES_MAX = 500 * 1_048_576;
export const FILES_MAX = 50_000;
const FILE_MAX_BYTES = 2 * 1_048_576;
const DEPTH_MAX = 100;
const FOLDER_MODE = 0o700;
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__']);
const GIT = 'listing';
/** Takes some ms per piece of work. */
const SEARCHED_AT_ONCE = 65_536;
const ENTRIES_AT_ONCE = 500;

/** `leftOut` counts skipped files; `secrets` lists files that may hold secrets. */
export type Copied = Readonly<{ files: readonly string[]; bytes: number; leftOut: number; secrets: readonly string[] }>;

/** `files` also limits folders. */
export type CopyLimits = Readonly<{ files: number; listMs: number }>;

export type Copying = Readonly<{
  env?: Environment | undefined;
  signal?: AbortSignal | undefined;
  copyLimits?: CopyLimits | undefined;
}>;

const LIMITS: CopyLimits = { files: FILES_MAX, listMs: 30_000 };

/**
 * Copies a repository, so that it cannot change during a review. Skips links, which could lead out of it, version
 * control with its hooks, ignored files and secrets. Copies nothing if the ignored files are unknown.
 */
export async function copyRepository(from: string, to: string, copying: Copying = {}): Promise<Outcome<Copied>> {
  try {
    return await copied(await realpath(from), to, copying);
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

async function copied(
  from: string,
  to: string,
  { env = process.env, signal, copyLimits: limits = LIMITS }: Copying,
): Promise<Outcome<Copied>> {
  const pace = newPace(signal);
  const [folder, tooLong] = [join(dirname(to), GIT), tooLarge(limits)];
  const listed = await listFiles(from, { env, folder, skipped: LEFT_OUT, tooLong, ms: limits.listMs, signal });
  // A state home inside the repository would be copied into itself.
  const [home = ''] = relative(from, to).split(sep);
  const paths = listed.filter((path) => !path.startsWith(`${home}/`)).toSorted(byDepth);
  if (paths.some((path) => depthOf(path) > DEPTH_MAX)) return { ok: false, reason: TOO_DEEP };
  const folders = foldersOf(paths);
  if (Math.max(paths.length, folders.size) > limits.files) return { ok: false, reason: tooLarge(limits) };
  for (const each of folders) {
    await pace.entry();
    await mkdir(join(to, each), { recursive: true, mode: FOLDER_MODE });
  }
  const files: string[] = [];
  let bytes = 0;
  let leftOut = 0;
  const secrets: string[] = [];
  for (const path of paths) {
    await pace.entry();
    const size = await sizeToCopy(join(from, path));
    const isSecret = size !== null && isSecretFile(path);
    if (bytes + (size ?? 0) > BYTES_MAX) return { ok: false, reason: tooLarge(limits) };
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
  return { ok: true, files, bytes, leftOut, secrets };
}

const depthOf = (path: string): number => path.split('/').length - 1;
const byDepth = (one: string, other: string): number => depthOf(one) - depthOf(other) || (one < other ? -1 : 1);

function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set(['.']);
  for (const path of paths)
    for (let folder = posix.dirname(path); !folders.has(folder); folder = posix.dirname(folder)) folders.add(folder);
  return folders;
}

/** Lets other work run. Both methods reject if the copy was stopped. */
type Pace = Readonly<{
  entry(): Promise<void>;
  search(characters: number): Promise<void>;
}>;

function newPace(signal: AbortSignal | undefined): Pace {
  let [entries, searched] = [0, 0];
  const check = (): void => {
    if (signal?.aborted) throw new Error(STOPPED);
  };
  const pause = async (): Promise<void> => {
    await turn();
    check();
  };
  return {
    entry: async () => {
      check();
      if (++entries % ENTRIES_AT_ONCE === 0) await pause();
    },
    search: async (count) => {
      searched += count;
      if (searched < SEARCHED_AT_ONCE) return;
      searched = 0;
      await pause();
    },
  };
}

const TOO_DEEP = `Its folders are nested more than ${DEPTH_MAX} levels deep, which is too deep for a council. Name a folder inside it.`;

async function sizeToCopy(path: string): Promise<number | null> {
  const info = await lstatOrNull(path);
  return info?.isFile() && info.size <= FILE_MAX_BYTES ? info.size : null;
}

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

const SHOWN_MAX = 60;
const ENDINGS_MAX = 12;

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
