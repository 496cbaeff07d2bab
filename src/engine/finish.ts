import { asking, degrading } from './asking';
import { walkChain } from './chain';
import { classify } from './classify';
import { adopt, type Choice, decideFailure, decisionOf } from './decide';
import type { Fact, Failure, Note } from './decision';
import type { AttemptFailed, EngineEvent } from './events';
import { abortCall, failCall, succeedCall } from './health';
import { type AttemptId, type ModelId, providerOf } from './ids';
import { heard, judged } from './network';
import { connectionOf, withOutcome } from './outage';
import { ignored, type Outcome, silent } from './outcome';
import { speaking } from './speaking';
import { charged, costsRetry, refunded } from './spending';
import { type Attempt, chainOf, type EngineState, numbersFor, pairOf, speakerKey, type Turn, withPair } from './state';
import { entries, get, remove, set } from './table';

/** A request failed: what now? */
export function onFailed(state: EngineState, event: AttemptFailed, now: number, random: number): Outcome {
  const attempt = get(state.attempts, event.attempt);
  if (!attempt) return ignored(state, 'attempt.unknown', event.attempt);
  const named = widened(state, attempt.model, classify(event.evidence));
  const known = attempt.purpose === 'turn' ? get(state.turns, attempt.turn) : undefined;
  if (named.kind === 'aborted') return silent(handedBack(refunded(state, known, now), attempt));
  const closed = { ...state, attempts: remove(state.attempts, event.attempt) };
  const { state: seen, turn, failure, notes } = judged(closed, attempt, { turn: known, failure: named, now });
  const blame: Blame = (leaves, what) => blamed(seen, attempt, { failure: what, leaves, turn, now });
  if (!turn) return { ...silent(blame(false, failure)), notes };
  const left = blame(true, failure);
  const choice = chooseFailure(left, turn, { event, model: attempt.model, failure, now, random });
  const settled = stateAfter(choice, { left, failure, blame, model: attempt.model });
  const paid = failure.lane === 'neutral' ? refunded(settled, known, now) : settled;
  const after = moved(paid, turn, { choice, failure, now, attempt: event.attempt, model: attempt.model });
  const shadow = shadowed(seen, after.state, attempt);
  return { ...after, notes: [...notes, ...(after.notes ?? []), ...shadow, ...unknown(failure, attempt)] };
}

type Blame = (leaves: boolean, what: Failure) => EngineState;

function stateAfter(
  choice: Choice,
  known: Readonly<{ left: EngineState; failure: Failure; blame: Blame; model: ModelId }>,
): EngineState {
  const { left, failure, blame, model } = known;
  const { action } = choice;
  if (action.kind === 'hold' && action.to === model && action.task !== 'ask') {
    // What is asked again has not failed yet: the turn tells when it gives up. Only a block needs a person at once.
    return blame(false, failure.lane === 'blocked' ? failure : { ...failure, lane: 'neutral' });
  }
  const leaves =
    action.kind === 'switch' || action.kind === 'exhausted' || (action.kind === 'hold' && action.to !== model);
  return leaves ? left : blame(false, failure);
}

/** In shadow mode nobody is refused; it is told who would have been. */
function shadowed(before: EngineState, after: EngineState, { model, directory }: Attempt): readonly Note[] {
  if (!numbersFor(after, directory).shadow) return [];
  const [old, next] = [pairOf(before, model), pairOf(after, model)];
  const isOpened = (lane: 'model' | 'provider') =>
    old[lane].breaker.kind !== 'open' && next[lane].breaker.kind === 'open';
  return isOpened('model') || isOpened('provider') ? [{ code: 'breaker.shadow', model }] : [];
}

/** A phrase nobody knows goes to the inbox where it can be taught. */
const unknown = (failure: Failure, { model }: Attempt): readonly Note[] =>
  failure.kind === 'unknown' ? [{ code: 'phrase.unknown', model, text: failure.message }] : [];

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
  what: Readonly<{ event: AttemptFailed; model: ModelId; failure: Failure; now: number; random: number }>,
): Choice {
  const { event, model, failure, now, random } = what;
  const choice = decideFailure(state, turn, { model, failure, now, random });
  if (!event.decided) return choice;
  return adopt(state, event.decided, { from: model, chain: chainOf(state, turn), choice, now });
}

type Move = Readonly<{ choice: Choice; failure: Failure; now: number; attempt: AttemptId; model: ModelId }>;

