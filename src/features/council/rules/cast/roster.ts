import type { MemberId } from '../base/types';
import type { Route } from '../process/route';
import { DEFAULT_PARTY, type Hero, rosterWith } from './heroes';
import { PERSONAS } from './personas';

const DEFAULT_PERSONAS: readonly MemberId[] = ['pragmatist', 'visionary', 'skeptic', 'advocate', 'engineer'];

export const rosterFor = (cast: Route['cast'], more: readonly Hero[]): readonly Hero[] =>
  cast === 'heroes' ? rosterWith(more) : PERSONAS;

export const defaultPartyOf = (cast: Route['cast']): readonly MemberId[] =>
  cast === 'heroes' ? DEFAULT_PARTY : DEFAULT_PERSONAS;
