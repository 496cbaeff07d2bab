import { sep } from 'node:path';
import { settled } from '../../core/base/settled';
import type { ConfigSource, ConfigSources } from '../../core/config';
import type { Clock } from '../../core/ports/ports';
import { nodeClock } from '../base/clock';
import type { ConfigPaths } from './config-files';
import { type ConfigPart, type ConfigStamp, NO_PART, readPart } from './config-part';
import type { LoadedMaps } from './provider-maps';

/**
 * How long reading a project may delay callers beyond the user's own files, in ms: 200, or on a busy machine ten times
 * the duration of the user's own files, up to a limit. Source: ADR 0024.
 */
const READING_LIMIT_MS = { least: 200, most: 2_000, timesOwn: 10 } as const;
/** A process that is blocked by other work cannot read either: pauses beyond this do not count, in ms. */
const TICK_MS = 20;

/** Content of one directory's files. */
export type LoadedConfig = Readonly<{
  /** For `resolveScope`. */
  sources: ConfigSources;
  maps: LoadedMaps;
  paths: ConfigPaths;
  /** Real path of the project; null without one, and until its disk responds. */
  name: string | null;
  /** Changes whenever a file changes. */
  stamp: ConfigStamp;
}>;

/** Follows the files of one directory. */
export type ConfigReader = Readonly<{
  loaded(): LoadedConfig;
  /**
   * Checks for changed files and reads again if there are any; waits for the project 200 ms at most, on a busy machine
   * ten times the duration of the user's own files, at most 2 s.
   * @returns whether the effective content changed.
   */
  refresh(): Promise<boolean>;
  /** Calls back each time a project that took too long has been read. */
  onLater(callback: () => void): void;
}>;

/**
 * Reads the files of one directory to the end, however long that takes: for callers that will write to them. Never
 * rejects.
 */
export async function loadConfig(paths: ConfigPaths): Promise<LoadedConfig> {
  const [own, project] = await Promise.all([readPart(paths, 'global', NO_PART), projectPart(paths, NO_PART)]);
  return together(paths, own, project);
}

/**
 * Reads the files of one directory and follows them. Always waits for the user's own files. Waits for the project's
 * only up to the limit, then reads on in the background; until that ends, the project's last content applies, at first
 * none.
 */
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
    // One check of a slow disk at a time is enough.
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

/**
 * Returns true if `work` ends in time. The limit counts only while this process runs, from the end of similar work: a
 * busy machine is slow at both.
 * @throws the work's error.
 */
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

/** Returns the index of a file's place; places are in order of strength. */
const strengthOf = ({ foreign = [] }: ConfigPaths, { path }: ConfigSource): number => {
  const place = foreign.findIndex((each) => each.path === path || path.startsWith(each.path + sep));
  // Files above a project are in none of the places.
  return place < 0 ? foreign.length : place;
};
