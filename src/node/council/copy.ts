import { constants, type Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { copyFile, mkdir } from '../base/disk';
import { failureText, type Outcome } from '../base/failure';
import { readIfThere } from '../base/read-log';
import { isSecretFile } from './secrets';

/** What a repository may hold for a council. Source: docs/council.md. */
const BYTES_MAX = 500 * 1_048_576;
const FILES_MAX = 50_000;
/** Nobody reviews what is larger, in bytes. */
const FILE_MAX_BYTES = 2 * 1_048_576;
const FOLDER_MODE = 0o700;
/** What is not the project's own. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__']);
const IGNORE_FILE = '.gitignore';

/** What a copy came to; `leftOut` counts links, secrets and large files. */
export type Copied = Readonly<{ files: readonly string[]; bytes: number; leftOut: number }>;

/** A folder that is still to be copied, below the repository, with what its parents' files say is to be left out. */
type Folder = Readonly<{ path: string; rules: readonly Rules[] }>;
type Rules = Readonly<{ below: string; ignored: Ignore }>;

/**
 * Copies what is to be reviewed into a folder of ours: plain files alone, so that no link leads out of it, no hook or setting of its version
 * control is there to be run, and nothing that holds secrets by its name or that its version control ignores. What is reviewed does not change
 * under the reviewers either. Nothing of it is run for that, its version control included.
 */
export async function copyRepository(from: string, to: string): Promise<Outcome<Copied>> {
  const files: string[] = [];
  let bytes = 0;
  let leftOut = 0;
  const folders: Folder[] = [{ path: '', rules: [] }];
  try {
    for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
      await mkdir(join(to, folder.path), { recursive: true, mode: FOLDER_MODE });
      const rules = await rulesIn(from, folder);
      for (const entry of (await readdir(join(from, folder.path), { withFileTypes: true })).toSorted(byName)) {
        const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
        // A home that lies in the repository would be copied into itself.
        if (isIgnored(path, entry, rules) || isAround(join(from, path), to)) continue;
        if (entry.isDirectory()) {
          folders.push({ path, rules });
          continue;
        }
        const info = await lstat(join(from, path));
        if (!info.isFile() || info.size > FILE_MAX_BYTES || isSecretFile(entry.name)) {
          leftOut++;
          continue;
        }
        bytes += info.size;
        if (files.length >= FILES_MAX || bytes > BYTES_MAX) return { ok: false, reason: TOO_LARGE };
        await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
        files.push(path);
      }
    }
    return { ok: true, files, bytes, leftOut };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

const TOO_LARGE = `It is too large for a council, which reads at most ${FILES_MAX} files and ${BYTES_MAX / 1_048_576} MB.`;

const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1);

async function rulesIn(from: string, { path, rules }: Folder): Promise<readonly Rules[]> {
  const file = join(from, path, IGNORE_FILE);
  const info = await lstat(file).catch(() => null);
  if (!info?.isFile() || info.size > FILE_MAX_BYTES) return rules;
  return [...rules, { below: path, ignored: ignore().add(await readIfThere(file)) }];
}

function isIgnored(path: string, entry: Dirent, rules: readonly Rules[]): boolean {
  if (LEFT_OUT.has(entry.name)) return true;
  return rules.some(({ below, ignored }) => {
    const seen = below === '' ? path : path.slice(below.length + 1);
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
