import type { Ability } from '../../engine';

/** What the companion can carry out besides the plain actions, for the engine's policies. */
export const CARRIED_ABILITIES: readonly Ability[] = [];
