import type { Announcements, UniqueIdentifier } from '@dnd-kit/core';
import { chainTexts, editorTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import { OFFER } from './drag-names';
import { named } from './list-diff';
import { dropped, type Lists, tierId, tierOf } from './lists';
import { tierPhrase } from './tier-words';

export const instructions = () => ({ draggable: chainTexts().moving.instructions });

/** "gpt-5, position 2 of 4. Moved to 1, Premium. Not applied yet." */
export function announcementsFor(lists: Lists, offset: number): Announcements {
  const placeIn = (from: Lists, id: UniqueIdentifier): readonly [at: number, of: number] => {
    const [at, of] = positionIn(from, id);
    return [at + offset, of + offset];
  };
  let announced: UniqueIdentifier | null = null;
  const texts = chainTexts().moving;
  const putBack = (id: UniqueIdentifier): string => texts.putBack(lineName(lists, id), ...placeIn(lists, id));
  // They are dragged by pointer only and have no position yet.
  const isOffer = (id: UniqueIdentifier): boolean => String(id).startsWith(OFFER);
  return {
    onDragStart: ({ active }) => {
      if (isOffer(active.id)) return undefined;
      announced = active.id;
      return texts.lifted(lineName(lists, active.id), ...placeIn(lists, active.id));
    },
    onDragOver: ({ active, over }) => {
      // A lifted row is over its own position at once: that would interrupt the first message.
      if (!over || over.id === announced || isOffer(active.id)) return undefined;
      announced = over.id;
      const next = dropped(lists, String(active.id), String(over.id));
      return texts.over(lineName(next, active.id), ...placeIn(next, active.id), tierName(next, active.id));
    },
    onDragEnd: ({ active, over }) => {
      if (isOffer(active.id)) return undefined;
      const next = over ? dropped(lists, String(active.id), String(over.id)) : lists;
      if (next === lists || over?.id === active.id) return putBack(active.id);
      const [to] = placeIn(next, active.id);
      return texts.moved(
        lineName(lists, active.id),
        ...placeIn(lists, active.id),
        ...([to, tierName(next, active.id)] as const),
      );
    },
    onDragCancel: ({ active }) => (isOffer(active.id) ? undefined : putBack(active.id)),
  };
}

const tierWith = ({ tiers }: Lists, id: UniqueIdentifier) => tiers.find((tier) => tierId(tier) === String(id));

function lineName(lists: Lists, id: UniqueIdentifier): string {
  const tier = tierWith(lists, id);
  return tier ? editorTexts().tier.line(tierPhrase(named(lists, tier))) : shortName(String(id));
}

function positionIn(lists: Lists, id: UniqueIdentifier): readonly [at: number, of: number] {
  const { models } = lists;
  const tier = tierWith(lists, id);
  const first = tier ? models.findIndex((model) => tierOf(lists, model)?.id === tier.id) : models.indexOf(String(id));
  return [first < 0 ? models.length : first + 1, models.length];
}

function tierName(lists: Lists, id: UniqueIdentifier): string | null {
  const tier = tierWith(lists, id) ? null : tierOf(lists, String(id));
  return tier && tierPhrase(named(lists, tier));
}
