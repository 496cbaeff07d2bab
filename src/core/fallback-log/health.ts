import { chainOf, type EngineState, type HealthKey, keyIn, standingOf } from '../../engine';
import { entries, preferredAtIn } from '../../engine/tools';
import { type HealthWord, STATE_WORDS } from './lines';

/** In chain order. `now` is engine ms. */
export function healthOf(state: EngineState, session: string, now: number): readonly HealthWord[] {
  const speakers = entries(state.speakers).flatMap(([, speaker]) => (speaker.session === session ? [speaker] : []));
  const models = new Map(
    speakers.flatMap((speaker) =>
      [...chainOf(state, speaker), speaker.active].map((model) => [model, keyIn(state, speaker.directory, model)]),
    ),
  );
  return [...models].map(([model, key]) => ({
    model,
    state: standingOf(state, key, now).state,
    next: nextOf(state, key, now),
  }));
}

/** Next state by time alone; null if time does not change it, or another clock decides. */
function nextOf(state: EngineState, key: HealthKey, now: number): HealthWord['next'] {
  const { state: shown, until } = standingOf(state, key, now);
  if (until === null) return null;
  const inMs = until - now;
  switch (shown) {
    case 'cooling': {
      const isLastAfter = (preferredAtIn(state, key, now) ?? until) > until;
      return { state: STATE_WORDS[isLastAfter ? 'resting' : 'ready'], inMs };
    }
    case 'resting':
    case 'held':
      return { state: STATE_WORDS.ready, inMs };
    case 'open':
      return { state: STATE_WORDS.probing, inMs };
    default:
      return null;
  }
}
