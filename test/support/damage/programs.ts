import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

/** Runs a program to its end. @throws when it fails. */
export const execute = promisify(execFile);

const OUT = join(import.meta.dirname, '..', '..', '..', 'out');
const LIMIT_MS = 20_000;
/** Whoever is root may do anything: programs run as somebody else then, and permissions count. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

export const programUser: Readonly<{ uid?: number; gid?: number }> = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

export const hasOtherUsers = isRoot;

/** Gives everything in a folder to the programs' user. */
export const giveToPrograms = async (folder: string): Promise<void> => {
  if (isRoot) await execute('chown', ['-R', '-h', `${NOBODY}:${NOBODY}`, folder]);
};

/** Gives everything in a folder to this process's own user again. */
export const giveBack = async (folder: string): Promise<void> => {
  if (isRoot) await execute('chown', ['-R', '-h', '0:0', folder]);
};

/** From now on the code of ours in this process takes itself for one of the programs, where it asks who owns a file. */
export function takeForPrograms(): void {
  if (isRoot) process.getuid = () => NOBODY;
}

/** What a program said, and how it ended; null for one that did not end by itself. */
export type Ended = Readonly<{ code: number | null; said: string }>;

/** Around a program: its folder and environment. */
export type Around = Readonly<{ env: NodeJS.ProcessEnv; cwd: string }>;

/** Runs the built command line. */
export async function runCommand(args: readonly string[], around: Around, user = programUser): Promise<Ended> {
  const child = spawn(process.execPath, [join(OUT, 'cli', 'understudy.js'), ...args], {
    ...{ ...user, ...around },
    ...{ stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS, killSignal: 'SIGKILL' },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
