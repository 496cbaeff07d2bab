import { join, resolve } from 'node:path';
import { isPresent } from '../base/look';
import { type Environment, homeIn, stateHome, xdgFolder } from '../base/state-home';
import { type FoldersAbove, foldersAbove } from './above-files';
import { type ForeignPlace, foreignPlaces } from './foreign-files';
import { trustPath } from './trust';

/** Names of the file in its folder, strongest first. */
const NAMES = ['model-fallback.json', 'model-fallback.jsonc'] as const;

export type ConfigScope = 'project' | 'global';

/** Possible files of one directory, strongest first in each scope. */
export type ConfigPaths = Readonly<Record<ConfigScope, readonly string[]>> &
  Readonly<{
    /** Files of other tools that also name chains. */
    foreign?: readonly ForeignPlace[];
    /** Folders above the project in which OpenCode reads providers; absent without a project. */
    above?: FoldersAbove;
    /** The user's OpenCode folder. */
    globalFolder?: string;
    /** The project, which no link of its files may leave; absent without one. */
    within?: string;
    /** Path of the user's approvals for projects. */
    trust?: string;
    /**
     * State home with the last valid content of the user's own file, for processes that apply it while the file is
     * unreadable.
     */
    home?: string;
  }>;

/**
 * Returns OpenCode's configuration folder: `OPENCODE_CONFIG_DIR`, else `$XDG_CONFIG_HOME/opencode`, else
 * `~/.config/opencode`, on every system.
 */
export function openCodeConfigFolder(env: Environment = process.env, homedir: string = homeIn(env)): string {
  const own = env.OPENCODE_CONFIG_DIR;
  if (own !== undefined && own !== '') return resolve(own);
  return join(xdgFolder('XDG_CONFIG_HOME', ['.config'], { env, homedir, platform: process.platform }), 'opencode');
}

/** @param directory the project's directory; null for the user's own file alone. */
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

/**
 * Returns the same for processes that apply the last valid content of the user's own file, even if another process read
 * it.
 */
export const keptPaths = (directory: string | null, home: string, env: Environment = process.env): ConfigPaths => ({
  ...configPaths(directory, env),
  home,
});

export const boundsOf = ({ project, within }: ConfigPaths, path: string): Readonly<{ within?: string }> =>
  within !== undefined && project.includes(path) ? { within } : {};

/** Returns the file of a scope that applies and that edits change: the strongest existing one, else the first path. */
export async function configTarget(paths: readonly string[]): Promise<string> {
  const [first] = paths;
  if (first === undefined) throw new RangeError('This scope has no place for a configuration file.');
  for (const path of paths) if (await isPresent(path)) return path;
  return first;
}
