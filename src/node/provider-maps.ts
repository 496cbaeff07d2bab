import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ConfigProblem } from '../core/config';
import { parseProviderMap, type UserProviderMap } from '../core/providers';
import { boundsOf, type ConfigPaths } from './config-files';
import { isInside } from './inside';
import { MAX_CONFIG_BYTES, type Read, readText } from './read-text';

/** The folder of a user's provider maps, beside the configuration file. */
const FOLDER = 'providers';
/** More maps than there are providers are a mistake. */
const MAX_MAPS = 100;
/** A real map has a few kB; all together are read before a first decision. */
const MAX_ALL_BYTES = 262_144;

/** What the user's maps say, and what is wrong with those that are not in force. */
export type LoadedMaps = Readonly<{
  maps: readonly UserProviderMap[];
  /** Those of the user's own, without the project's. */
  own: readonly UserProviderMap[];
  problems: readonly string[];
}>;

/**
 * Reads `providers/*.json` beside the places of the configuration file, the user's own first and the project's over
 * them. A file with any fault is out of force as a whole; never rejects.
 */
export async function loadProviderMaps(paths: ConfigPaths): Promise<LoadedMaps> {
  const places = [...new Set([...paths.global, ...paths.project])].map((path) => ({
    folder: join(dirname(path), FOLDER),
    ...boundsOf(paths, path),
  }));
  const unique = places.filter(({ folder }, at) => places.findIndex((place) => place.folder === folder) === at);
  const files = (await Promise.all(unique.map((place) => mapFiles(place)))).flat();
  const reads: (ReturnType<typeof readMap> & Readonly<{ isProjects: boolean }>)[] = [];
  let left = MAX_ALL_BYTES;
  for (const file of files.slice(0, MAX_MAPS)) {
    const read = await readText(file.path, Math.min(MAX_CONFIG_BYTES, left), file.within);
    reads.push({ ...readMap(read), isProjects: file.within !== undefined });
    if (read.kind === 'text') left -= read.text.length;
    if (left <= 0) break;
  }
  return {
    maps: reads.flatMap(({ map }) => (map ? [map] : [])),
    own: reads.flatMap(({ map, isProjects }) => (map && !isProjects ? [map] : [])),
    problems: reads.flatMap((read) => (read.problem ? [read.problem] : [])),
  };
}

type MapFile = Readonly<{ path: string; within?: string }>;

async function mapFiles({ folder, ...bounds }: Readonly<{ folder: string; within?: string }>): Promise<MapFile[]> {
  try {
    if (bounds.within !== undefined && !(await isInside(bounds.within, folder))) return [];
    const names = await readdir(folder);
    return names
      .filter((name) => /\.jsonc?$/.test(name))
      .sort()
      .map((name) => ({ path: join(folder, name), ...bounds }));
  } catch {
    return [];
  }
}

function readMap(read: Read): { map: UserProviderMap | null; problem: string | null } {
  const { path } = read;
  if (read.kind === 'missing') return { map: null, problem: null };
  if (read.kind === 'unreadable') return { map: null, problem: `${path}: cannot be read: ${read.reason}` };
  const parsed = parseProviderMap(read.text, path);
  return parsed.problem
    ? { map: null, problem: problemText(path, parsed.problem) }
    : { map: parsed.map, problem: null };
}

function problemText(path: string, problem: ConfigProblem): string {
  const place = [path, problem.line, problem.column].filter((part) => part !== null).join(':');
  return `${place}: ${problem.message}`;
}
