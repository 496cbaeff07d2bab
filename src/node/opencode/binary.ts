import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, delimiter, join, resolve } from 'node:path';
import { failureText } from '../base/failure';
import { realOrSame } from '../base/look';

/** The OpenCode release of all measurements and end-to-end tests. */
export const PINNED_OPENCODE_VERSION = '1.18.34';

export type OpencodeBinary = Readonly<{ path: string; version: string }>;

export type OpencodeSearch =
  | Readonly<{ ok: true; binary: OpencodeBinary }>
  | Readonly<{
      ok: false;
      reason: string;
      isAbsent?: true;
    }>;

/** A first start unpacks and may be scanned for viruses. */
const VERSION_LIMIT_MS = 20_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The installers' folders are not on the PATH of an app started outside a terminal. A broken `OPENCODE_BIN` ends the
 * search: the user meant that file.
 * @param runIn environment of `--version`, which creates OpenCode's folders there.
 */
export async function findOpencode(env: Environment, runIn: Environment = env): Promise<OpencodeSearch> {
  const named = namedBinary(env);
  if (named !== null) return readBinary(named, { source: 'OPENCODE_BIN', runIn });
  for (const name of NAMES) {
    const [onPath] = await findIn(pathFolders(env), [name]);
    if (onPath !== undefined) return readBinary(onPath, { source: 'PATH', runIn });
    const [found] = await findIn(usualFolders(env), [name]);
    if (found !== undefined) return readBinary(found, { source: 'an installer’s folder', runIn });
  }
  return {
    ok: false,
    isAbsent: true,
    reason: 'OpenCode was not found: OPENCODE_BIN is not set and opencode is not on the PATH',
  };
}

export const pathFolders = (env: Environment): readonly string[] => (env.PATH ?? env.Path ?? '').split(delimiter);

function usualFolders({ HOME, USERPROFILE }: Environment): readonly string[] {
  const home = HOME ?? USERPROFILE;
  const own = home === undefined ? [] : [join(home, '.opencode', 'bin')];
  return process.platform === 'darwin' ? [...own, '/opt/homebrew/bin', '/usr/local/bin'] : own;
}

/** Two generations may be installed. A set `OPENCODE_BIN` is the only one. */
export async function findOpencodes(env: Environment): Promise<readonly OpencodeBinary[]> {
  const named = namedBinary(env);
  const paths = named === null ? await findIn([...pathFolders(env), ...usualFolders(env)], NAMES) : [named];
  const targets = new Map<string, string>();
  for (const path of paths) {
    const target = await realOrSame(path);
    if (!targets.has(target)) targets.set(target, path);
  }
  const all = await Promise.all([...targets.values()].map((path) => readBinary(path, { source: 'PATH', runIn: env })));
  return all.flatMap((search) => (search.ok ? [search.binary] : []));
}

/** Betas of 2 have version 0 and another name. */
export function generationOf({ path, version }: OpencodeBinary): number {
  const major = Number(version.split('.')[0]);
  return major === 0 ? (basename(path).startsWith(BETA) ? 2 : 1) : major;
}

export const hasGeneration = (binaries: readonly OpencodeBinary[], generation: number): boolean =>
  binaries.some((binary) => generationOf(binary) === generation);

/** OpenCode 2 keeps running as a service. */
export function restartText(binaries: readonly OpencodeBinary[]): string {
  if (!hasGeneration(binaries, 2)) return 'restart OpenCode';
  return hasGeneration(binaries, 1)
    ? 'restart OpenCode (OpenCode 2: opencode service restart)'
    : 'opencode service restart';
}

const BETA = 'opencode2';
const NAMES = ['opencode', BETA] as const;

function namedBinary({ OPENCODE_BIN }: Environment): string | null {
  return OPENCODE_BIN === undefined || OPENCODE_BIN === '' ? null : resolve(OPENCODE_BIN);
}

/** Several callers need a version at once, and a start takes a second or more. */
const searches = new Map<string, Promise<OpencodeSearch>>();

type FoundIn = Readonly<{ source: string; runIn: Environment }>;

async function readBinary(path: string, source: FoundIn): Promise<OpencodeSearch> {
  if (!(await isExecutableFile(path)))
    return { ok: false, reason: `${path} (from ${source.source}) is not an executable file` };
  const { ino, size, mtimeMs } = await stat(path);
  const key = [path, ino, size, mtimeMs].join(':');
  const answer = searches.get(key) ?? askVersion(path, source);
  searches.set(key, answer);
  const search = await answer;
  if (!search.ok) searches.delete(key);
  return search;
}

async function askVersion(path: string, { source, runIn }: FoundIn): Promise<OpencodeSearch> {
  const output = await readVersionOutput(path, runIn);
  const version = /\d+\.\d+\.\d+\S*/.exec(output.text)?.[0];
  if (output.ok && version !== undefined) return { ok: true, binary: { path, version } };
  return { ok: false, reason: `${path} (from ${source}) reported no version: ${output.text || 'no output'}` };
}

export async function findIn(folders: readonly string[], names: readonly string[]): Promise<readonly string[]> {
  // npm's opencode.cmd needs a shell.
  const ending = process.platform === 'win32' ? '.exe' : '';
  const named = folders.filter((folder) => folder !== '');
  const candidates = named.flatMap((folder) => names.map((name) => join(folder, name + ending)));
  const isThere = await Promise.all(candidates.map(isExecutableFile));
  return candidates.filter((_, at) => isThere[at]);
}

export async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // silent: the result is whether this user may run it
    return false;
  }
}

function readVersionOutput(path: string, runIn: Environment): Promise<{ ok: boolean; text: string }> {
  return new Promise<{ ok: boolean; text: string }>((done) => {
    // Throws here, not in the callback, if the system refuses to run the file.
    const options = { env: { ...process.env, ...runIn }, timeout: VERSION_LIMIT_MS, windowsHide: true };
    execFile(path, ['--version'], options, (error, stdout, stderr) => {
      const text = `${stdout}${stderr}`.trim();
      done({ ok: error === null, text: text === '' && error !== null ? error.message : text });
    });
  }).catch((error: unknown) => ({ ok: false, text: failureText(error) }));
}
