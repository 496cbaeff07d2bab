import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realInside } from '../base/inside';
import { realOrSame } from '../base/look';

export type PathTrouble = Readonly<{
  address: string;
  /** `passing`: in a temporary folder. */
  trouble: 'gone' | 'passing';
}>;

/** Beyond any real number of plugins. */
export const MAX_JUDGED = 100;

/** OpenCode completes names without extension. */
const ENDINGS = ['', '.js', '.ts', '.mjs'] as const;

/** @param within a project: paths outside are not checked. */
export async function pathTroubles(
  file: string,
  addresses: readonly string[],
  { ours, within }: Readonly<{ ours: readonly string[]; within: string | undefined }>,
): Promise<readonly PathTrouble[]> {
  const troubles: PathTrouble[] = [];
  // A project could list endless paths.
  const judged = within === undefined ? addresses : addresses.slice(0, MAX_JUDGED);
  for (const address of judged) {
    const path = ours.includes(address) ? null : pathIn(address, dirname(file));
    const trouble = path === null ? null : await troubleAt(path, within);
    if (trouble !== null) troubles.push({ address, trouble });
  }
  return troubles;
}

async function troubleAt(path: string, within: string | undefined): Promise<PathTrouble['trouble'] | null> {
  let isKnown = true;
  for (const ending of ENDINGS) {
    const real = await realOf(path + ending, within);
    if (typeof real === 'string') return (await isTemporary(real)) ? 'passing' : null;
    if (real === null) isKnown = false;
  }
  return isKnown ? 'gone' : null;
}

/** Null outside the project, undefined if missing. */
async function realOf(path: string, within: string | undefined): Promise<string | null | undefined> {
  try {
    const real = within === undefined ? path : await realInside(within, path);
    return real === null ? null : await realpath(real);
  } catch {
    // silent: undefined means that the path does not exist
    return undefined;
  }
}

/** Null for a package. */
function pathIn(address: string, folder: string): string | null {
  try {
    if (address.startsWith('file:')) return fileURLToPath(address);
  } catch {
    // silent: an address that is no path is checked as a package
    return null;
  }
  return isAbsolute(address) || /^\.\.?[\\/]/.test(address) ? resolve(folder, address) : null;
}

/** A demo's folder is there too. */
async function isTemporary(real: string): Promise<boolean> {
  for (const folder of [tmpdir(), '/tmp', '/var/tmp'])
    if (real.startsWith((await realOrSame(folder)) + sep)) return true;
  return false;
}
