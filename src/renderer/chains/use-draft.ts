import { useCallback, useEffect } from 'react';
import { useStore } from 'zustand';
import { usePanel } from '../panel';
import { type Draft, type DraftStep, draftOf, nextDraft } from './draft';

/** The draft of a chain, which begins as what is in force, and what takes a step. */
export function useDraft(key: string, base: readonly string[]): readonly [Draft, (step: DraftStep) => void] {
  const { drafts } = usePanel();
  const kept = useStore(drafts, (all) => (Object.hasOwn(all, key) ? all[key] : undefined));
  const take = useCallback(
    (step: DraftStep) =>
      drafts.setState((all) => {
        const draft = Object.hasOwn(all, key) ? all[key] : undefined;
        return { [key]: nextDraft(draft ?? draftOf(base), step) };
      }),
    [drafts, key, base],
  );
  useEffect(() => {
    if (kept) take({ type: 'based', models: base });
  }, [kept, base, take]);
  return [kept ? nextDraft(kept, { type: 'based', models: base }) : draftOf(base), take];
}
