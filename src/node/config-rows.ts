import { sep } from 'node:path';
import { type ConfigRow, onPush } from '../contract';
import { builtInProviderMaps } from '../core/built-in-providers';
import { type ConfigProblem, NO_HOST, resolveScope, type Triage } from '../core/config';
import type { Core } from '../core/core';
import { createKindReader, type KindReader } from '../core/kind-reader';
import { mergeMaps } from '../core/providers';
import { configPaths, loadConfig } from './config-files';
import { type ConfigWatch, watchConfigFiles } from './config-watch';
import { loadProviderMaps } from './provider-maps';
import type { Environment } from './state-home';

/** What the files of a directory ask of the app itself; null while they have not been read. */
export type ConfigFollower = Readonly<{ triageOf(directory: string): Triage | null; close(): Promise<void> }>;

/**
 * Keeps what the core knows of configuration files true: the user's own, and each project's that an OpenCode has opened.
 * A change on disk shows within a moment.
 */
export function watchConfig(core: Core, env: Environment): ConfigFollower {
  const watches = new Map<string, ConfigWatch>();
  const rows = new Map<string, readonly ConfigRow[]>();
  const readers = new Map<string, KindReader>();
  const triages = new Map<string, Triage>();

  const read = async (directory: string | null): Promise<void> => {
    const paths = configPaths(directory, env);
    const [{ sources, stamp }, { maps, own }] = await Promise.all([loadConfig(paths), loadProviderMaps(paths)]);
    // Both files together: a project may name a policy that the user's own file defines.
    const { problems, patterns, triage, ownWordsOnly } = resolveScope(sources, NO_HOST);
    triages.set(directory ?? '', triage);
    const scope = directory === null ? 'global' : 'project';
    const ours = sources[scope]?.path;
    const isHere = (path: string): boolean =>
      paths.foreign?.some((place) => place.scope === scope && isWithin(path, place.path)) ?? false;
    const theirs = (sources.foreign ?? []).map(({ path }) => path).filter(isHere);
    rows.set(
      directory ?? '',
      [...(ours === undefined ? [] : [ours]), ...theirs].map((path) => ({
        ...rowOf(path, directory, problems),
        ...(stamp[path] === undefined ? {} : { edition: stamp[path] }),
      })),
    );
    readers.set(
      directory ?? '',
      createKindReader(() => mergeMaps(builtInProviderMaps(), ownWordsOnly ? own : maps), patterns),
    );
    core.setConfig([...rows.values()].flat(), [...readers.values()]);
  };
  const projects = (): readonly string[] => [...watches.keys()].filter((key) => key !== '');
  const follow = (directory: string | null): void => {
    if (watches.has(directory ?? '')) return;
    const paths = configPaths(directory, env);
    const foreign = paths.foreign?.filter(({ scope }) => scope === (directory === null ? 'global' : 'project')) ?? [];
    const own = directory === null ? { ...paths, foreign, project: [] } : { ...paths, foreign, global: [] };
    const onChange = (): void => {
      for (const reader of directory === null ? [null, ...projects()] : [directory]) void read(reader);
    };
    watches.set(directory ?? '', watchConfigFiles(own, { onChange }));
    void read(directory);
  };

  follow(null);
  const stop = onPush(core.host, 'snapshot', ({ instances }) => {
    for (const instance of instances) for (const directory of instance.directories) follow(directory);
  });
  return {
    triageOf: (directory) => triages.get(directory) ?? null,
    async close() {
      stop();
      await Promise.all([...watches.values()].map((watch) => watch.close()));
    },
  };
}

const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(place + sep);

/** Problems the companion alone can judge (models nobody reports) are not repeated here. */
function rowOf(path: string, directory: string | null, problems: readonly ConfigProblem[]): ConfigRow {
  const own = problems.filter((problem) => problem.path === path && problem.code !== 'glob.empty');
  return {
    path,
    directory,
    problems: own.map(({ severity, message, line, column }) => ({ severity, message, line, column })),
  };
}
