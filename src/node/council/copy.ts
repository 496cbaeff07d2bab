import { constants, type Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { copyFile, mkdir } from '../base/disk';
import { failureText, type Outcome } from '../base/failure';
import { readIfThere } from '../base/read-log';
import { isSecretFile } from './secrets';

/** What a repository may hold for a council. Source: docs/council.md. */
const BYTES_MAX = 500 * 1_048_576;
export const FILES_MAX = 50_000;
/** Nobody reviews what is larger, in bytes. */
const FILE_MAX_BYTES = 2 * 1_048_576;
const FOLDER_MODE = 0o700;
/** What is not the project's own. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__']);
const IGNORE_FILE = '.gitignore';

/** What a copy came to; `leftOut` counts links, secrets and large files. */
export type Copied = Readonly<{ files: readonly string[]; bytes: number; leftOut: number }>;

/** A folder that is still to be copied, below the repository, with what files above and in it say is to be left out. */
type Folder = Readonly<{ path: string; rules: readonly Rules[] }>;
/** What one `.gitignore` says of everything below its folder. */
type Rules = Readonly<{ folder: string; ignored: Ignore }>;

/**
 * Copies what is to be reviewed into a folder of ours: plain files alone, so that no link leads out of it, no hook or setting of its version
 * control is there to be run, and nothing that holds secrets by its name or that its version control ignores. What is reviewed does not change
 * under the reviewers either. Nothing of it is run for that, its version control included.
 */
export async function copyRepository(from: string, to: string): Promise<Outcome<Copied>> {
  try {
    return await copied(await realpath(from), to);
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

async function copied(from: string, to: string): Promise<Outcome<Copied>> {
  const files: string[] = [];
  let bytes = 0;
  let leftOut = 0;
  const folders: Folder[] = [{ path: '', rules: await rulesAbove(from) }];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    await mkdir(join(to, folder.path), { recursive: true, mode: FOLDER_MODE });
    const rules = await withRulesIn(join(from, folder.path), folder.rules);
    for (const entry of await entriesIn(join(from, folder.path))) {
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      // A home that lies in the repository would be copied into itself.
      if (isIgnored(join(from, path), entry, rules) || isAround(join(from, path), to)) continue;
      if (entry.isDirectory()) {
        folders.push({ path, rules });
        continue;
      }
      const size = await sizeToCopy(join(from, path));
      if (files.length >= FILES_MAX || bytes + (size ?? 0) > BYTES_MAX) return { ok: false, reason: TOO_LARGE };
      // What cannot be read, or is gone meanwhile, costs nobody the rest.
      if (size === null || !(await isCopied(join(from, path), join(to, path)))) {
        leftOut++;
        continue;
      }
      bytes += size;
      files.push(path);
    }
  }
  return { ok: true, files, bytes, leftOut };
}

const entriesIn = async (folder: string): Promise<readonly Dirent[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => [])).toSorted(byName);

/** How large a file is that may be copied, in bytes; null for every other one. */
async function sizeToCopy(path: string): Promise<number | null> {
  const info = await lstat(path).catch(() => null);
  return info?.isFile() && info.size <= FILE_MAX_BYTES && !isSecretFile(path) ? info.size : null;
}

const isCopied = (from: string, to: string): Promise<boolean> =>
  copyFile(from, to, constants.COPYFILE_FICLONE).then(
    () => true,
    () => false,
  );

const TOO_LARGE = `It is too large for a council, which reads at most ${FILES_MAX} files and ${BYTES_MAX / 1_048_576} MB.`;

const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1);

async function withRulesIn(folder: string, rules: readonly Rules[]): Promise<readonly Rules[]> {
  const file = join(folder, IGNORE_FILE);
  const info = await lstat(file).catch(() => null);
  if (!info?.isFile() || info.size > FILE_MAX_BYTES) return rules;
  return [...rules, { folder, ignored: ignore().add(await readIfThere(file)) }];
}

/** What is said above a folder that lies in a repository: a part of it is reviewed as the whole would be. */
async function rulesAbove(folder: string): Promise<readonly Rules[]> {
  const above: string[] = [];
  for (let here = folder; ; here = dirname(here)) {
    if ((await lstat(join(here, '.git')).catch(() => null)) !== null) break;
    const parent = dirname(here);
    if (parent === here) return [];
    above.unshift(parent);
  }
  let rules: readonly Rules[] = [];
  for (const each of above) rules = await withRulesIn(each, rules);
  return rules;
}

function isIgnored(path: string, entry: Dirent, rules: readonly Rules[]): boolean {
  if (LEFT_OUT.has(entry.name)) return true;
  return rules.some(({ folder, ignored }) => {
    const seen = relative(folder, path).replaceAll('\\', '/');
    return ignored.ignores(entry.isDirectory() ? `${seen}/` : seen);
  });
}

/** Whether a folder holds another, or is it. */
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
