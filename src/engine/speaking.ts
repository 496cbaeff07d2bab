import type { Choice } from './decide';
import type { Failure } from './decision';
import { type EngineState, type Speaker, speakerKey, standingOf, type Turn } from './state';
import { get, set } from './table';

/** Records on the speaker what a decision inside a turn means for who speaks. */
export function speaking(
  state: EngineState,
  turn: Turn,
  how: Readonly<{ choice: Choice; failure: Failure | null; now: number }>,
): EngineState {
  const key = speakerKey(turn.session, turn.agent);
  const old = get(state.speakers, key);
  const { action } = how.choice;
  const isMove = action.kind === 'switch' || (action.kind === 'hold' && action.to !== old?.active);
  if (!old || (!isMove && action.kind !== 'exhausted')) return state;
  if (action.kind === 'exhausted')
    return { ...state, speakers: set(state.speakers, key, { ...old, status: 'exhausted' }) };
  const from = action.kind === 'switch' ? action.from : old.active;
  const kind = how.failure?.kind ?? standingOf(state, from, how.now).kind;
  const why = kind === null ? old.why : { kind, status: how.failure?.status ?? null, from };
  const speaker: Speaker = {
    ...old,
    active: action.to,
    since: how.now,
    why: action.to === turn.lead ? null : why,
    status: 'working',
    switches: old.switches + 1,
  };
  return { ...state, speakers: set(state.speakers, key, speaker) };
}
