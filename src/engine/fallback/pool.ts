import { type EngineState, initialState } from '../index';
import { restoreState, type SavedState, saveState } from '../tools';

/** The health of models that any number of fallbacks share: a limit that one meets spares the others the request, and one probes for all. */
export type Pool = {
  state: EngineState;
  /** Fallbacks that have been in it. */
  seats: number;
};

/** Models whose health is believed of what was saved: more than any chain has, and few enough to be walked through. */
const SAVED_MODELS_MAX = 2_000;

/** A pool in which nothing is known. */
export const createPool = (): Pool => ({ state: initialState, seats: 0 });

const healthIn = ({ models, providers, manual, flaps, shown, revisions }: EngineState) => ({
  models,
  providers,
  manual,
  flaps,
  shown,
  revisions,
});

/** The health of all models as plain data, in times from `now`: what is left of a cooldown survives any clock. */
export const saveHealth = (state: EngineState, now: number): SavedState =>
  saveState({ ...initialState, ...healthIn(state) }, now);

/** Takes in what was saved; what is damaged, too large or of a newer version leaves the pool as it is. @returns whether it was taken. */
export function restoreHealth(pool: Pool, saved: unknown, now: number): boolean {
  const { state, damage } = restoreState(saved, now);
  if (damage !== null || countOf(state.models) > SAVED_MODELS_MAX || countOf(state.providers) > SAVED_MODELS_MAX)
    return false;
  pool.state = { ...pool.state, ...healthIn(state) };
  return true;
}

const countOf = (table: EngineState['models']): number => table.reduce((sum, bucket) => sum + bucket.length, 0);
