import type { MemberId } from '../base/types';
import type { Route } from '../process/route';
import { DEFAULT_PARTY, type Hero, rosterWith } from './heroes';
import { PERSONAS } from './personas';

/** Who is sent to think about a problem where the Oracle cannot choose. */
const DEFAULT_PERSONAS: readonly MemberId[] = ['pragmatist', 'visionary', 'skeptic', 'advocate', 'engineer'];

/** Who can be sent: heroes, with those that a file adds, look at code; personas think about a problem. */
export const rosterFor = (cast: Route['cast'], more: readonly Hero[]): readonly Hero[] =>
  cast === 'heroes' ? rosterWith(more) : PERSONAS;

export const defaultPartyOf = (cast: Route['cast']): readonly MemberId[] =>
  cast === 'heroes' ? DEFAULT_PARTY : DEFAULT_PERSONAS;
