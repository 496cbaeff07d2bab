import { createStore, type StoreApi } from 'zustand/vanilla';
import { remember, remembered } from './remembered';

/** Keys without Ctrl. */
export type SingleKeys = Readonly<{ store: StoreApi<boolean>; turn(isOn: boolean): void }>;

/** On by default. */
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
