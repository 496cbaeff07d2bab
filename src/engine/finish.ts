import { classify } from './classify';
import { adopt, type Choice, decideFailure, decisionOf } from './decide';
import type { Fact, Failure } from './decision';
import type { AttemptFailed, EngineEvent } from './events';
import { abortCall, failCall, succeedCall } from './health';
import { type AttemptId, type ModelId, providerOf } from './ids';
import { ignored, type Outcome, silent } from './outcome';
import { speaking } from './speaking';
import { type Attempt, chainOf, type EngineState, numbersFor, pairOf, speakerKey, type Turn, withPair } from './state';
import { entries, get, remove, set } from './table';

/** A request failed: what now? */
export function onFailed(state: EngineState, event: AttemptFailed, now: number): Outcome {
  const attempt = get(state.attempts, event.attempt);
  if (!attempt) return ignored(state, 'attempt.unknown', event.attempt);
  const failure = widened(state, attempt.model, classify(event.evidence));
  if (failure.kind === 'aborted') return silent(handedBack(state, attempt));
  const closed = { ...state, attempts: remove(state.attempts, event.attempt) };
  const turn = attempt.purpose === 'turn' ? get(closed.turns, attempt.turn) : undefined;
  const blame: Blame = (leaves, what) => blamed(closed, attempt, { failure: what, leaves, turn, now });
  if (!turn) return silent(blame(false, failure));
  const left = blame(true, failure);
  const choice = chooseFailure(left, turn, { event, model: attempt.model, failure, now });
  const after = stateAfter(choice, { left, failure, blame });
  return moved(after, turn, { choice, failure, now, attempt: event.attempt, model: attempt.model });
}

type Blame = (leaves: boolean, what: Failure) => EngineState;

function stateAfter(
  choice: Choice,
  known: Readonly<{ left: EngineState; failure: Failure; blame: Blame }>,
): EngineState {
  const { left, failure, blame } = known;
  const { kind } = choice.action;
  // A short hint that is waited for is no limit: the model is asked again when the provider said so.
  if (kind === 'hold') return blame(false, { ...failure, lane: 'neutral' });
  return kind === 'switch' || kind === 'exhausted' ? left : blame(false, failure);
}

function blamed(
  state: EngineState,
  attempt: Attempt,
  what: Readonly<{ failure: Failure; leaves: boolean; turn: Turn | undefined; now: number }>,
): EngineState {
  const { permit, directory, model } = attempt;
  const { failure, leaves, turn, now } = what;
  const counts = failure.kind !== 'early_termination' || !turn?.cut.includes(model);
  const numbers = numbersFor(state, directory);
  const pair = failCall(pairOf(state, model), { permit, failure, now, numbers, directory, leaves, counts });
  return withPair(state, model, pair);
}

/** When a second model of a provider refuses permission, the provider refuses. */
function widened(state: EngineState, model: ModelId, failure: Failure): Failure {
  if (failure.kind !== 'permission') return failure;
  const provider = providerOf(model);
  const refuses = entries(state.models).some(
    ([other, { block }]) => other !== model && providerOf(other) === provider && block?.kind === 'permission',
  );
  return refuses ? { ...failure, scope: 'provider' } : failure;
}

function chooseFailure(
  state: EngineState,
  turn: Turn,
  what: Readonly<{ event: AttemptFailed; model: ModelId; failure: Failure; now: number }>,
): Choice {
  const { event, model, failure, now } = what;
  const choice = decideFailure(state, turn, { model, failure, now });
  if (!event.decided) return choice;
  return adopt(state, event.decided, { from: model, chain: chainOf(state, turn), choice, now });
}

type Move = Readonly<{ choice: Choice; failure: Failure; now: number; attempt: AttemptId; model: ModelId }>;

function moved(state: EngineState, turn: Turn, how: Move): Outcome {
  const next = turnAfter(turn, how);
  const spoken = speaking({ ...state, turns: set(state.turns, turn.turn, next) }, next, how);
  return { state: spoken, decisions: [decisionOf(next, how.choice, how.failure, how.attempt)], facts: [] };
}

function turnAfter(turn: Turn, { choice: { action }, failure, model }: Move): Turn {
  const failedAttempts = turn.failedAttempts + 1;
  // The same request goes out again: it has not failed yet.
  if (action.kind === 'hold') return { ...turn, held: [...turn.held, model], failedAttempts };
  const isCut = failure.kind === 'early_termination' && !turn.cut.includes(model);
  const failed: Turn = {
    ...turn,
    tried: [...turn.tried, { model, kind: failure.kind }],
    cut: isCut ? [...turn.cut, model] : turn.cut,
    failedAttempts,
  };
  if (action.kind === 'switch') return { ...failed, model: action.to, switches: turn.switches + 1 };
  return action.kind === 'exhausted' ? { ...failed, isExhausted: true } : failed;
}

/** A request was answered. */
export function onSucceeded(state: EngineState, attemptId: AttemptId): Outcome {
  const attempt = get(state.attempts, attemptId);
  if (!attempt) return ignored(state, 'attempt.unknown', attemptId);
  const pair = succeedCall(pairOf(state, attempt.model), attempt.permit, numbersFor(state, attempt.directory));
  const closed = { ...withPair(state, attempt.model, pair), attempts: remove(state.attempts, attemptId) };
  const turn = get(closed.turns, attempt.turn);
  if (!turn || attempt.purpose === 'internal' || turn.tried.length === 0) return silent(closed);
  return silent({ ...closed, turns: set(closed.turns, turn.turn, { ...turn, tried: [] }) });
}

/** The user stopped a request. */
export function onAborted(state: EngineState, attemptId: AttemptId): Outcome {
  const attempt = get(state.attempts, attemptId);
  return attempt ? silent(handedBack(state, attempt)) : ignored(state, 'attempt.unknown', attemptId);
}

/** State without a request that nobody is to blame for: its permits are free again. */
export function handedBack(state: EngineState, attempt: Attempt): EngineState {
  const freed = withPair(state, attempt.model, abortCall(pairOf(state, attempt.model), attempt.permit));
  return { ...freed, attempts: remove(freed.attempts, attempt.attempt) };
}

/** The companion could not carry out a switch: the agent still speaks through the model it wanted to leave. */
export function onCarried(state: EngineState, event: Extract<EngineEvent, { type: 'switch.carried' }>): Outcome {
  if (event.ok) return silent(state);
  const turn = get(state.turns, event.turn);
  if (!turn) return ignored(state, 'switch.without_turn', event.turn);
  const { session, agent, model: to } = turn;
  const { turn: id, from, reason = '' } = event;
  const fact: Fact = { type: 'switch.failed', turn: id, session, agent, from, to, reason };
  const key = speakerKey(session, agent);
  const speaker = get(state.speakers, key);
  const speakers = speaker ? set(state.speakers, key, { ...speaker, active: from }) : state.speakers;
  const turns = set(state.turns, id, { ...turn, model: from });
  return { state: { ...state, speakers, turns }, decisions: [], facts: [fact] };
}
