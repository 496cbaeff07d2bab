import { type FSWatcher, watch } from 'node:fs';

/**
 * Hears that something in a folder is another than before, without keeping the process alive; null where the system does not tell.
 *
 * @param hear is told the name in the folder, or null where the system does not say which.
 */
export function watchFolder(folder: string, hear: (name: string | null) => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => hear(name));
    watcher.on('error', () => undefined); // silent: as below
    return watcher;
  } catch {
    // silent: some systems watch nothing there, and callers look at intervals
    return null;
  }
}
