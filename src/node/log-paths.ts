import { homedir as systemHome } from 'node:os';
import { posix, win32 } from 'node:path';
import type { Environment } from './state-home';

/** Where the log of fallbacks lies: lines for people, and the same with everything in it for programs. */
export type LogPaths = Readonly<{ text: string; records: string }>;

type Machine = Readonly<{ env: Environment; homedir: string; platform: NodeJS.Platform }>;

const thisMachine = (): Machine => ({ env: process.env, homedir: systemHome(), platform: process.platform });

/**
 * @param written `logPath` as the configuration has it: `~` is the user's home, and what is relative lies in the project.
 * Null for the default place, OpenCode's own folder for data.
 */
export function logPaths(written: string | null, directory: string, machine: Machine = thisMachine()): LogPaths {
  const { join, isAbsolute, resolve } = machine.platform === 'win32' ? win32 : posix;
  const { env, homedir } = machine;
  const base = env.XDG_DATA_HOME;
  const data = base !== undefined && isAbsolute(base) ? base : join(homedir, '.local', 'share');
  const isInHome = written !== null && /^~(?=$|[\\/])/.test(written);
  const text =
    written === null
      ? join(data, 'opencode', 'logs', 'model-fallback.log')
      : isInHome
        ? join(homedir, written.slice(1))
        : resolve(directory, written);
  return { text, records: `${text.replace(/\.(?:log|txt)$/i, '')}.jsonl` };
}
