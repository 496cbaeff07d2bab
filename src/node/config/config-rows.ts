import { sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { onPush } from '../../contract/contract';
import type { ConfigRow } from '../../contract/snapshot';
import { createKindReader, type KindReader } from '../../core/base/kind-reader';
import { type ConfigProblem, NO_HOST, ownSources, resolveScope, type Triage } from '../../core/config';
import type { Core } from '../../core/core';
import type { Clock } from '../../core/ports/ports';
import { builtInProviderMaps } from '../../core/providers/built-in-providers';
import { mergeMaps } from '../../core/providers/providers';
import { type AllKept, allKept, keptModelsPath } from '../base/kept-models';
import { type Environment, stateHome } from '../base/state-home';
import { type ConfigPaths, configPaths } from './config-files';
import { type ConfigReader, openConfig } from './config-reader';
import { type ConfigWatch, watchConfigFiles } from './config-watch';
import { type Judge, judgedBy, ofUsers, shownProblems } from './shown-problems';

type FollowOptions = Readonly<{
  clock?: Pick<Clock, 'schedule' | 'now'>;
  onChange?: (directory: string) => void;
}>;

export type ConfigFollower = Readonly<{
  /** Null if the files could not be read. */
  triageOf(directory: string): Promise<Triage | null>;
  close(): Promise<void>;
}>;

const CLOSED_FOLLOWED = 16;

type Followed = {
  readonly reader: Promise<ConfigReader>;
  watch: ConfigWatch | null;
  host: Judge | null;
  isOpen: boolean;
  isLeft: boolean;
};

type Found = Readonly<{
  directory: string | null;
  paths: readonly string[];
  stamp: Readonly<Record<string, string>>;
  problems: readonly ConfigProblem[];
  /** Problems with this directory's OpenCode; null if none is open or none has reported. */
  ofUsers: readonly ConfigProblem[] | null;
}>;

/** Follows the user's own files and those of open or recent projects. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function watchConfig(core: Core, env: Environment, { clock, onChange }: FollowOptions = {}): ConfigFollower {
  /** Most recently open last; the empty key is the user. */
  const followed = new Map<string, Followed>();
  const found = new Map<string, Found>();
  const readers = new Map<string, KindReader>();
  let isClosed = false;
  const home = stateHome(env);

  const publish = (directory: string | null, reader: ConfigReader, { host, isOpen }: Followed): void => {
    const { sources, stamp, paths, maps } = reader.loaded();
    // Resolved together: a project may name the user's own policy.
    const { patterns, ownWordsOnly, showsTitles, problems: unhosted } = resolveScope(sources, NO_HOST);
    if (directory !== null) core.showTitles(directory, showsTitles);
    const problems = shownProblems(unhosted, sources, host, isOpen ? 'running' : 'gone').map((problem) => ({
      ...problem,
      path: problem.path ?? directory,
    }));
    const scope = directory === null ? 'global' : 'project';
    const ours = sources[scope]?.path;
    const isHere = (path: string): boolean =>
      paths.foreign?.some((place) => place.scope === scope && isWithin(path, place.path)) ?? false;
    const theirs = (sources.foreign ?? []).map(({ path }) => path).filter(isHere);
    const late = sources.late === undefined ? [] : [sources.late.project];
    const whole = problems.filter(({ path }) => path !== null && path === directory).map(({ path }) => String(path));
    const users = ownSources(sources).map(({ path }) => path);
    found.set(directory ?? '', {
      directory,
      stamp,
      problems,
      paths: [...new Set([...late, ...whole, ...(ours === undefined ? [] : [ours]), ...theirs])],
      ofUsers: host && isOpen ? problems.filter(({ path }) => path !== null && users.includes(path)) : null,
    });
    readers.set(
      directory ?? '',
      createKindReader(() => mergeMaps(builtInProviderMaps(), ownWordsOnly ? maps.own : maps.maps), patterns),
    );
    tell();
  };
  const tell = (): void => core.setConfig(rowsOf([...found.values()]), [...readers.values()]);
  /** @returns whether OpenCode's list of models changed. */
  const lookAtHost = async (
    directory: string | null,
    own: () => Followed,
    stored: Promise<AllKept>,
  ): Promise<boolean> => {
    const now = judgedBy(await stored, directory);
    const { host } = own();
    own().host = now;
    return !isDeepStrictEqual(now, host);
  };
  const look = async (directory: string | null, stored = allKept(home)): Promise<void> => {
    const own = followed.get(directory ?? '');
    if (!own) return;
    const reader = await own.reader;
    const news = await Promise.all([reader.refresh(), lookAtHost(directory, () => own, stored)]);
    if (!news.includes(true) || isClosed || own.isLeft) return;
    publish(directory, reader, own);
    if (news[0] && directory !== null) onChange?.(directory);
  };
  const lookAll = (directory: string | null): void => {
    const projects = [...followed.keys()].filter((key) => key !== '');
    // One file for all directories, of megabytes with a router.
    const stored = allKept(home);
    for (const each of directory === null ? [null, ...projects] : [directory]) void look(each, stored);
  };
  const open = async (directory: string | null, own: () => Followed): Promise<ConfigReader> => {
    const paths = configPaths(directory, env);
    const [reader] = await Promise.all([openConfig(paths, clock), lookAtHost(directory, own, allKept(home))]);
    const show = (): void => {
      if (isClosed || own().isLeft) return;
      publish(directory, reader, own());
      // A watch waits for the disk: start it only after the disk responded.
      if (own().watch || reader.loaded().sources.late) return;
      const watch = watchConfigFiles(watchedOf(paths, directory), { onChange: () => lookAll(directory), home });
      own().watch = watch;
      // A file may have changed before the watch started.
      void watch.ready.then(() => look(directory));
    };
    reader.onLater(show);
    show();
    return reader;
  };
  const follow = (directory: string | null): void => {
    const key = directory ?? '';
    const watched = followed.get(key);
    followed.delete(key);
    const own: Followed = watched ?? {
      reader: open(directory, () => own),
      watch: null,
      host: null,
      isOpen: false,
      isLeft: false,
    };
    followed.set(key, own);
  };
  const leave = (key: string): void => {
    const own = followed.get(key);
    if (!own) return;
    own.isLeft = true;
    void own.watch?.close();
    // An unfollowed project could not hide its titles again.
    core.showTitles(key, false);
    for (const memory of [followed, found, readers]) memory.delete(key);
  };

  /** A closed OpenCode's problems may be outdated. */
  const heed = (open: ReadonlySet<string>): void => {
    for (const [key, own] of followed) {
      if (key === '' || own.isOpen === open.has(key)) continue;
      own.isOpen = open.has(key);
      void own.reader.then((reader) => {
        if (!isClosed && !own.isLeft) publish(key, reader, own);
      });
    }
  };

  follow(null);
  // A new default model in OpenCode changes no configuration file.
  const storedFiles = { project: [], global: [keptModelsPath(home)] };
  const keptWatch = watchConfigFiles(storedFiles, { onChange: () => lookAll(null), home });
  const stop = onPush(core.host, 'snapshot', ({ instances }) => {
    const open = new Set(instances.flatMap(({ directories }) => directories));
    for (const directory of open) follow(directory);
    const closed = [...followed.keys()].filter((key) => key !== '' && !open.has(key));
    heed(new Set(instances.filter(({ status }) => status === 'connected').flatMap(({ directories }) => directories)));
    const tooMany = closed.slice(0, -CLOSED_FOLLOWED);
    for (const key of tooMany) leave(key);
    if (tooMany.length > 0) tell();
  });
  return {
    // A session may end before its project was read.
    async triageOf(directory) {
      follow(directory);
      // silent: the rows show why the files cannot be read
      const reader = await followed.get(directory)?.reader.catch(() => undefined);
      return reader ? resolveScope(reader.loaded().sources, NO_HOST).triage : null;
    },
    async close() {
      isClosed = true;
      stop();
      await Promise.all(
        [keptWatch, ...[...followed.values()].map(({ watch }) => watch)].map((watch) => watch?.close()),
      );
    },
  };
}

