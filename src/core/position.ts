import { chainOf, type EngineState } from '../engine';
import { speakerKey } from '../engine/state';
import { get } from '../engine/table';

/** Where in the chain of whoever speaks a model stands; null when the agent, or the model in its chain, is unknown. */
export function positionIn(
  state: EngineState,
  { session, agent, model }: Readonly<{ session: string; agent: string; model: string }>,
): number | null {
  const speaker = get(state.speakers, speakerKey(session, agent));
  const position = speaker ? chainOf(state, speaker).indexOf(model) : -1;
  return position < 0 ? null : position;
}
