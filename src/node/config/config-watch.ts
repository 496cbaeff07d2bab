import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { watch } from 'chokidar';
import type { ConfigPaths } from './config-files';

const DEBOUNCE_MS = 100;
/** From the anchor, which may lie far above a folder that is not there yet, down to an agent in a folder of agents. */
const MAX_DEPTH = 12;
/** What is watched in folders of a project's: more than its agents, each of which costs the system a watch. */
const MAX_WATCHED = 500;

export type ConfigWatch = Readonly<{
  /** Resolves when changes from now on will be seen. */
  ready: Promise<void>;
  close: () => Promise<void>;
}>;

/**
 * Calls back after a configuration file came, went or changed: once, 100 ms after the last of several changes. Files and
 * folders need not exist yet. For the app; the companion asks `configChangedSince` instead.
 *
 * @param options `home`: the app's own folder, which is there as long as the app; what lies beside it is not looked at.
 */
export function watchConfigFiles(
  paths: ConfigPaths,
  options: { onChange: () => void; onFault?: (error: unknown) => void; debounceMs?: number; home?: string },
): ConfigWatch {
  const trust = paths.trust ? [paths.trust] : [];
  const files = [...paths.project, ...paths.global, ...(paths.foreign ?? []).map(({ path }) => path), ...trust];
  const isOurs = (path: string): boolean => files.some((file) => file === path || path.startsWith(file + sep));
  const admitted = new Set<string>();
  /** A project may put any number of folders among its agents; the first are watched, and the rest is read all the same. */
  const isTooMany = (path: string): boolean => {
    if (paths.within === undefined || !path.startsWith(paths.within + sep) || files.includes(path)) return false;
    if (!admitted.has(path) && admitted.size >= MAX_WATCHED) return true;
    admitted.add(path);
    return false;
  };
  const lasting = [paths.within, options.home];
  const watcher = watch([...new Set(files.map((file) => anchorOf(file, lasting)))], {
    ignoreInitial: true,
    ignorePermissionErrors: true,
    // A project's link may lead to a whole disk; of the user's own what it leads to is looked at.
    followSymlinks: paths.within === undefined,
    depth: MAX_DEPTH,
    // From the anchor downwards nothing is looked at but the way to our files.
    ignored: (path) => (isOurs(path) ? isTooMany(path) : !files.some((file) => file.startsWith(path + sep))),
  });
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', (event, path) => {
    if (!isOurs(path)) return;
    if (event === 'unlink' || event === 'unlinkDir') admitted.delete(path);
    clearTimeout(timer);
    timer = setTimeout(options.onChange, options.debounceMs ?? DEBOUNCE_MS);
  });
  watcher.on('error', (error) => options.onFault?.(error));
  return {
    ready: new Promise((resolve) => watcher.once('ready', () => resolve())),
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

/**
 * The nearest folder that exists above the file's own: it still sees when that one comes, goes and comes again. Not above
 * one that lasts, a project or the app's own: what lies beside it may be thousands of others, and each of them would be
 * looked at when one of them comes.
 */
function anchorOf(file: string, lasting: readonly (string | undefined)[]): string {
  const own = dirname(file);
  let folder = lasting.includes(own) ? own : dirname(own);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
