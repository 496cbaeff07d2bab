import { opendir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ConfigProblem } from '../../core/config';
import { parseProviderMap, type UserProviderMap } from '../../core/providers/providers';
import { failureCode, failureText } from '../base/failure';
import { isInside } from '../base/inside';
import { LEADS_OUT, MAX_CONFIG_BYTES, type Read, readText } from '../base/read-text';

const FOLDER = 'providers';
const MAX_MAPS = 100;
const MAX_NAMES = 2_000;
/** Read before the first decision; a real map has a few kB. */
const MAX_ALL_BYTES = 262_144;

export type ReadMaps = Readonly<{ maps: readonly UserProviderMap[]; problems: readonly string[] }>;

export type LoadedMaps = ReadMaps & Readonly<{ own: readonly UserProviderMap[] }>;

export const mapFolders = (places: readonly string[]): readonly string[] => [
  ...new Set(places.map((path) => join(dirname(path), FOLDER))),
];

/** Ignores a file with any error. Never rejects. @param within no link may leave it. */
export async function readMaps([folder]: readonly string[], within?: string): Promise<ReadMaps> {
  if (folder === undefined) return { maps: [], problems: [] };
  const { names, problems } = await namesIn(folder, within);
  const maps: UserProviderMap[] = [];
  let left = MAX_ALL_BYTES;
  for (const name of names) {
    const read = await readText(join(folder, name), Math.min(MAX_CONFIG_BYTES, left), within);
    const { map, problem } = readMap(read);
    if (map !== null) maps.push(map);
    if (problem !== null) problems.push(problem);
    if (read.kind === 'text') left -= read.text.length;
    if (left <= 0) break;
  }
  return { maps, problems };
}

async function namesIn(folder: string, within: string | undefined): Promise<{ names: string[]; problems: string[] }> {
  const nothing = (reason: string) => ({ names: [], problems: [`${folder}: cannot be read: ${reason}`] });
  try {
    if (within !== undefined && !(await isInside(within, folder))) return nothing(LEADS_OUT);
  } catch (error) {
    return failureCode(error) === 'ENOENT' ? { names: [], problems: [] } : nothing(failureText(error));
  }
  const names: string[] = [];
  let seen = 0;
  try {
    for await (const { name } of await opendir(folder)) {
      if (/\.jsonc?$/.test(name)) names.push(name);
      if (++seen >= MAX_NAMES) break;
    }
  } catch {
    // silent: most users have no such folder
    return { names: [], problems: [] };
  }
  const many = `${folder}: contains more than ${MAX_MAPS} maps; the first ${MAX_MAPS} are read`;
  return { names: names.sort().slice(0, MAX_MAPS), problems: names.length > MAX_MAPS ? [many] : [] };
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
