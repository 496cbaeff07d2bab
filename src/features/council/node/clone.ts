import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { redact } from '../../../engine';
import { mkdir, rm, writeFile } from '../../../node/base/disk';
import { failureCode, type Outcome } from '../../../node/base/failure';
import { lstatOrNull } from '../../../node/base/look';
import { type Environment, variablesOf } from '../../../node/base/state-home';
import { type Child, type ChildOptions, startChild } from '../../../node/opencode/child';
import { asArgument } from '../../../wording/status-text';
import { megabytes, plainLine } from '../rules/base/text';
import { type Address, FETCHED_MAX_BYTES, type Login } from '../rules/process/address';
import { FILES_MAX } from './copy';
import { findGit } from './git';

export type FetchLimits = Readonly<{ bytes: number; ms: number }>;

export type Fetching = Readonly<{
  address: Address;
  folder: string;
  /** The user's, because git needs its logins. */
  env: Environment;
  signal?: AbortSignal | undefined;
  onBytes?: ((bytes: number) => void) | undefined;
  limits?: FetchLimits | undefined;
}>;

const LIMITS: FetchLimits = { bytes: FETCHED_MAX_BYTES, ms: 600_000 };
const LOOK_MS = 250;
const GRACE_MS = 1_000;
/** For git's own data, in bytes. */
const BESIDE_BYTES = 64 * 1_048_576;
/** Maximum size of git's file list, in bytes: `FILES_MAX` entries with very long paths. */
const LIST_MAX_BYTES = 16 * 1_048_576;
/** Size of a folder on most disks, in bytes. */
const FOLDER_BYTES = 4_096;
const FOLDER_MODE = 0o700;

/** GIT variables passed on; others could select another repository. */
const KEPT = /^GIT_(?:SSH(?:_COMMAND|_VARIANT)?|(?:SSL|HTTP|PROXY)_\w+|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH)$/i;

/** The repository's attributes could run the user's filter programs. */
const ATTRIBUTES = '* -text !filter !ident !working-tree-encoding\n';

const run = promisify(execFile);

/**
 * Fetches a repository, passes its folder to `read` and always removes it.
 * @param read receives a folder without links; none of its content was run.
 */
export async function withClone<T>(
  fetching: Fetching,
  read: (files: string) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { folder } = fetching;
  try {
    const found = await findGit(fetching.env);
    if (!found.ok) return found;
    const fetched = await fetchBy(await gitFor(found.git, fetching));
    return fetched.ok ? await read(fetched.files) : fetched;
  } finally {
    await removeClone(folder);
  }
}

const removeClone = (folder: string): Promise<void> =>
  // A git that was just ended may still create a file.
  rm(folder, { recursive: true, force: true, maxRetries: 10 });

type Git = Readonly<{
  path: string;
  settings: readonly string[];
  env: Readonly<Record<string, string>>;
  empty: string;
  files: string;
  limits: FetchLimits;
  ended: AbortSignal;
}> &
  Omit<Fetching, 'env' | 'limits'>;

async function gitFor(path: string, { env, limits = LIMITS, ...fetching }: Fetching): Promise<Git> {
  const { folder, signal, address } = fetching;
  const [empty, files] = [join(folder, 'empty'), join(folder, 'files')];
  await removeClone(folder);
  await mkdir(empty, { recursive: true, mode: FOLDER_MODE });
  const late = AbortSignal.timeout(limits.ms);
  const variables = environmentFor(env, { folder, address, limits });
  const ssh = await sshFor(path, { ...fetching, env: variables, cwd: empty });
  return {
    ...fetching,
    path,
    empty,
    files,
    limits,
    ended: signal ? AbortSignal.any([signal, late]) : late,
    env: { ...variables, ...ssh },
    settings: Object.entries({ ...SETTINGS, 'core.hooksPath': empty }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]),
  };
}

const SETTINGS = {
  'core.symlinks': 'false',
  'core.fsmonitor': 'false',
  'core.longpaths': 'true',
  // Git does not unpack larger files in memory.
  'core.bigFileThreshold': '8m',
  'submodule.recurse': 'false',
  'transfer.bundleURI': 'false',
  'maintenance.auto': 'false',
  'credential.interactive': 'false',
} as const;

