import { type EngineState, initialState } from '../index';
import { restoreState, type SavedState, saveState } from '../tools';

/** Health shared by fallbacks: one of them meets a limit or probes for all. */
export type Pool = {
  state: EngineState;
  seats: number;
};

/** More than any chain has, and few enough to iterate. */
const SAVED_MODELS_MAX = 2_000;

export const createPool = (): Pool => ({ state: initialState, seats: 0 });

const healthIn = ({ models, providers, manual, flaps, shown, revisions }: EngineState) => ({
  models,
  providers,
  manual,
  flaps,
  shown,
  revisions,
});

/** Relative times survive any clock. */
export const saveHealth = (state: EngineState, now: number): SavedState =>
  saveState({ ...initialState, ...healthIn(state) }, now);

/** @returns false for damaged, too large or newer data, which changes nothing. */
export function restoreHealth(pool: Pool, saved: unknown, now: number): boolean {
  const { state, damage } = restoreState(saved, now);
  if (damage !== null || countOf(state.models) > SAVED_MODELS_MAX || countOf(state.providers) > SAVED_MODELS_MAX)
    return false;
  pool.state = { ...pool.state, ...healthIn(state) };
  return true;
}

const countOf = (table: EngineState['models']): number => table.reduce((sum, bucket) => sum + bucket.length, 0);
