import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { homedir as systemHome } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { ConfigProblem, ConfigSource, ConfigSources } from '../core/config';
import { confined, parseConfig } from '../core/config';
import { type ForeignPlace, foreignFiles, foreignPlaces, loadForeign } from './foreign-files';
import { MAX_CONFIG_BYTES, type Read, readText } from './read-text';
import { type Environment, stateHome } from './state-home';
import { trustedIn, trustPath } from './trust';

/** The names the file may have in its folder, the strongest first. */
const NAMES = ['model-fallback.json', 'model-fallback.jsonc'] as const;

export type ConfigScope = 'project' | 'global';

/** Where the files of one directory may lie, in each scope the strongest first. */
export type ConfigPaths = Readonly<Record<ConfigScope, readonly string[]>> &
  Readonly<{
    /** Files of others that name chains as well. */
    foreign?: readonly ForeignPlace[];
    /** The project, which no link of its files may lead out of; absent without one. */
    within?: string;
    /** Where it is kept what the user has allowed a project; absent without one. */
    trust?: string;
  }>;

/** What a set of files looked like when it was read; only good for `configChangedSince`. */
export type ConfigStamp = Readonly<Record<string, string>>;

/** The files of one directory, read. */
export type LoadedConfig = Readonly<{
  /** For `resolveScope`. */
  sources: ConfigSources;
  paths: ConfigPaths;
  stamp: ConfigStamp;
}>;

/**
 * OpenCode's configuration folder: `OPENCODE_CONFIG_DIR`, else `$XDG_CONFIG_HOME/opencode`, else `~/.config/opencode`,
 * on every system.
 */
export function openCodeConfigFolder(env: Environment = process.env, homedir: string = systemHome()): string {
  const own = env.OPENCODE_CONFIG_DIR;
  if (own !== undefined && own !== '') return resolve(own);
  const base = env.XDG_CONFIG_HOME;
  return join(base !== undefined && isAbsolute(base) ? base : join(homedir, '.config'), 'opencode');
}

/** @param directory the project's directory; null for the user's own file alone. */
export function configPaths(
  directory: string | null,
  env: Environment = process.env,
  homedir: string = systemHome(),
): ConfigPaths {
  const globalFolder = openCodeConfigFolder(env, homedir);
  const projectFolder = directory === null ? null : join(resolve(directory), '.opencode');
  const inFolder = (folder: string) => NAMES.map((name) => join(folder, name));
  return {
    // `OPENCODE_CONFIG_DIR` may point at the project's own folder: its file is read once.
    project: projectFolder === null || projectFolder === globalFolder ? [] : inFolder(projectFolder),
    global: inFolder(globalFolder),
    foreign: foreignPlaces(directory === null ? null : resolve(directory), globalFolder),
    ...(directory === null
      ? {}
      : { within: resolve(directory), trust: trustPath(stateHome(env, process.platform, homedir)) }),
  };
}

/** What a write to one of the places has to keep to: a project's file reaches nothing outside it. */
export const boundsOf = ({ project, within }: ConfigPaths, path: string): Readonly<{ within?: string }> =>
  within !== undefined && project.includes(path) ? { within } : {};

/** The file of a scope that is in force, and that an edit belongs in: the strongest that exists, else the first place. */
export function configTarget(paths: readonly string[]): string {
  const [first] = paths;
  if (first === undefined) throw new RangeError('This scope has no place for a configuration file.');
  return paths.find((path) => existsSync(path)) ?? first;
}

/**
 * Reads the files of one directory. A missing file is no problem; one that cannot be read is an error among the
 * problems, and what it said last stays in force when `previous` is given. Never rejects.
 */
export async function loadConfig(paths: ConfigPaths, previous: LoadedConfig | null = null): Promise<LoadedConfig> {
  // The stamp is older than what is read: a change in between is seen at the next look.
  const stamp = await stampOf(paths);
  const [project, global, foreign, trusted] = await Promise.all([
    loadScope(paths.project, previous?.sources.project ?? null, { may: confined, within: paths.within }),
    loadScope(paths.global, previous?.sources.global ?? null, { may: (source) => source }),
    loadForeign(paths.foreign ?? [], previous?.sources.foreign ?? []),
    paths.trust && paths.within ? trustedIn(paths.trust, paths.within) : [],
  ]);
  const sources = {
    ...{ project, global },
    ...(foreign.length === 0 ? {} : { foreign }),
    ...(trusted.length === 0 ? {} : { trusted }),
  };
  return { sources, paths, stamp };
}

/** Whether a file has come, gone or changed since `loaded` was read; one `stat` for each place, no watcher. */
export async function configChangedSince(loaded: LoadedConfig): Promise<boolean> {
  const now = await stampOf(loaded.paths);
  const places = new Set([...Object.keys(now), ...Object.keys(loaded.stamp)]);
  return [...places].some((path) => now[path] !== loaded.stamp[path]);
}

async function loadScope(
  paths: readonly string[],
  previous: ConfigSource | null,
  { may, within }: Readonly<{ may: (source: ConfigSource) => ConfigSource; within?: string | undefined }>,
): Promise<ConfigSource | null> {
  const reads = await Promise.all(paths.map((path) => readText(path, MAX_CONFIG_BYTES, within)));
  const found = reads.filter((read) => read.kind !== 'missing');
  const [first, second] = found;
  if (first === undefined) return null;
  const source = may(asSource(first));
  const lastGood = previous !== null && previous.path === source.path ? previous : null;
  const kept = source.config === null && lastGood !== null ? keep(lastGood, source) : source;
  if (second === undefined) return kept;
  const message = `${second.path} is not read: ${first.path} stands beside it and wins.`;
  return { ...kept, problems: [...kept.problems, problemOf('file.shadowed', first.path, message)] };
}

function keep(lastGood: ConfigSource, broken: ConfigSource): ConfigSource {
  return { ...lastGood, problems: broken.problems };
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

async function stampOf(paths: ConfigPaths): Promise<ConfigStamp> {
  const foreign = await Promise.all((paths.foreign ?? []).map((place) => foreignFiles(place)));
  const trust = paths.trust ? [paths.trust] : [];
  const all = [...paths.project, ...paths.global, ...foreign.flat().map(({ path }) => path), ...trust];
  const marks = await Promise.all(
    all.map(async (path) => {
      const info = await stat(path).catch(() => null);
      return [path, info === null ? 'missing' : `${info.ino}:${info.size}:${info.mtimeMs}:${info.ctimeMs}`] as const;
    }),
  );
  return Object.fromEntries(marks);
}
