import type { AttemptEnd, AttemptSubject, LifeFact } from './facts';
import { type Attempt, chainOf, type Draft, type EngineState, rootOf, speakerKey, type Turn } from './state';
import { get } from './table';

/** Where in the chain of whoever speaks a model stands, from 0; null when the agent, or the model in its chain, is unknown. */
export function positionIn(
  state: EngineState,
  { session, agent, model }: Readonly<{ session: string; agent: string; model: string }>,
): number | null {
  const speaker = get(state.speakers, speakerKey(session, agent));
  const position = speaker ? chainOf(state, speaker).indexOf(model) : -1;
  return position < 0 ? null : position;
}

/** A request as facts name it. */
export const attemptSubject = (state: Draft, known: Attempt): AttemptSubject => ({
  turn: known.turn,
  session: known.session,
  root: rootOf(state, known.session),
  directory: known.directory,
  agent: known.agent,
  attempt: known.attempt,
  lead: known.purpose === 'turn' ? (get(state.turns, known.turn)?.lead ?? null) : null,
  model: known.model,
  position: known.position,
  purpose: known.purpose,
});

/** The end of a request. */
export const ended = (state: Draft, known: Attempt, end: AttemptEnd): LifeFact => ({
  type: 'attempt.ended',
  ...attemptSubject(state, known),
  ...end,
});

/** The end of a turn. */
export const turnEnded = (state: Draft, turn: Turn): LifeFact => ({
  type: 'turn.ended',
  turn: turn.turn,
  session: turn.session,
  root: rootOf(state, turn.session),
  directory: turn.directory,
  agent: turn.agent,
  lead: turn.lead,
  model: turn.model,
  switches: turn.switches,
  isExhausted: turn.isExhausted,
});
