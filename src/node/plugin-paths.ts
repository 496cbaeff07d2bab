import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What is wrong with where a plugin of OpenCode's is said to lie. */
export type PathTrouble = Readonly<{
  /** As the configuration has it. */
  address: string;
  /** `gone`: nothing lies there. `passing`: it lies in a temporary folder, and goes with it. */
  trouble: 'gone' | 'passing';
}>;

/** OpenCode also finds a file that is named without its ending. */
const ENDINGS = ['', '.js', '.ts', '.mjs'] as const;

/** The plugins of one file whose path leads nowhere, or will; of `ours` it is known elsewhere whether they are there. */
export function pathTroubles(
  file: string,
  addresses: readonly string[],
  ours: readonly string[],
): readonly PathTrouble[] {
  return addresses.flatMap((address): PathTrouble[] => {
    const path = ours.includes(address) ? null : pathIn(address, dirname(file));
    if (path === null) return [];
    if (!ENDINGS.some((ending) => existsSync(path + ending))) return [{ address, trouble: 'gone' }];
    return isTemporary(path) ? [{ address, trouble: 'passing' }] : [];
  });
}

/** The path an address stands for; null for a package, and for what nobody can read. */
function pathIn(address: string, folder: string): string | null {
  try {
    if (address.startsWith('file:')) return fileURLToPath(address);
  } catch {
    return null;
  }
  return isAbsolute(address) || /^\.\.?[\\/]/.test(address) ? resolve(folder, address) : null;
}

/** A temporary folder of a demo lies there as well. */
function isTemporary(path: string): boolean {
  const real = realOf(path);
  return [tmpdir(), '/tmp', '/var/tmp'].some((folder) => real.startsWith(realOf(folder) + sep));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
