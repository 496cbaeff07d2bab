import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { watch } from 'chokidar';
import type { ConfigPaths } from './config-files';

const DEBOUNCE_MS = 100;
/**
 * Depth from the anchor, which may be far above a folder that does not exist yet, to an agent in a folder of agents.
 */
const MAX_DEPTH = 12;
/** Limit of watches in a project's folders, beyond any real number of agents; each costs the system a watch. */
const MAX_WATCHED = 500;

export type ConfigWatch = Readonly<{
  /** Resolves when later changes will be detected. */
  ready: Promise<void>;
  close: () => Promise<void>;
}>;

/**
 * Calls back after a configuration file was created, changed or deleted: once, 100 ms after the last of several
 * changes. Files and folders need not exist yet. For the app; the companion calls `configChangedSince` instead.
 * @param options `home`: the app's own folder, which exists as long as the app; its siblings are not watched.
 */
export function watchConfigFiles(
  paths: ConfigPaths,
  options: { onChange: () => void; onFault?: (error: unknown) => void; debounceMs?: number; home?: string },
): ConfigWatch {
  const trust = paths.trust ? [paths.trust] : [];
  const files = [...paths.project, ...paths.global, ...(paths.foreign ?? []).map(({ path }) => path), ...trust];
  const isOurs = (path: string): boolean => files.some((file) => file === path || path.startsWith(file + sep));
  const admitted = new Set<string>();
  /** A project may have any number of agent folders; only the first are watched, but all are read. */
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
    // A project's link may lead to a whole disk; links of the user's own files are followed.
    followSymlinks: paths.within === undefined,
    depth: MAX_DEPTH,
    // Below the anchor, only the paths to our files are watched.
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
 * Returns the nearest existing folder above the file's own, to detect that one's creation and deletion. Never goes
 * above a permanent folder (a project, or the app's own): it may have thousands of siblings, and each change there
 * would check all of them.
 */
function anchorOf(file: string, lasting: readonly (string | undefined)[]): string {
  const own = dirname(file);
  let folder = lasting.includes(own) ? own : dirname(own);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