function environmentFor(
  env: Environment,
  { folder, address, limits }: Readonly<{ folder: string; address: Address; limits: FetchLimits }>,
): Readonly<Record<string, string>> {
  const theirs = Object.entries(variablesOf(env)).filter(([name]) => !/^GIT_/i.test(name) || KEPT.test(name));
  return {
    ...Object.fromEntries(theirs),
    ...(address.login === null ? {} : loginFor(address.login)),
    // Overrides even the user's settings, also for redirects.
    GIT_ALLOW_PROTOCOL: 'https:ssh',
    GIT_CEILING_DIRECTORIES: folder,
    // Limits each object, however well it is compressed.
    GIT_ALLOC_LIMIT: String(limits.bytes),
    // No user can answer; credential helpers still work.
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    LC_ALL: 'C',
  };
}

/**
 * In the environment and for its host only: users can see command lines, a clone stores its URL, and a credential
 * helper might store the login.
 */
function loginFor({ origin, user, password }: Login): Readonly<Record<string, string>> {
  const section = `credential.${origin}`;
  if (password === null) return configured([`${section}.username`, user]);
  return {
    ...configured([`${section}.helper`, ''], [`${section}.helper`, HELPER]),
    [USER]: user,
    [PASSWORD]: password,
  };
}

const configured = (...settings: readonly (readonly [string, string])[]): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([name, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);

const [USER, PASSWORD] = ['UNDERSTUDY_GIT_USER', 'UNDERSTUDY_GIT_PASSWORD'] as const;
const HELPER = `!f() { test "$1" != get || printf 'username=%s\\npassword=%s\\n' "$${USER}" "$${PASSWORD}"; }; f`;

/** Disables prompts unless the user configured ssh. */
async function sshFor(
  git: string,
  { address, env, cwd }: Readonly<{ address: Address; env: Readonly<Record<string, string>>; cwd: string }>,
): Promise<Readonly<Record<string, string>>> {
  if (address.url.startsWith('https:') || env.GIT_SSH !== undefined || env.GIT_SSH_COMMAND !== undefined) return {};
  const isChosen = await run(git, ['config', '--get', 'core.sshCommand'], { env, cwd, windowsHide: true }).then(
    ({ stdout }) => stdout.trim() !== '',
    // silent: git exits with 1 if the user has not configured ssh
    () => false,
  );
  return isChosen ? {} : { GIT_SSH_COMMAND: 'ssh -o BatchMode=yes' };
}

async function fetchBy(git: Git): Promise<Outcome<{ files: string }>> {
  const { address, files, limits, onBytes } = git;
  const cloned = await work(git, ['clone', ...CLONE, '--', address.url, files], limits.bytes, onBytes);
  if (!cloned.ok) return cloned;
  const listed = await contentsOf(git);
  if (!listed.ok) return listed;
  const { bytes, links } = listed.contents;
  await mkdir(join(files, '.git', 'info'), { recursive: true, mode: FOLDER_MODE });
  await writeFile(join(files, '.git', 'info', 'attributes'), ATTRIBUTES);
  const room = (await bytesIn(files)) + bytes + BESIDE_BYTES;
  const written = await work(git, [...inClone(git), 'read-tree', '--reset', '-u', 'HEAD'], room);
  if (!written.ok) return written;
  // Git wrote links as files with their target.
  for (const link of links) await rm(join(files, link), { force: true });
  return { ok: true, files };
}

const CLONE = [
  ...['--quiet', '--no-checkout', '--depth=1', '--single-branch', '--no-tags'],
  ...['--no-recurse-submodules', '--template='],
];

const inClone = ({ files }: Git): readonly string[] => [`--git-dir=${join(files, '.git')}`, `--work-tree=${files}`];

async function work(
  git: Git,
  args: readonly string[],
  room: number,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Outcome> {
  const { path, settings, env, empty, folder, ended } = git;
  if (ended.aborted) return { ok: false, reason: endedText(git) };
  const child = await startChild({ ...guarded([path, ...settings, ...args]), cwd: empty, env });
  const end = (): void => void child.stop(GRACE_MS);
  ended.addEventListener('abort', end);
  let isLarge = false;
  await whileRunning(child, async () => {
    const bytes = await bytesIn(folder);
    onBytes(bytes);
    if (bytes <= room || isLarge) return;
    isLarge = true;
    end();
  });
  ended.removeEventListener('abort', end);
  const { exitCode } = await child.exited;
  if (ended.aborted) return { ok: false, reason: endedText(git) };
  if (isLarge) return { ok: false, reason: largeText(git) };
  return exitCode === 0 ? { ok: true } : { ok: false, reason: saidText(git, child.stderr()) };
}

/** Ends the program with this process; otherwise nothing would limit its time and size. */
function guarded([path = '', ...args]: readonly string[]): Pick<ChildOptions, 'command' | 'args'> {
  if (process.platform === 'win32') return { command: path, args };
  return { command: '/bin/sh', args: ['-c', GUARD, 'sh', String(process.pid), path, ...args] };
}

const GUARD = '(while kill -0 "$1"; do sleep 1 || exit; done; kill -9 0) </dev/null >/dev/null 2>&1 & shift; exec "$@"';

async function whileRunning({ exited }: Child, look: () => Promise<void>): Promise<void> {
  const exit = exited.then(() => true);
  for (let isOver = false; !isOver; ) {
    await look();
    isOver = await Promise.race([exit, pause(LOOK_MS, false)]);
  }
  await look();
}

async function bytesIn(folder: string): Promise<number> {
  // silent: git may remove the folder meanwhile
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? FOLDER_BYTES + (await bytesIn(path)) : ((await lstatOrNull(path))?.size ?? 0);
  }
  return bytes;
}

type Contents = Readonly<{ bytes: number; links: readonly string[] }>;

/** Counts before writing: a few bytes can describe billions of files or a huge one. */
async function contentsOf(git: Git): Promise<Outcome<{ contents: Contents }>> {
  const { path, settings, env, empty: cwd, ended: signal, limits } = git;
  const args = [...settings, ...inClone(git), 'ls-tree', '-r', '-t', '-l', '-z', '--full-tree', 'HEAD'];
  const options = { env, cwd, signal, maxBuffer: LIST_MAX_BYTES, windowsHide: true };
  try {
    const { stdout } = await run(path, args, options);
    const found = stdout.split('\0').flatMap((line) => {
      const [, mode = '', size = '', name = ''] = ENTRY.exec(line) ?? [];
      if (mode === '') return [];
      return [{ isLink: mode === LINK_MODE, bytes: size === NO_SIZE ? FOLDER_BYTES : Number(size), name }];
    });
    const bytes = found.reduce((sum, each) => sum + each.bytes, 0);
    if (found.length > FILES_MAX || bytes > limits.bytes) return { ok: false, reason: largeText(git) };
    return { ok: true, contents: { bytes, links: found.filter(({ isLink }) => isLink).map(({ name }) => name) } };
  } catch (error) {
    if (signal.aborted) return { ok: false, reason: endedText(git) };
    if (failureCode(error) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return { ok: false, reason: largeText(git) };
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    if (/not a valid object name HEAD/i.test(stderr))
      return { ok: false, reason: `There are no readable files in ${git.address.url}.` };
    return { ok: false, reason: saidText(git, stderr) };
  }
}

/** Folders and submodules have no size; a submodule gets a folder. */
const ENTRY = /^(\d+) \w+ [\da-f]+ +(\d+|-)\t(.*)$/s;
const NO_SIZE = '-';
const LINK_MODE = '120000';

const endedText = ({ signal, address, limits }: Git): string =>
  signal?.aborted
    ? 'Interrupted. Nothing was started.'
    : `${plainLine(address.name)} could not be fetched within ${Math.round(limits.ms / 1_000)} s. Clone it yourself, and name its folder.`;

const largeText = ({ address, limits }: Git): string =>
  `${plainLine(address.name)} is too large: at most ${megabytes(limits.bytes)} and ${FILES_MAX} files and folders are fetched. Clone it yourself, and name a folder of it.`;

const ONE_LARGE = /attempting to allocate \d+ over limit/;
const EMPTY_WORDS = /^(?:Please make sure you have the correct access rights|and the repository exists\.|)$/;

/** A longer user name may be a token and is removed from messages. */
const USER_MIN_CHARS = 6;

function saidText(git: Git, stderr: string): string {
  if (ONE_LARGE.test(stderr)) return largeText(git);
  const { login, name, url } = git.address;
  const user = login !== null && login.user.length >= USER_MIN_CHARS ? login.user : null;
  const secrets = [login?.password, user].flatMap((part) => part || []);
  const lines = stderr.split('\n').filter((line) => !EMPTY_WORDS.test(line.trim()));
  const output = secrets.reduce((text, secret) => text.replaceAll(secret, '[key]'), lines.join(' '));
  const words = plainLine(redact(output.replaceAll('git@', ''))).replace(/\.$/, '');
  return `${plainLine(name)} could not be fetched: ${words || 'git ended without a message'}. No login can be entered here. To check the login, run: git ls-remote ${asArgument(url)}`;
}
