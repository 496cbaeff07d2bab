import { createStore, type StoreApi } from 'zustand/vanilla';
import { remember, remembered } from './remembered';

/** Whether keys without Ctrl work on the whole page. */
export type SingleKeys = Readonly<{ store: StoreApi<boolean>; turn(isOn: boolean): void }>;

/** Single keys as the reader last chose; on at first. */
export function createSingleKeys(): SingleKeys {
  const store = createStore<boolean>(() => remembered('single-keys') !== 'off');
  return {
    store,
    turn(isOn) {
      remember('single-keys', isOn ? 'on' : 'off');
      store.setState(isOn, true);
    },
  };
}
