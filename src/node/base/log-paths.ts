import { posix, win32 } from 'node:path';
import { type Machine, machineIn, xdgFolder } from './state-home';

export type LogPaths = Readonly<{ text: string; records: string }>;

/** Identifies our files: other plugins use the same names. */
export const OWN_LINE = /^\[\d{4}-\d\d-\d\dT[\d:]+Z\] \[[A-Z]+\]/;
export const OWN_RECORD = '{"timestamp":';

/** @param written relative paths start in the project; null selects `usual` in OpenCode's data folder. */
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

export function logPaths(
  written: string | null,
  directory: string,
  machine: Machine = machineIn(process.env),
): LogPaths {
  const text = placeOf(written, { usual: ['logs', 'model-fallback.log'], directory }, machine);
  return { text, records: `${text.replace(/\.(?:log|txt)$/i, '')}.jsonl` };
}
