import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realInside } from '../base/inside';
import { realOrSame } from '../base/look';

/** What is wrong with where a plugin of OpenCode's is said to lie. */
export type PathTrouble = Readonly<{
  /** As the configuration has it. */
  address: string;
  /** `gone`: nothing lies there. `passing`: it lies in a temporary folder, and goes with it. */
  trouble: 'gone' | 'passing';
}>;

/** More plugins than anybody has in a project. */
export const MAX_JUDGED = 100;

/** OpenCode also finds a file that is named without its ending. */
const ENDINGS = ['', '.js', '.ts', '.mjs'] as const;

/**
 * The plugins of one file whose path leads nowhere, or will; of `ours` it is known elsewhere whether they are there.
 *
 * @param within the project whose file it is: what lies outside of it is not looked at, and not judged; of very many only the first.
 */
export async function pathTroubles(
  file: string,
  addresses: readonly string[],
  { ours, within }: Readonly<{ ours: readonly string[]; within: string | undefined }>,
): Promise<readonly PathTrouble[]> {
  const troubles: PathTrouble[] = [];
  // Of what a project wrote down: a list without end would be as many questions to the disk.
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

/** Where a path really lies; null where it leads out of the project, undefined where nothing lies. */
async function realOf(path: string, within: string | undefined): Promise<string | null | undefined> {
  try {
    const real = within === undefined ? path : await realInside(within, path);
    return real === null ? null : await realpath(real);
  } catch {
    // silent: undefined says that nothing lies there
    return undefined;
  }
}

/** The path an address stands for; null for a package, and for what nobody can read. */
function pathIn(address: string, folder: string): string | null {
  try {
    if (address.startsWith('file:')) return fileURLToPath(address);
  } catch {
    // silent: an address that is no path is checked as a package
    return null;
  }
  return isAbsolute(address) || /^\.\.?[\\/]/.test(address) ? resolve(folder, address) : null;
}

/** A temporary folder of a demo lies there as well. @param real a path with every link followed. */
async function isTemporary(real: string): Promise<boolean> {
  for (const folder of [tmpdir(), '/tmp', '/var/tmp'])
    if (real.startsWith((await realOrSame(folder)) + sep)) return true;
  return false;
}
