import { join } from 'node:path';
import type { ConfigProblem, ConfigSource } from '../../core/config';
import { confined, PLACES, parseConfig, whyNotOfProject } from '../../core/config';
import { valueAt } from '../../core/config/at-path';
import { realInside } from '../base/inside';
import { MAX_CONFIG_BYTES, type Read, readText } from '../base/read-text';
import { type FilesAbove, loadAbove, lookAbove } from './above-files';
import type { ConfigPaths, ConfigScope } from './config-files';
import { lookAt, type Mark, MISSING } from './config-look';
import { type ForeignFile, foreignFiles, loadForeign } from './foreign-files';
import { lastConfig } from './last-config';
import { mapFolders, type ReadMaps, readMaps } from './provider-maps';
import { nameOf, trustedIn } from './trust';

export type ConfigStamp = Readonly<Record<string, Mark>>;

export type ConfigPart = Readonly<{
  stamp: ConfigStamp;
  source: ConfigSource | null;
  foreign: readonly ConfigSource[];
  maps: ReadMaps;
  /** Null for the user's own files, and until it is resolved. */
  name: string | null;
  trusted: readonly string[];
}>;

export const NO_PART: ConfigPart = {
  stamp: {},
  source: null,
  foreign: [],
  maps: { maps: [], problems: [] },
  name: null,
  trusted: [],
};

/**
 * Returns `previous` if no file changed. Reads in sequence: an unavailable disk then blocks only one I/O thread. The
 * last content of an unreadable file applies.
 */
export async function readPart(paths: ConfigPaths, scope: ConfigScope, previous: ConfigPart): Promise<ConfigPart> {
  // Checked before reading: the next check detects a change in between.
  const { stamp, foreign, above } = await lookRound(paths, scope);
  if (isSame(stamp, previous.stamp)) return previous;
  const isThere = (path: string): boolean => stamp[path] !== MISSING;
  const { trust } = paths;
  const within = withinOf(paths, scope);
  const source = await readSource(paths[scope].filter(isThere), {
    previous: previous.source,
    within,
    ...(scope === 'global' && paths.home !== undefined ? { home: paths.home } : {}),
  });
  const others = foreign.filter(({ path }) => isThere(path));
  return {
    stamp,
    source: source !== null && scope === 'project' ? confined(source, await linkedPlaces(source, within)) : source,
    foreign: [
      ...(await loadForeign(others, previous.foreign)),
      ...(scope === 'project' && paths.above ? await loadAbove(paths.above, above, previous.foreign) : []),
    ],
    maps: await readMaps(mapFolders(paths[scope]).filter(isThere), within),
    name: within === undefined ? null : (previous.name ?? (await nameOf(within))),
    trusted: within !== undefined && trust !== undefined && isThere(trust) ? await trustedIn(trust, within) : [],
  };
}

async function linkedPlaces(source: ConfigSource, within: string | undefined): Promise<readonly string[]> {
  if (within === undefined) return [];
  const written = Object.values(PLACES).map((at) => valueAt(source.config, at));
  const inside = written.filter((place) => typeof place === 'string' && whyNotOfProject(place) === null) as string[];
  // silent: a place that cannot be looked at is reported as one behind a link
  const real = await Promise.all(inside.map((place) => realInside(within, join(within, place)).catch(() => null)));
  const root = inside.length === 0 ? '' : await nameOf(within);
  return inside.filter((place, index) => real[index] !== join(root, place));
}

const withinOf = ({ within }: ConfigPaths, scope: ConfigScope): string | undefined =>
  scope === 'project' ? within : undefined;

const placesOf = ({ foreign = [] }: ConfigPaths, scope: ConfigScope) =>
  foreign.filter((place) => place.scope === scope);

async function readSource(
  places: readonly string[],
  context: Readonly<{ previous: ConfigSource | null; within: string | undefined; home?: string }>,
): Promise<ConfigSource | null> {
  const found: Exclude<Read, { kind: 'missing' }>[] = [];
  for (const path of places) {
    const read = await readText(path, MAX_CONFIG_BYTES, context.within);
    if (read.kind !== 'missing') found.push(read);
  }
  const [first, second] = found;
  if (first === undefined) return null;
  const source = asSource(first);
  const usable = source.config === null ? await lastGood(source, context) : source;
  if (second === undefined) return usable;
  const message = `${second.path} is ignored because ${first.path} exists.`;
  return { ...usable, problems: [...usable.problems, problemOf('file.shadowed', first.path, message)] };
}

export const STILL_COUNTS = 'Its last valid content applies until you fix it.';

async function lastGood(
  source: ConfigSource,
  { previous, home }: Readonly<{ previous: ConfigSource | null; home?: string }>,
): Promise<ConfigSource> {
  const before = previous !== null && previous.path === source.path ? previous.config : null;
  const config = before ?? (home === undefined ? null : await lastConfig(home, source.path));
  const problems = source.problems.map((each) =>
    config === null ? each : { ...each, message: `${each.message} ${STILL_COUNTS}` },
  );
  const positions = before === null || previous === null ? source.positions : previous.positions;
  return { ...source, config, positions, problems };
}

function asSource(read: Exclude<Read, { kind: 'missing' }>): ConfigSource {
  if (read.kind === 'text') return { path: read.path, ...parseConfig(read.text, read.path) };
  const message = `The file cannot be read: ${read.reason}.`;
  return {
    path: read.path,
    config: null,
    problems: [problemOf('file.unreadable', read.path, message)],
    positions: new Map(),
  };
}

function problemOf(code: ConfigProblem['code'], path: string, message: string): ConfigProblem {
  const severity = code === 'file.unreadable' ? 'error' : 'warning';
  return { severity, code, message, path, line: null, column: null };
}

async function lookRound(
  paths: ConfigPaths,
  scope: ConfigScope,
): Promise<{ stamp: ConfigStamp; foreign: readonly ForeignFile[]; above: FilesAbove }> {
  const places = placesOf(paths, scope);
  const own = [...paths[scope], ...mapFolders(paths[scope])];
  const look = lookAt([...own, ...places.map(({ path }) => path)], withinOf(paths, scope));
  const stamp: Record<string, Mark> = {};
  const foreign: ForeignFile[] = [];
  for (const path of own) stamp[path] = await look(path);
  for (const place of places) {
    if (place.kind === 'agents' && (await look(place.path)) === MISSING) continue;
    for (const file of await foreignFiles(place)) {
      stamp[file.path] = await look(file.path);
      foreign.push(file);
    }
  }
  if (scope !== 'project') return { stamp, foreign, above: [] };
  if (paths.trust) stamp[paths.trust] = await lookAt([])(paths.trust);
  const above = paths.above ? await lookAbove(paths.above, paths.globalFolder ?? '') : { stamp: {}, files: [] };
  return { stamp: { ...stamp, ...above.stamp }, foreign, above: above.files };
}

function isSame(one: ConfigStamp, other: ConfigStamp): boolean {
  const places = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...places].every((path) => one[path] === other[path]);
}
