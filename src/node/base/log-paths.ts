import { posix, win32 } from 'node:path';
import { type Machine, machineIn, xdgFolder } from './state-home';

/** Where the log of fallbacks lies: lines for people, and the same with everything in it for programs. */
export type LogPaths = Readonly<{ text: string; records: string }>;

/** The first line of such a file that Understudy began: other plugins use the same names. */
export const OWN_LINE = /^\[\d{4}-\d\d-\d\dT[\d:]+Z\] \[[A-Z]+\]/;
export const OWN_RECORD = '{"timestamp":';

/**
 * Where a file lies that the configuration may place.
 *
 * @param written as the configuration has it: `~` is the user's home, and what is relative lies in the project. Null for
 * `usual`, a path in OpenCode's own folder for data.
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

/** @param written `logPath` as the configuration has it; null for the default place. */
export function logPaths(
  written: string | null,
  directory: string,
  machine: Machine = machineIn(process.env),
): LogPaths {
  const text = placeOf(written, { usual: ['logs', 'model-fallback.log'], directory }, machine);
  return { text, records: `${text.replace(/\.(?:log|txt)$/i, '')}.jsonl` };
}
