import * as z from 'zod';
import { remember, remembered } from '../remembered';

/** More are a list to search, and that there is already. */
const FAVOURITES_MAX = 12;
const NAME = 'favourite-commands';
const Ids = z.array(z.string().max(600)).max(FAVOURITES_MAX);

/** The commands a person wants to have first, in the order in which they were chosen, by name. */
export function favouriteCommands(): readonly string[] {
  try {
    return Ids.safeParse(JSON.parse(remembered(NAME) ?? '[]')).data ?? [];
  } catch {
    return [];
  }
}

/** Makes a command a favourite, or takes that back. @returns the favourites from then on; of too many the first leaves. */
export function turnFavourite(id: string): readonly string[] {
  const known = favouriteCommands();
  const next = known.includes(id) ? known.filter((each) => each !== id) : [...known, id].slice(-FAVOURITES_MAX);
  remember(NAME, JSON.stringify(next));
  return next;
}
