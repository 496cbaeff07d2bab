import { type FSWatcher, watch } from 'node:fs';

/** Null if the system cannot watch. @param hear receives null if the system reports no name. */
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
