import type { ModelId } from '../base/ids';
import { get } from '../base/table';
import { chainOf } from './chain';
import type { AttemptEnd, FactOf } from './facts';
import { rootOf } from './read';
import { type Attempt, type Draft, type EngineState, type Speaker, speakerKey, type Turn } from './state';

/** Null if unknown. */
export function positionIn(
  state: EngineState,
  { session, agent, model }: Readonly<{ session: string; agent: string; model: string }>,
): number | null {
  return positionOf(state, get(state.speakers, speakerKey(session, agent)), model);
}

export function positionOf(state: EngineState, speaker: Speaker | undefined, model: string): number | null {
  // Most requests use the primary, or another account of it.
  if (speaker?.lead === model || (speaker && speaker.why?.short?.there?.model === model)) return 0;
  const position = speaker ? chainOf(state, speaker).indexOf(model) : -1;
  return position < 0 ? null : position;
}

/** Combining facts by spread takes ten times as long. */
const turnFact = <Type extends string>(state: Draft, type: Type, turn: Turn) => ({
  type,
  turn: turn.turn,
  session: turn.session,
  root: rootOf(state, turn.session),
  directory: turn.directory,
  agent: turn.agent,
  lead: turn.lead,
  model: turn.model,
});

export const turnBegan = (
  state: Draft,
  turn: Turn,
  how: Pick<FactOf<'turn.began'>, 'isAgain' | 'by' | 'parent'>,
): FactOf<'turn.began'> => Object.assign(turnFact(state, 'turn.began', turn), how);

export const turnEnded = (state: Draft, turn: Turn, answeredBy: ModelId | null): FactOf<'turn.ended'> => {
  const { switches, isExhausted } = turn;
  return Object.assign(turnFact(state, 'turn.ended', turn), { switches, isExhausted, answeredBy });
};

function attemptFact<Type extends string>(state: Draft, type: Type, attempt: Attempt, own: Turn | undefined) {
  const { turn, session, purpose } = attempt;
  return {
    type,
    turn,
    session,
    root: rootOf(state, session),
    directory: attempt.directory,
    agent: attempt.agent ?? own?.agent ?? '',
    attempt: attempt.attempt,
    lead: purpose === 'turn' ? (own?.lead ?? null) : null,
    model: attempt.model,
    position: attempt.position ?? null,
    purpose,
  };
}

type Told = { parent?: string | null } & {
  -readonly [Field in EndField]?: Extract<AttemptEnd, Record<Field, unknown>>[Field];
};
type EndField = AttemptEnd extends infer End ? (End extends unknown ? keyof End : never) : never;

export function began(
  state: Draft,
  attempt: Attempt,
  own: Turn | undefined,
  parent: string | null,
): FactOf<'attempt.began'> {
  const fact: ReturnType<typeof attemptFact<'attempt.began'>> & Told = attemptFact(
    state,
    'attempt.began',
    attempt,
    own,
  );
  fact.parent = parent;
  return fact as FactOf<'attempt.began'>;
}

/** `Object.assign` takes a tenth of an answered step. */
export function ended(state: Draft, attempt: Attempt, own: Turn | undefined, end: AttemptEnd): FactOf<'attempt.ended'> {
  const fact: ReturnType<typeof attemptFact<'attempt.ended'>> & Told = attemptFact(
    state,
    'attempt.ended',
    attempt,
    own,
  );
  fact.outcome = end.outcome;
  if ('failure' in end) fact.failure = end.failure;
  if ('durationMs' in end) fact.durationMs = end.durationMs;
  if ('firstTokenMs' in end) fact.firstTokenMs = end.firstTokenMs;
  return fact as FactOf<'attempt.ended'>;
}
