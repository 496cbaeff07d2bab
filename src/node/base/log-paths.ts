import { posix, win32 } from 'node:path';
import { type Machine, machineIn, xdgFolder } from './state-home';

/** Paths of the fallback log: lines for people, and full records for programs. */
export type LogPaths = Readonly<{ text: string; records: string }>;

/** First line of a file that Understudy created: other plugins use the same names. */
export const OWN_LINE = /^\[\d{4}-\d\d-\d\dT[\d:]+Z\] \[[A-Z]+\]/;
export const OWN_RECORD = '{"timestamp":';

/**
 * Returns the path of a file that the configuration may place.
 * @param written from the configuration: `~` is the user's home, and relative paths start in the project. Null for
 * `usual`, a path in OpenCode's data folder.
 */
export function placeOf(
  written: string | null,
  where: Readonly<{ usual: readonly string[]; directory: string }>,
  machine: Machine = machineIn(process.env),
): string {
  const { join, resolve } = machine.platform === 'win32' ? win32 : posix;
  if (written === null)
    return join(xdgFolder('XDG_DATA_HOME', ['.local', 'share'], machine), 'opencode', ...where.usual);
  return /^~(?=$|[\\/])/.test(written) ? join(machine.homedir, written.slice(1)) : resolve(where.directory, written);
}

/** @param written `logPath` from the configuration; null for the default path. */
export function logPaths(
  written: string | null,
  directory: string,
  machine: Machine = machineIn(process.env),
): LogPaths {
  const text = placeOf(written, { usual: ['logs', 'model-fallback.log'], directory }, machine);
  return { text, records: `${text.replace(/\.(?:log|txt)$/i, '')}.jsonl` };
}
