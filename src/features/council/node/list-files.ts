import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { rm } from '../../../node/base/disk';
import { failureCode, failureText } from '../../../node/base/failure';
import { lstatOrNull } from '../../../node/base/look';
import { type Environment, variablesOf } from '../../../node/base/state-home';
import { plainLine } from '../rules/base/text';
import { findGit } from './git';
import { makeEmpty } from './run-folder';

export type Listing = Readonly<{
  env: Environment;
  /** New folder for git's empty repository; removed at the end. */
  folder: string;
  skipped: Iterable<string>;
  tooLong: string;
  ms: number;
  signal: AbortSignal | undefined;
}>;

/** Enough for 50,000 long paths, in bytes. */
const LIST_MAX_BYTES = 16 * 1_048_576;
/** Largest allocation of git, such as a whole `.gitignore`. */
const ALLOC_MAX = '256m';
export const STOPPED = 'The copy was stopped. Nothing was started.';

type Git = Readonly<{
  path: string;
  env: Readonly<Record<string, string>>;
  skipped: readonly string[];
  ended: AbortSignal;
}>;
type Tree = Readonly<{ top: string; folder: string }>;

const run = promisify(execFile);

/**
 * Lists files and links that `.gitignore` does not exclude. Git runs on an empty repository, so that no configuration
 * and no hooks apply. A nested repository follows its own rules and those above it.
 * @throws Error with a displayable message if the list is incomplete.
 */
export async function listFiles(from: string, listing: Listing): Promise<readonly string[]> {
  const { env, folder, skipped, tooLong, ms, signal } = listing;
  const found = await findGit(env);
  if (!found.ok) throw new Error(found.reason);
  const late = AbortSignal.timeout(ms);
  try {
    await makeEmpty(folder);
    const git: Git = {
      path: found.git,
      env: environmentFor(env, folder),
      skipped: [...skipped],
      ended: signal ? AbortSignal.any([signal, late]) : late,
    };
    return await filesIn(git, { top: await repositoryOf(from), folder: from });
  } catch (error) {
    if (signal?.aborted) throw new Error(STOPPED);
    if (late.aborted) throw new Error(tooSlow(ms));
    if (failureCode(error) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') throw new Error(tooLong);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const environmentFor = (env: Environment, folder: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(variablesOf(env)).filter(([name]) => !/^GIT_/i.test(name))),
  GIT_DIR: join(folder, '.git'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_ALLOC_LIMIT: ALLOC_MAX,
  // Older versions ignore GIT_CONFIG_GLOBAL.
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  LC_ALL: 'C',
});

async function repositoryOf(folder: string): Promise<string> {
  for (let here = folder; ; here = dirname(here)) {
    if ((await lstatOrNull(join(here, '.git'))) !== null) return here;
    if (dirname(here) === here) return folder;
  }
}

async function filesIn(git: Git, tree: Tree): Promise<readonly string[]> {
  const skips = git.skipped.map((name) => `--exclude=${name}`);
  const paths = await namesFrom(git, tree, ['ls-files', '--others', '--exclude-standard', '-z', ...skips]);
  const files = paths.filter((path) => !path.endsWith('/'));
  const nested: string[] = [];
  // Git names a nested repository and does not enter it.
  for (const path of paths.filter((each) => each.endsWith('/') && each !== './')) {
    const folder = join(tree.folder, path);
    for (const inner of await filesIn(git, { top: folder, folder })) nested.push(`${path}${inner}`);
  }
  if (nested.length === 0) return files;
  const ignored = new Set(await namesFrom(git, tree, ['check-ignore', '--no-index', '--stdin', '-z'], nested));
  return [...files, ...nested.filter((path) => !ignored.has(path))];
}

const SETTINGS = ['core.fsmonitor=false', 'core.untrackedCache=false', 'core.excludesFile=', 'core.ignoreCase=true'];

/** @throws Error if git fails or cannot read rules. */
async function namesFrom(git: Git, { top, folder }: Tree, args: readonly string[], input: readonly string[] = []) {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  const running = run(git.path, [...settings, ...args], {
    cwd: folder,
    env: { ...git.env, GIT_WORK_TREE: top },
    maxBuffer: LIST_MAX_BYTES,
    killSignal: 'SIGKILL',
    signal: git.ended,
    windowsHide: true,
  });
  running.child.stdin?.on('error', () => undefined); // silent: git has ended, and its result says why
  running.child.stdin?.end(input.map((name) => `${name}\0`).join(''));
  const { stdout, stderr } = await running.catch((error: unknown) => {
    if (input.length > 0 && exitCodeOf(error) === NONE_IGNORED) return { stdout: '', stderr: stderrOf(error) };
    if (git.ended.aborted || failureCode(error) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') throw error;
    throw new Error(unlisted(stderrOf(error) || failureText(error)));
  });
  const [, file] = UNREADABLE.exec(stderr) ?? [];
  if (file !== undefined) throw new Error(unlisted(`${file} cannot be read`));
  return stdout.split('\0').filter((name) => name !== '');
}

const stderrOf = (error: unknown): string => (error instanceof Error && 'stderr' in error ? String(error.stderr) : '');
const exitCodeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);
const NONE_IGNORED = 1;

/** Git goes on without the rules of such a file. */
const UNREADABLE = /unable to access '(.*\.gitignore)': Permission denied/;

const unlisted = (problem: string): string =>
  `Git could not list its files, so ignored files might be read: ${plainLine(problem).replace(/\.$/, '')}.`;

const tooSlow = (ms: number): string =>
  `Git could not list its files within ${Math.ceil(ms / 1_000)} s, so ignored files might be read. Name a folder inside it.`;
