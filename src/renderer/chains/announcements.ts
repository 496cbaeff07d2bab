import type { Announcements, UniqueIdentifier } from '@dnd-kit/core';
import { shortName } from '../../contract';
import { chainTexts } from '../../texts';

/** How to move a model by keyboard, told when its handle takes the focus. */
export const instructions = () => ({ draggable: chainTexts().moving.instructions });

/** What a screen reader is told while a model is moved: "gpt-5, position 2 of 4. Moved to 1. Not applied yet." */
export function announcementsFor(models: readonly string[]): Announcements {
  const of = models.length;
  const at = (id: UniqueIdentifier): number => models.indexOf(String(id)) + 1;
  const name = (id: UniqueIdentifier): string => shortName(String(id));
  const putBack = (id: UniqueIdentifier): string => chainTexts().moving.putBack(name(id), at(id), of);
  let told: UniqueIdentifier | null = null;
  return {
    onDragStart: ({ active }) => {
      told = active.id;
      return chainTexts().moving.lifted(name(active.id), at(active.id), of);
    },
    onDragOver: ({ active, over }) => {
      // A model that is lifted is over its own place at once: that would drown the word before it.
      if (!over || over.id === told) return undefined;
      told = over.id;
      return chainTexts().moving.over(name(active.id), at(over.id), of);
    },
    onDragEnd: ({ active, over }) =>
      over && over.id !== active.id
        ? chainTexts().moving.moved(name(active.id), at(active.id), of, at(over.id))
        : putBack(active.id),
    onDragCancel: ({ active }) => putBack(active.id),
  };
}
