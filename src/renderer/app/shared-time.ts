import { createStore, type StoreApi } from 'zustand/vanilla';
import type { UsageRange } from '../../contract/usage';

export type TimeRange = Exclude<UsageRange, { kind: 'session' }>;

/** Of when the reader wants things shown, in every view that shows a time; null while nothing is chosen. */
export type SharedTime = StoreApi<Readonly<{ range: TimeRange | null }>>;

/** Nothing is chosen yet. */
export const createSharedTime = (): SharedTime => createStore(() => ({ range: null }));
