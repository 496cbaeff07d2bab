import { type RefObject, useEffect, useRef } from 'react';
import { chainTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import { usePanel } from '../../app/panel';
import type { DraftStep } from './draft';
import { itemId, itemsOf, type Lists, newTierId, tierId, tierOf } from './lists';

export type Steps = Readonly<{
  list: RefObject<HTMLOListElement | null>;
  take: (step: DraftStep) => void;
  move: (model: string, to: number) => void;
  shift: (id: string, by: -1 | 1) => void;
  drop: (id: string, over: string) => void;
  remove: (model: string) => void;
  rename: (id: number, name: string | null) => void;
  /** Its models join those above. */
  dissolve: (id: number) => void;
  addTier: () => void;
}>;

/** React reinserts moved rows and drops removed ones: restores the focus. */
export function useSteps(now: Lists, take: (step: DraftStep) => void): Steps {
  const { notices } = usePanel();
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<Readonly<{ id: string; control: string }> | null>(null);
  useEffect(() => {
    const { id, control } = wanted.current ?? {};
    wanted.current = null;
    const line = id && [...(list.current?.children ?? [])].find((item) => item.getAttribute('data-line') === id);
    if (line) line.querySelector<HTMLElement>(`[data-control="${control}"]`)?.focus();
  });
  const held = (id: string, step: DraftStep) => {
    const control = document.activeElement?.getAttribute('data-control') ?? 'grip';
    if (list.current?.contains(document.activeElement)) wanted.current = { id, control };
    take(step);
  };
  return {
    list,
    take,
    move: (model, to) => held(model, { type: 'move', model, to }),
    shift: (id, by) => held(id, { type: 'shift', id, by }),
    drop: (id, over) => held(id, { type: 'drop', id, over }),
    rename: (id, name) => held(tierId({ id }), { type: 'name-tier', id, name }),
    dissolve: (id) => {
      const lines = itemsOf(now).map(itemId);
      const at = lines.indexOf(tierId({ id }));
      const next = lines[at + 1] ?? lines[at - 1];
      if (next) wanted.current = { id: next, control: 'grip' };
      take({ type: 'dissolve-tier', id });
    },
    addTier: () => {
      wanted.current = { id: tierId({ id: newTierId(now) }), control: 'name' };
      take({ type: 'add-tier', name: null });
    },
    remove: (model) => {
      const at = now.models.indexOf(model);
      const tier = tierOf(now, model)?.id ?? null;
      const next = now.models[at + 1] ?? now.models[at - 1];
      if (next) wanted.current = { id: next, control: 'grip' };
      take({ type: 'remove', model });
      // A duplicate's other row remains and cannot be added again.
      const isThere = now.models.lastIndexOf(model) !== at;
      const undo = isThere ? null : () => take({ type: 'add', model, at, tier });
      notices.tell({ text: chainTexts().row.removed(shortName(model)), isRefusal: false, undo });
    },
  };
}
