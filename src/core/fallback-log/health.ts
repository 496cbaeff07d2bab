import { chainOf, type EngineState, standingOf } from '../../engine';
import { entries } from '../../engine/table';
import { preferredAtIn } from '../../engine/tools';
import { type HealthWord, STATE_WORDS } from './lines';

/** The models that speak in a session or stand behind them, in the order of their chains, as they are at `now` (engine ms). */
export function healthOf(state: EngineState, session: string, now: number): readonly HealthWord[] {
  const speakers = entries(state.speakers).flatMap(([, speaker]) => (speaker.session === session ? [speaker] : []));
  const models = new Set(speakers.flatMap((speaker) => [...chainOf(state, speaker), speaker.active]));
  return [...models].map((model) => ({
    model,
    state: standingOf(state, model, now).state,
    next: nextOf(state, model, now),
  }));
}

/** What a model becomes by itself, and in how many ms; null when no clock changes it, or another one than ours. */
function nextOf(state: EngineState, model: string, now: number): HealthWord['next'] {
  const { state: shown, until } = standingOf(state, model, now);
  if (until === null) return null;
  const inMs = until - now;
  switch (shown) {
    case 'cooling': {
      const isLastAfter = (preferredAtIn(state, model, now) ?? until) > until;
      return { state: STATE_WORDS[isLastAfter ? 'resting' : 'ready'], inMs };
    }
    case 'resting':
      return { state: STATE_WORDS.ready, inMs };
    case 'open':
      return { state: STATE_WORDS.probing, inMs };
    default:
      return null;
  }
}
