import type { Announcements, UniqueIdentifier } from '@dnd-kit/core';
import { rankingPageTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';

/** Screen reader messages during a drag. @param hosted models that have places, in order. */
export function announcementsFor(hosted: readonly string[]): Announcements {
  const texts = rankingPageTexts().proposal;
  const placeOf = (id: UniqueIdentifier): number => hosted.indexOf(String(id)) + 1;
  const name = (id: UniqueIdentifier): string => shortName(String(id));
  let announced: UniqueIdentifier | null = null;
  return {
    onDragStart: ({ active }) => {
      announced = active.id;
      return texts.lifted(name(active.id), placeOf(active.id));
    },
    onDragOver: ({ active, over }) => {
      if (!over || over.id === announced) return undefined;
      announced = over.id;
      return texts.over(name(active.id), placeOf(over.id));
    },
    onDragEnd: ({ active, over }) =>
      over && over.id !== active.id ? texts.moved(name(active.id), placeOf(over.id)) : texts.putBack(name(active.id)),
    onDragCancel: ({ active }) => texts.putBack(name(active.id)),
  };
}
