import type { Announcements, UniqueIdentifier } from '@dnd-kit/core';
import { shortName } from '../../contract';

/** How to move a model by keyboard, told when its handle takes the focus. */
export const INSTRUCTIONS = {
  draggable:
    'Press Space to lift, the arrow keys, Home or End to move, Space again to drop, Escape to cancel. Alt and an arrow key move without lifting.',
};

/** What a screen reader is told while a model is moved: "gpt-5, position 2 of 4. Moved to 1. Not applied yet." */
export function announcementsFor(models: readonly string[]): Announcements {
  const of = models.length;
  const at = (id: UniqueIdentifier): number => models.indexOf(String(id)) + 1;
  const place = (id: UniqueIdentifier): string => `${shortName(String(id))}, position ${at(id)} of ${of}.`;
  let told: UniqueIdentifier | null = null;
  return {
    onDragStart: ({ active }) => {
      told = active.id;
      return `${place(active.id)} Lifted.`;
    },
    onDragOver: ({ active, over }) => {
      // A model that is lifted is over its own place at once: that would drown the word before it.
      if (!over || over.id === told) return undefined;
      told = over.id;
      return `${shortName(String(active.id))}, over position ${at(over.id)} of ${of}.`;
    },
    onDragEnd: ({ active, over }) =>
      over && over.id !== active.id
        ? `${place(active.id)} Moved to ${at(over.id)}. Not applied yet.`
        : `${place(active.id)} Put back.`,
    onDragCancel: ({ active }) => `${place(active.id)} Put back.`,
  };
}
