import { createStore, type StoreApi } from 'zustand/vanilla';
import type { UsageRange } from '../../contract/usage';

export type TimeRange = Exclude<UsageRange, { kind: 'session' }>;

/** The time range of all views. */
export type SharedTime = StoreApi<Readonly<{ range: TimeRange | null }>>;

export const createSharedTime = (): SharedTime => createStore(() => ({ range: null }));
