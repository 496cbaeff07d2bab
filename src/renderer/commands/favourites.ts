import { keptIds } from './kept-ids';

/** More are a list to search, and that there is already. */
const FAVOURITES_MAX = 12;
const favourites = keptIds('favourite-commands', FAVOURITES_MAX);

/** The commands a person wants to have first, in the order in which they were chosen, by name. */
export const favouriteCommands = favourites.read;

/** Makes a command a favourite, or takes that back. @returns the favourites from then on; of too many the first leaves. */
export function turnFavourite(id: string): readonly string[] {
  const known = favourites.read();
  const next = known.includes(id) ? known.filter((each) => each !== id) : [...known, id].slice(-FAVOURITES_MAX);
  favourites.write(next);
  return next;
}
