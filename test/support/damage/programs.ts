import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

export const execute = promisify(execFile);

const OUT = join(import.meta.dirname, '..', '..', '..', 'out');
const LIMIT_MS = 20_000;
/** Root ignores permissions, so programs then run as another user. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

export const programUser: Readonly<{ uid?: number; gid?: number }> = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

export const hasOtherUsers = isRoot;

export const giveToPrograms = async (folder: string): Promise<void> => {
  if (isRoot) await execute('chown', ['-R', '-h', `${NOBODY}:${NOBODY}`, folder]);
};

export const giveBack = async (folder: string): Promise<void> => {
  if (isRoot) await execute('chown', ['-R', '-h', '0:0', folder]);
};

/** Code in this process now passes ownership checks as the programs' user. */
export function takeForPrograms(): void {
  if (isRoot) process.getuid = () => NOBODY;
}

/** Output and exit code; null if the program was killed. */
export type Ended = Readonly<{ code: number | null; said: string }>;

export type Around = Readonly<{ env: NodeJS.ProcessEnv; cwd: string }>;

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
