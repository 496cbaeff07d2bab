import { join, resolve } from 'node:path';
import { isPresent } from '../base/look';
import { type Environment, homeIn, stateHome, xdgFolder } from '../base/state-home';
import { type FoldersAbove, foldersAbove } from './above-files';
import { type ForeignPlace, foreignPlaces } from './foreign-files';
import { trustPath } from './trust';

/** Strongest first. */
const NAMES = ['model-fallback.json', 'model-fallback.jsonc'] as const;

export type ConfigScope = 'project' | 'global';

export type ConfigPaths = Readonly<Record<ConfigScope, readonly string[]>> &
  Readonly<{
    foreign?: readonly ForeignPlace[];
    /** Absent without a project. */
    above?: FoldersAbove;
    globalFolder?: string;
    /** No link of the project's files may leave it. */
    within?: string;
    trust?: string;
    /** Has the last valid content of the user's own file; set for processes that apply it. */
    home?: string;
  }>;

/** OpenCode uses `~/.config` on every system. */
export function openCodeConfigFolder(env: Environment = process.env, homedir: string = homeIn(env)): string {
  const own = env.OPENCODE_CONFIG_DIR;
  if (own !== undefined && own !== '') return resolve(own);
  return join(xdgFolder('XDG_CONFIG_HOME', ['.config'], { env, homedir, platform: process.platform }), 'opencode');
}

/** @param directory null for the user's own file. */
export function configPaths(
  directory: string | null,
  env: Environment = process.env,
  homedir: string = homeIn(env),
): ConfigPaths {
  const globalFolder = openCodeConfigFolder(env, homedir);
  const projectFolder = directory === null ? null : join(resolve(directory), '.opencode');
  const inFolder = (folder: string) => NAMES.map((name) => join(folder, name));
  return {
    // `OPENCODE_CONFIG_DIR` may be the project's own folder: read its file once.
    project: projectFolder === null || projectFolder === globalFolder ? [] : inFolder(projectFolder),
    global: inFolder(globalFolder),
    foreign: foreignPlaces(directory === null ? null : resolve(directory), globalFolder),
    trust: trustPath(stateHome(env, process.platform, homedir)),
    ...(directory === null
      ? {}
      : { within: resolve(directory), above: foldersAbove(resolve(directory), homedir), globalFolder }),
  };
}

export const keptPaths = (directory: string | null, home: string, env: Environment = process.env): ConfigPaths => ({
  ...configPaths(directory, env),
  home,
});

export const boundsOf = ({ project, within }: ConfigPaths, path: string): Readonly<{ within?: string }> =>
  within !== undefined && project.includes(path) ? { within } : {};

export async function configTarget(paths: readonly string[]): Promise<string> {
  const [first] = paths;
  if (first === undefined) throw new RangeError('This scope has no place for a configuration file.');
  for (const path of paths) if (await isPresent(path)) return path;
  return first;
}
