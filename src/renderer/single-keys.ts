import { useSyncExternalStore } from 'react';
import { remember, remembered } from './remembered';

const listeners = new Set<() => void>();

const areOn = (): boolean => remembered('single-keys') !== 'off';

/** Whether keys without Ctrl work on the whole page, in this window, and what turns them on or off at once. */
export function useSingleKeys(): readonly [areOn: boolean, turn: (areOn: boolean) => void] {
  return [useSyncExternalStore(onChange, areOn), turn];
}

function turn(next: boolean): void {
  remember('single-keys', next ? 'on' : 'off');
  for (const listener of listeners) listener();
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
