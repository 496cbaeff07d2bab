import { keptIds } from './kept-ids';

/** The palette already has a searchable list for more. */
const FAVOURITES_MAX = 12;
const favourites = keptIds('favourite-commands', FAVOURITES_MAX);

/** Oldest first. */
export const favouriteCommands = favourites.read;

/** Beyond the limit, drops an unavailable favourite first, else the oldest. */
export function turnFavourite(id: string, isThere: (id: string) => boolean = () => true): readonly string[] {
  const stored = favourites.read();
  const leaves = stored.length < FAVOURITES_MAX ? undefined : (stored.find((each) => !isThere(each)) ?? stored[0]);
  const next = stored.includes(id)
    ? stored.filter((each) => each !== id)
    : [...stored.filter((each) => each !== leaves), id];
  favourites.write(next);
  return favourites.read();
}