function moved(state: EngineState, turn: Turn, how: Move): Outcome {
  const { choice, failure, now, attempt, model } = how;
  const { action, code } = choice;
  const costs = costsRetry(action, { ...turn, model });
  const next = { ...turnAfter(turn, how), owesRetry: costs };
  const seen = rated(state, turn, failure.lane === 'neutral' ? null : false);
  const paid = costs ? charged(seen.state, turn, now) : { state: seen.state, notes: [] };
  const spoken = speaking({ ...paid.state, turns: set(paid.state.turns, turn.turn, next) }, next, how);
  const why = { model, kind: failure.kind, now };
  const told =
    action.kind === 'hold' && action.task === 'ask'
      ? asking(spoken, next, { ...why, to: nextIn(state, turn, how), attempt })
      : code.startsWith('degraded.')
        ? degrading(spoken, next, why)
        : { state: spoken, notes: [] };
  const notes = [...seen.notes, ...paid.notes, ...told.notes];
  return { state: told.state, decisions: [decisionOf(next, choice, failure, attempt)], facts: [], notes };
}

/** Who would take over if a person agreed. */
function nextIn(state: EngineState, turn: Turn, { failure, now, model }: Move): ModelId | null {
  const tried = [...turn.tried, { model }];
  const walk = walkChain(state, chainOf(state, turn), { now, tried, failure, from: model, turn });
  return walk.chosen?.model ?? null;
}

function turnAfter(turn: Turn, { choice: { action, used }, failure, model }: Move): Turn {
  // Waiting for the network is no attempt at anything: the turn is not ended for it.
  const failedAttempts = turn.failedAttempts + (failure.kind === 'local_network' ? 0 : 1);
  const counted = used === undefined ? turn : { ...turn, used: { ...turn.used, [used]: (turn.used?.[used] ?? 0) + 1 } };
  // The same request goes out again: it has not failed yet.
  if (action.kind === 'hold' && action.to === model) {
    const isHint = action.task === undefined || action.task === 'hint';
    return { ...counted, held: isHint ? [...turn.held, model] : turn.held, failedAttempts };
  }
  const isCut = failure.kind === 'early_termination' && !turn.cut.includes(model);
  const failed: Turn = {
    ...counted,
    tried: [...turn.tried, { model, kind: failure.kind }],
    cut: isCut ? [...turn.cut, model] : turn.cut,
    failedAttempts,
  };
  if (action.kind === 'switch' || action.kind === 'hold') {
    const isPanic = used === 'panic' ? { panic: action.to } : {};
    return { ...failed, ...isPanic, model: action.to, switches: turn.switches + 1 };
  }
  return action.kind === 'exhausted' ? { ...failed, isExhausted: true } : failed;
}

/** Counts how a session's requests go; tells when that becomes an outage, or ceases to be one. */
function rated(
  state: EngineState,
  turn: Pick<Turn, 'session'>,
  isAnswered: boolean | null,
): Readonly<{ state: EngineState; notes: readonly Note[] }> {
  const session = get(state.sessions, turn.session);
  if (!session || isAnswered === null) return { state, notes: [] };
  const outcomes = withOutcome(session.outcomes ?? '', isAnswered);
  const [was, is] = [connectionOf(session.outcomes ?? '').isOutage, connectionOf(outcomes).isOutage];
  const next = { ...state, sessions: set(state.sessions, turn.session, { ...session, outcomes }) };
  const code = is ? 'session.outage' : 'session.connected';
  return { state: next, notes: was === is ? [] : [{ code, session: turn.session }] };
}

/** A request was answered. */
export function onSucceeded(state: EngineState, attemptId: AttemptId, now: number): Outcome {
  const attempt = get(state.attempts, attemptId);
  if (!attempt) return ignored(state, 'attempt.unknown', attemptId);
  const { model, permit } = attempt;
  const pair = succeedCall(pairOf(state, model), permit, numbersFor(state, attempt.directory), now);
  const closed = { ...withPair(state, model, pair), attempts: remove(state.attempts, attemptId) };
  const net = heard(closed, model);
  const turn = get(net.state.turns, attempt.turn);
  if (!turn || attempt.purpose === 'internal') return { ...silent(net.state), notes: net.notes };
  const seen = rated(net.state, turn, true);
  const next = isFresh(turn) ? seen.state : { ...seen.state, turns: set(seen.state.turns, turn.turn, answered(turn)) };
  return { ...silent(next), notes: [...net.notes, ...seen.notes] };
}

const isFresh = (turn: Turn): boolean =>
  turn.tried.length === 0 && turn.used === undefined && !turn.isHostRetrying && turn.offlineSince === undefined;

/** A turn after an answer: what its models failed at before is forgotten; what may happen once a turn stays taken. */
function answered({ offlineSince, used, panic, ...turn }: Turn): Turn {
  const once = used?.panic || used?.compact ? { used: pick(used) } : {};
  return { ...turn, ...once, tried: [], owesRetry: false, isHostRetrying: false };
}

const pick = (used: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(used).filter(([step]) => step === 'panic' || step === 'compact'));

/** The user stopped a request. */
export function onAborted(state: EngineState, attemptId: AttemptId, now: number): Outcome {
  const attempt = get(state.attempts, attemptId);
  if (!attempt) return ignored(state, 'attempt.unknown', attemptId);
  return silent(handedBack(refunded(state, get(state.turns, attempt.turn), now), attempt));
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
