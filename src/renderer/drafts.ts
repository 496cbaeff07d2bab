import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Draft } from './chains/draft';

/** Drafts by chain: they outlive a look at another view. */
export type Drafts = StoreApi<Readonly<Record<string, Draft>>>;

/** Makes a place for drafts, empty. */
export const createDrafts = (): Drafts => createStore(() => ({}));
