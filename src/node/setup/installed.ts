import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNewerVersion } from '../../core/base/versions';
import { isCompanionPackage } from '../../core/edits';
import { openCodeConfigFolder } from '../config/config-files';
import { hasGeneration } from '../opencode/binary';
import { COMPANION_FILE, companionPath, companionVersion } from './companion-files';
import { goneIn, type Setup, type SetupPlace } from './install';
import { packagedCopy } from './packages';

export type Installed = Readonly<{
  /** `package`: fetched from npm by OpenCode. */
  way: 'understudy' | 'package' | 'copy';
  address: string;
  /** Null for files: each generation can load them. */
  generation: 1 | 2 | null;
  /** Null until OpenCode fetches the package. */
  version: string | null;
  folder: string | null;
  isOlder: boolean;
}>;

/** Does not check a project's files. */
export async function installedIn(setup: Setup, place: SetupPlace): Promise<readonly Installed[]> {
  const own = Object.values(setup.urls);
  const shipped = (await companionVersion(place.source)) ?? '';
  const named = setup.files.flatMap((file) => {
    const gone = goneIn(file);
    const all = 'found' in file ? file.found.companions.filter((address) => !gone.includes(address)) : [];
    return all.map((address) => ({ address, base: file.scope === 'global' ? dirname(file.path) : null }));
  });
  const config = openCodeConfigFolder(place.env);
  const loose = setup.loose.map((address) => ({ address, base: address.startsWith(config + sep) ? config : null }));
  const places = await Promise.all(
    [...new Map([...named, ...loose].map((one) => [one.address, one])).values()].map(async ({ address, base }) => {
      if (own.includes(address)) return [await ownCopy(address, place.home)];
      return isCompanionPackage(address) ? await packages(address, setup, place) : [await copyAt(address, base)];
    }),
  );
  return places.flat().map((one) => ({ ...one, isOlder: isNewerVersion(shipped, one.version ?? '') }));
}

type Found = Omit<Installed, 'isOlder'>;

async function ownCopy(address: string, home: string): Promise<Found> {
  const path = companionPath(home);
  return { way: 'understudy', address, generation: null, version: await companionVersion(path), folder: dirname(path) };
}

async function packages(address: string, { opencodes }: Setup, { env }: SetupPlace): Promise<readonly Found[]> {
  const generations = ([1, 2] as const).filter((one) => opencodes.length === 0 || hasGeneration(opencodes, one));
  const found = await Promise.all(
    generations.map(async (generation): Promise<Found> => {
      const copy = await packagedCopy(env, address, generation);
      return { way: 'package', address, generation, version: copy?.version ?? null, folder: copy?.folder ?? null };
    }),
  );
  if (opencodes.length > 0) return found;
  const fetched = found.filter(({ version }) => version !== null);
  return fetched.length > 0 ? fetched : found.slice(0, 1).map((one) => ({ ...one, generation: null }));
}

/** @param base null for a project's. */
async function copyAt(address: string, base: string | null): Promise<Found> {
  const path = base === null ? null : pathOf(address, base);
  for (const file of path === null ? [] : [path, `${path}.js`, join(path, COMPANION_FILE)]) {
    const version = await companionVersion(file);
    if (version !== null) return { way: 'copy', address, generation: null, version, folder: dirname(file) };
  }
  return { way: 'copy', address, generation: null, version: null, folder: null };
}

function pathOf(address: string, base: string): string | null {
  try {
    return address.startsWith('file:') ? fileURLToPath(address) : resolve(base, address);
  } catch {
    // silent: an address without a path leads to no folder
    return null;
  }
}
