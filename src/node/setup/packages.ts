import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../contract/parse-json';
import { namesOrNone } from '../base/look';
import { MAX_CONFIG_BYTES, readText } from '../base/read-text';
import { type Environment, machineIn, xdgFolder } from '../base/state-home';
import { COMPANION_NAME } from './companion-files';

/** OpenCode's cache folders, by generation. [seen: 1.18.34, 2.0.15] */
const CACHES = { 1: 'packages', 2: 'npm' } as const;
type Generation = keyof typeof CACHES;

const Manifest = z.object({ version: z.string().max(100) });

const cacheFolder = (env: Environment, generation: Generation): string =>
  join(xdgFolder('XDG_CACHE_HOME', ['.cache'], machineIn(env)), 'opencode', CACHES[generation]);

export const cacheFolders = (env: Environment): readonly string[] => [cacheFolder(env, 1), cacheFolder(env, 2)];

/** One folder per fetched version. */
export async function packageFolders(env: Environment): Promise<readonly string[]> {
  const found = await Promise.all(
    cacheFolders(env).map(async (cache) => (await ours(cache)).map((name) => join(cache, name))),
  );
  return found.flat();
}

const ours = async (cache: string): Promise<readonly string[]> =>
  (await namesOrNone(cache)).filter((name) => name === COMPANION_NAME || name.startsWith(`${COMPANION_NAME}@`));

/** Null until OpenCode fetches the package. */
export async function packagedCopy(
  env: Environment,
  address: string,
  generation: Generation,
): Promise<Readonly<{ version: string; folder: string }> | null> {
  const fetched = join(cacheFolder(env, generation), address.includes('@') ? address : `${address}@latest`);
  // OpenCode 2 names each fetch's folder by its time.
  const times = generation === 1 ? [''] : (await namesOrNone(fetched)).filter((name) => /^\d+$/.test(name));
  const latest = times.toSorted((one, other) => Number(one) - Number(other)).at(-1);
  if (latest === undefined) return null;
  const folder = join(fetched, latest, 'node_modules', COMPANION_NAME);
  const read = await readText(join(folder, 'package.json'), MAX_CONFIG_BYTES);
  const manifest = Manifest.safeParse(read.kind === 'text' ? parseJson(read.text) : null);
  return manifest.success ? { version: manifest.data.version, folder } : null;
}
