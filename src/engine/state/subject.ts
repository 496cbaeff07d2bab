import { get } from '../base/table';
import type { AttemptEnd, AttemptSubject, LifeFact, TurnSubject } from './facts';
import { type Attempt, chainOf, type Draft, type EngineState, rootOf, speakerKey, type Turn } from './state';

/** Where in the chain of whoever speaks a model stands, from 0; null when the agent, or the model in its chain, is unknown. */
export function positionIn(
  state: EngineState,
  { session, agent, model }: Readonly<{ session: string; agent: string; model: string }>,
): number | null {
  const speaker = get(state.speakers, speakerKey(session, agent));
  const position = speaker ? chainOf(state, speaker).indexOf(model) : -1;
  return position < 0 ? null : position;
}

/** A turn as facts name it. */
export const turnSubject = (
  state: Draft,
  { turn, session, directory, agent }: Pick<Turn, 'turn' | 'session' | 'directory' | 'agent'>,
): TurnSubject => ({ turn, session, root: rootOf(state, session), directory, agent });

/** A request as facts name it. */
export function attemptSubject(state: Draft, known: Attempt): AttemptSubject {
  const { attempt, turn, session, directory, model, purpose, position = null } = known;
  const own = get(state.turns, turn);
  const agent = known.agent ?? own?.agent ?? '';
  const lead = purpose === 'turn' ? (own?.lead ?? null) : null;
  return { ...turnSubject(state, { turn, session, directory, agent }), attempt, lead, model, position, purpose };
}

/** The end of a request. */
export const ended = (state: Draft, known: Attempt, end: AttemptEnd): LifeFact => ({
  type: 'attempt.ended',
  ...attemptSubject(state, known),
  ...end,
});

/** The end of a turn. */
export const turnEnded = (state: Draft, turn: Turn): LifeFact => ({
  type: 'turn.ended',
  ...turnSubject(state, turn),
  lead: turn.lead,
  model: turn.model,
  switches: turn.switches,
  isExhausted: turn.isExhausted,
});