/** The user's files are watched once, not once per project. */
function watchedOf({ trust, ...paths }: ConfigPaths, directory: string | null): ConfigPaths {
  const foreign = paths.foreign?.filter(({ scope }) => scope === (directory === null ? 'global' : 'project')) ?? [];
  if (directory !== null) return { ...paths, foreign, global: [] };
  return { ...paths, foreign, project: [], ...(trust === undefined ? {} : { trust }) };
}

const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(place + sep);

/** Includes problems in open projects. */
function rowsOf(all: readonly Found[]): readonly ConfigRow[] {
  const projects = new Map(
    all.flatMap(({ directory, ofUsers: met }) =>
      directory === null || met === null ? [] : [[directory, met] as const],
    ),
  );
  return all.flatMap(({ directory, paths, stamp, problems }) => {
    const shown = directory === null ? ofUsers(problems, projects) : problems;
    return paths.map((path) => ({
      ...rowOf(path, directory, shown),
      ...(stamp[path] === undefined ? {} : { edition: stamp[path] }),
    }));
  });
}

function rowOf(path: string, directory: string | null, problems: readonly ConfigProblem[]): ConfigRow {
  const own = problems.filter((problem) => problem.path === path);
  return {
    path,
    directory,
    problems: own.map(({ severity, message, line, column, code }) => ({
      severity,
      message,
      line,
      column,
      ...(code === 'limit.kept' ? { isAsking: true } : {}),
    })),
  };
}
