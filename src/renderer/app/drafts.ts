import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Draft } from '../pages/chains/draft';
import type { Draft as PolicyDraft } from '../pages/settings/policy-draft';

/** By chain; drafts survive a change of view. */
export type Drafts = StoreApi<Readonly<Record<string, Draft>>>;

export const createDrafts = (): Drafts => createStore(() => ({}));

/** The empty key is for all projects. */
export type PolicyDrafts = StoreApi<Readonly<Record<string, PolicyDraft | null>>>;

export const createPolicyDrafts = (): PolicyDrafts => createStore(() => ({}));
