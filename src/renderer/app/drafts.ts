import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Draft } from '../pages/chains/draft';
import type { Draft as PolicyDraft } from '../pages/settings/policy-draft';

/** Drafts by chain: they outlive a look at another view. */
export type Drafts = StoreApi<Readonly<Record<string, Draft>>>;

/** Makes a place for drafts, empty. */
export const createDrafts = (): Drafts => createStore(() => ({}));

/** Drafts of policies and numbers, by the project they are for; empty for all projects. */
export type PolicyDrafts = StoreApi<Readonly<Record<string, PolicyDraft | null>>>;

/** Makes a place for drafts of policies, empty. */
export const createPolicyDrafts = (): PolicyDrafts => createStore(() => ({}));
