import { useCallback, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { usePanel } from '../../app/panel';
import { type Draft, type DraftStep, draftOf, nextDraft } from './draft';
import type { Lists } from './lists';

/** @param isSure `base` comes from the file. */
export function useDraft(key: string, base: Lists, isSure: boolean): readonly [Draft, (step: DraftStep) => void] {
  const { drafts } = usePanel();
  const stored = useStore(drafts, (all) => (Object.hasOwn(all, key) ? all[key] : undefined));
  const take = useCallback(
    (step: DraftStep) =>
      drafts.setState((all) => {
        const draft = Object.hasOwn(all, key) ? all[key] : undefined;
        return { [key]: nextDraft(draft ?? draftOf(base), step) };
      }),
    [drafts, key, base],
  );
  const based = useMemo(() => {
    const next = stored && nextDraft(stored, { type: 'based', lists: base });
    // The file may have an unreported chain.
    return next && !isSure && (next.theirs !== null || base.models.length === 0) ? stored : next;
  }, [stored, base, isSure]);
  useEffect(() => {
    if (based && based !== stored) drafts.setState({ [key]: based });
  }, [drafts, key, stored, based]);
  return [based ?? draftOf(base), take];
}
