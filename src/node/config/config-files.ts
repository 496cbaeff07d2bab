import { join, resolve } from 'node:path';
import { isPresent } from '../base/look';
import { type Environment, homeIn, stateHome, xdgFolder } from '../base/state-home';
import { type FoldersAbove, foldersAbove } from './above-files';
import { type ForeignPlace, foreignPlaces } from './foreign-files';
import { trustPath } from './trust';

/** The names the file may have in its folder, the strongest first. */
const NAMES = ['model-fallback.json', 'model-fallback.jsonc'] as const;

export type ConfigScope = 'project' | 'global';

/** Where the files of one directory may lie, in each scope the strongest first. */
export type ConfigPaths = Readonly<Record<ConfigScope, readonly string[]>> &
  Readonly<{
    /** Files of others that name chains as well. */
    foreign?: readonly ForeignPlace[];
    /** Folders above the project, in which OpenCode reads what providers there are; absent without a project. */
    above?: FoldersAbove;
    /** OpenCode's own folder of the user's. */
    globalFolder?: string;
    /** The project, which no link of its files may lead out of; absent without one. */
    within?: string;
    /** Where it is kept what the user has allowed the projects. */
    trust?: string;
    /** Where it is kept what the user's own file said last: for whoever has to keep to it while it cannot be read. */
    home?: string;
  }>;

/**
 * OpenCode's configuration folder: `OPENCODE_CONFIG_DIR`, else `$XDG_CONFIG_HOME/opencode`, else `~/.config/opencode`,
 * on every system.
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
    // `OPENCODE_CONFIG_DIR` may point at the project's own folder: its file is read once.
    project: projectFolder === null || projectFolder === globalFolder ? [] : inFolder(projectFolder),
    global: inFolder(globalFolder),
    foreign: foreignPlaces(directory === null ? null : resolve(directory), globalFolder),
    trust: trustPath(stateHome(env, process.platform, homedir)),
    ...(directory === null
      ? {}
      : { within: resolve(directory), above: foldersAbove(resolve(directory), homedir), globalFolder }),
  };
}

/** The same for whoever keeps to what the user's own file said last, also where it was read by another process. */
export const keptPaths = (directory: string | null, home: string, env: Environment = process.env): ConfigPaths => ({
  ...configPaths(directory, env),
  home,
});

export const boundsOf = ({ project, within }: ConfigPaths, path: string): Readonly<{ within?: string }> =>
  within !== undefined && project.includes(path) ? { within } : {};

/** The file of a scope that is in force, and that an edit belongs in: the strongest that exists, else the first place. */
export async function configTarget(paths: readonly string[]): Promise<string> {
  const [first] = paths;
  if (first === undefined) throw new RangeError('This scope has no place for a configuration file.');
  for (const path of paths) if (await isPresent(path)) return path;
  return first;
}
