import { keptIds } from './kept-ids';

/** More are a list to search, and that there is already. */
const FAVOURITES_MAX = 12;
const favourites = keptIds('favourite-commands', FAVOURITES_MAX);

/** The commands a person wants to have first, in the order in which they were chosen, by name. */
export const favouriteCommands = favourites.read;

/**
 * Makes a command a favourite, or takes that back.
 *
 * @param isThere whether there is such a command now: of too many the first that is not leaves, else the first.
 * @returns the favourites from then on.
 */
export function turnFavourite(id: string, isThere: (id: string) => boolean = () => true): readonly string[] {
  const known = favourites.read();
  const leaves = known.length < FAVOURITES_MAX ? undefined : (known.find((each) => !isThere(each)) ?? known[0]);
  const next = known.includes(id)
    ? known.filter((each) => each !== id)
    : [...known.filter((each) => each !== leaves), id];
  favourites.write(next);
  return favourites.read();
}
