import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { watch } from 'chokidar';
import type { ConfigPaths } from './config-files';

const DEBOUNCE_MS = 100;
/** The anchor may be far above a missing folder. */
const MAX_DEPTH = 12;
/** Each costs the system a watch. */
const MAX_WATCHED = 500;

export type ConfigWatch = Readonly<{
  ready: Promise<void>;
  close: () => Promise<void>;
}>;

/**
 * For the app; the companion calls `configChangedSince`. The files need not exist.
 * @param options `home`: permanent, so its siblings are not watched.
 */
export function watchConfigFiles(
  paths: ConfigPaths,
  options: { onChange: () => void; onFault?: (error: unknown) => void; debounceMs?: number; home?: string },
): ConfigWatch {
  const trust = paths.trust ? [paths.trust] : [];
  const files = [...paths.project, ...paths.global, ...(paths.foreign ?? []).map(({ path }) => path), ...trust];
  const isOurs = (path: string): boolean => files.some((file) => file === path || path.startsWith(file + sep));
  const admitted = new Set<string>();
  /** The first agent folders are watched; all are read. */
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
    // A project's link may lead to a whole disk.
    followSymlinks: paths.within === undefined,
    depth: MAX_DEPTH,
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
 * Detects the creation of the file's folder. Never goes above a permanent folder: it may have thousands of siblings.
 */
function anchorOf(file: string, lasting: readonly (string | undefined)[]): string {
  const own = dirname(file);
  let folder = lasting.includes(own) ? own : dirname(own);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
