import { type FSWatcher, watch } from 'node:fs';

/**
 * Watches a folder for changes without keeping the process alive; null if the system cannot.
 * @param hear receives the name in the folder, or null if the system does not report it.
 */
export function watchFolder(folder: string, hear: (name: string | null) => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => hear(name));
    watcher.on('error', () => undefined); // silent: as below
    return watcher;
  } catch {
    // silent: some systems cannot watch there, and callers check at intervals
    return null;
  }
}
