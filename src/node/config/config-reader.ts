import { sep } from 'node:path';
import { settled } from '../../core/base/settled';
import type { ConfigSource, ConfigSources } from '../../core/config';
import type { Clock } from '../../core/ports/ports';
import { nodeClock } from '../base/clock';
import type { ConfigPaths } from './config-files';
import { type ConfigPart, type ConfigStamp, NO_PART, readPart } from './config-part';
import type { LoadedMaps } from './provider-maps';

/** Limit of the delay by a project: ten times the duration of the user's own files, within bounds (ADR 0024). */
const READING_LIMIT_MS = { least: 200, most: 2_000, timesOwn: 10 } as const;
/** A blocked process cannot read either: longer pauses do not count. */
const TICK_MS = 20;

export type LoadedConfig = Readonly<{
  sources: ConfigSources;
  maps: LoadedMaps;
  paths: ConfigPaths;
  /** Null without a project, and until its disk responds. */
  name: string | null;
  stamp: ConfigStamp;
}>;

export type ConfigReader = Readonly<{
  loaded(): LoadedConfig;
  /** Waits for the project within the limit. @returns whether the effective content changed. */
  refresh(): Promise<boolean>;
  /** Called each time a late project has been read. */
  onLater(callback: () => void): void;
}>;

/** Waits however long it takes, for callers that write. Never rejects. */
export async function loadConfig(paths: ConfigPaths): Promise<LoadedConfig> {
  const [own, project] = await Promise.all([readPart(paths, 'global', NO_PART), projectPart(paths, NO_PART)]);
  return together(paths, own, project);
}

/** Until a slow project is read, its last content applies. */
export async function openConfig(
  paths: ConfigPaths,
  clock: Pick<Clock, 'schedule' | 'now'> = nodeClock(),
): Promise<ConfigReader> {
  let own = NO_PART;
  let project = NO_PART;
  let isLate = false;
  let edition = 0;
  let reading: Promise<void> = Promise.resolve();
  let tellLater = (): void => undefined;

  const lookAtOwn = async (): Promise<void> => {
    const now = await readPart(paths, 'global', own);
    if (now !== own) edition++;
    own = now;
  };
  const lookAtProject = async (): Promise<void> => {
    const now = await projectPart(paths, project);
    if (now !== project) edition++;
    project = now;
  };
  const setLate = (to: boolean): void => {
    isLate = to;
    edition++;
  };
  const inTime = async (ownIsRead: Promise<void>): Promise<void> => {
    // One check of a slow disk at a time.
    if (isLate) return;
    const mine = reading.then(lookAtProject);
    reading = settled(mine);
    if ((await withinLimit(mine, ownIsRead, clock)) || isLate) return;
    setLate(true);
    void reading.then(() => {
      setLate(false);
      tellLater();
    });
  };
  const refresh = async (): Promise<boolean> => {
    const before = edition;
    const ownIsRead = lookAtOwn();
    await Promise.all([ownIsRead, inTime(ownIsRead)]);
    return edition !== before;
  };

  await refresh();
  return {
    loaded: () => {
      const late = isLate && paths.within ? { late: { project: paths.within, isFirst: project === NO_PART } } : {};
      const { sources, ...loaded } = together(paths, own, project);
      return { ...loaded, sources: { ...sources, ...late } };
    },
    refresh,
    onLater(callback) {
      tellLater = callback;
    },
  };
}

const projectPart = async (paths: ConfigPaths, previous: ConfigPart): Promise<ConfigPart> =>
  paths.within === undefined ? NO_PART : readPart(paths, 'project', previous);

/** Counts from the end of `likeIt` and only while this process runs. @throws the work's error. */
function withinLimit(
  work: Promise<void>,
  likeIt: Promise<void>,
  { schedule, now }: Pick<Clock, 'schedule' | 'now'>,
): Promise<boolean> {
  const startedAt = now();
  return new Promise((resolve, reject) => {
    let left = 0;
    let isDone = false;
    let cancel = (): void => undefined;
    const wait = (): void => {
      if (!isDone) cancel = schedule(TICK_MS, tick);
    };
    const tick = (): void => {
      left--;
      if (left === 0) resolve(false);
      else wait();
    };
    const end = (): void => {
      isDone = true;
      cancel();
    };
    const begin = (): void => {
      const { least, most, timesOwn } = READING_LIMIT_MS;
      left = Math.ceil(Math.min(most, Math.max(least, (now() - startedAt) * timesOwn)) / TICK_MS);
      wait();
    };
    likeIt.then(begin, begin);
    work.then(() => resolve(true), reject).finally(end);
  });
}

function together(paths: ConfigPaths, own: ConfigPart, project: ConfigPart): LoadedConfig {
  const foreign = [...project.foreign, ...own.foreign].toSorted((a, b) => strengthOf(paths, a) - strengthOf(paths, b));
  return {
    sources: {
      project: project.source,
      global: own.source,
      ...(foreign.length === 0 ? {} : { foreign }),
      ...(project.trusted.length === 0 ? {} : { trusted: project.trusted }),
    },
    maps: {
      maps: [...own.maps.maps, ...project.maps.maps],
      own: own.maps.maps,
      problems: [...own.maps.problems, ...project.maps.problems],
    },
    paths,
    name: project.name,
    stamp: { ...own.stamp, ...project.stamp },
  };
}

const strengthOf = ({ foreign = [] }: ConfigPaths, { path }: ConfigSource): number => {
  const place = foreign.findIndex((each) => each.path === path || path.startsWith(each.path + sep));
  // Files above a project are in no place.
  return place < 0 ? foreign.length : place;
};
