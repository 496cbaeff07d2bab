import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ConfigProblem } from '../core/config';
import { parseProviderMap, type UserProviderMap } from '../core/providers';
import type { ConfigPaths } from './config-files';
import { failureCode, failureText } from './failure';

/** The folder of a user's provider maps, beside the configuration file. */
const FOLDER = 'providers';
/** More maps than there are providers are a mistake. */
const MAX_MAPS = 100;
/** A real map has a few kB. */
const MAX_MAP_CHARS = 131_072;

/** What the user's maps say, and what is wrong with those that are not in force. */
export type LoadedMaps = Readonly<{ maps: readonly UserProviderMap[]; problems: readonly string[] }>;

/**
 * Reads `providers/*.json` beside the places of the configuration file, the user's own first and the project's over
 * them. A file with any fault is out of force as a whole; never rejects.
 */
export async function loadProviderMaps(paths: ConfigPaths): Promise<LoadedMaps> {
  const places = [...new Set([...paths.global, ...paths.project].map((path) => join(dirname(path), FOLDER)))];
  const files = (await Promise.all(places.map((place) => mapFiles(place)))).flat();
  const reads = await Promise.all(files.slice(0, MAX_MAPS).map((path) => readMap(path)));
  return {
    maps: reads.flatMap((read) => (read.map ? [read.map] : [])),
    problems: reads.flatMap((read) => (read.problem ? [read.problem] : [])),
  };
}

async function mapFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => /\.jsonc?$/.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

async function readMap(path: string): Promise<{ map: UserProviderMap | null; problem: string | null }> {
  try {
    const text = await readFile(path, 'utf8');
    if (text.length > MAX_MAP_CHARS) return { map: null, problem: `${path}: is too large to be a provider map.` };
    const parsed = parseProviderMap(text, path);
    return parsed.problem
      ? { map: null, problem: problemText(path, parsed.problem) }
      : { map: parsed.map, problem: null };
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return { map: null, problem: null };
    return { map: null, problem: `${path}: cannot be read: ${failureText(error)}` };
  }
}

function problemText(path: string, problem: ConfigProblem): string {
  const place = [path, problem.line, problem.column].filter((part) => part !== null).join(':');
  return `${place}: ${problem.message}`;
}
