import type { HealthNumbers } from '../base/config';
import type { Failure } from '../base/decision';
import type { HealthKey } from '../base/ids';
import { type AttemptId, type ModelId, providerOf } from '../base/ids';
import type { FailureLane } from '../base/kinds';
import { entries, get, remove, set } from '../base/table';
import { adopt } from '../choose/adopt';
import { refusalOf } from '../choose/checks';
import { type Choice, decisionOf, outlookOf } from '../choose/choice';
import { decideFailure } from '../choose/decide';
import { nextSpeaker } from '../choose/spare';
import { withUsed } from '../choose/steps';
import { classify, isUnnamed } from '../failure/classify';
import { retryAfterOf } from '../failure/hints';
import { abortCall, failCall, type Health, type Pair, succeedCall } from '../health/health';
import { connectionOf, withOutcome } from '../health/outage';
import { isClear } from '../health/standing';
import { chainOf } from '../state/chain';
import type { AttemptFailed, EventOf } from '../state/events';
import type { AttemptEnd } from '../state/facts';
import { numbersFor, pairOf, putPair } from '../state/read';
import {
  type Attempt,
  copyOf,
  type Draft,
  draftOf,
  type EngineState,
  moveTurn,
  speakerKey,
  type Turn,
} from '../state/state';
import { ended } from '../state/subject';
import { type Ignored, ignored, type Work } from '../state/work';
import { ask, degrade } from './asking';
import { noteDrain } from './drain';
import { hinted, settleSpent } from './headroom';
import { judged, noteReached } from './network';
import { speak } from './speaking';
import { charge, costsRetry, giveBack, noteAnswer, noteFailure } from './spending';
import { setWait, waitAfter, waitStayed } from './waits';

export function onFailed(work: Work, event: AttemptFailed): Ignored | undefined {
  const { state, facts } = work;
  const { durationMs } = event;
  const attempt = get(state.attempts, event.attempt);
  if (!attempt) return ignored('attempt.unknown', event.attempt);
  const { model, key = model } = attempt;
  const named = hinted(work, attempt, widened(state, key, classify(event.evidence)));
  if (named.kind === 'aborted') {
    abort(work, attempt, { outcome: 'aborted', failure: named, durationMs });
    return;
  }
  const own = get(state.turns, attempt.turn);
  const ownTurn = attempt.purpose === 'turn' ? own : undefined;
  state.attempts = remove(state.attempts, event.attempt);
  if (named.outputChars > 0) settleSpent(work, attempt, named.outputChars);
  const { turn, failure: judgedAs } = judged(work, attempt, { turn: ownTurn, failure: named });
  const failure = noteFailure(work, key, judgedAs);
  facts.push(ended(state, attempt, own, { outcome: 'failed', failure, durationMs }));
  const before = pairOf(state, key);
  noteStale(work, attempt, before, LANES_TOLD[failure.lane]);
  const numbers = numbersFor(state, attempt.directory, key, ownTurn?.agent);
  const blame = (leaves: boolean, what: Failure): Pair =>
    blamed(work, before, { attempt, turn, failure: what, numbers, leaves });
  if (!turn) {
    putPair(state, key, blame(false, failure));
    return;
  }
  // The policy decides with the health that the model has once the turn leaves it.
  const abandoned = draftOf(state);
  putPair(abandoned, key, blame(true, failure));
  const choice = chooseFailure({ ...work, state: abandoned }, turn, { event, model, failure });
  const stays = choice.action.kind === 'hold' && choice.action.to === model && choice.action.task !== 'ask';
  // A repeated request counts when the turn gives it up. Only a block needs the user at once.
  const counted = stays && failure.lane !== 'blocked' ? { ...failure, lane: 'neutral' as const } : failure;
  if (leaves(choice, model)) {
    state.models = abandoned.models;
    state.providers = abandoned.providers;
  } else putPair(state, key, blame(false, counted));
  if (failure.lane === 'neutral') giveBack(work, ownTurn);
  const againMs = choice.action.kind === 'pass' ? retryAfterOf(event.evidence) : null;
  settle(work, turn, { choice, failure, attempt: event.attempt, model, againMs });
  if (numbers.shadow && isOpened(before, pairOf(state, key))) facts.push({ type: 'breaker.shadow', model });
  // The inbox lets the user classify it.
  if (isUnnamed(event.evidence, failure)) facts.push({ type: 'phrase.unknown', model, text: failure.message });
}

const LANES_TOLD: Readonly<Partial<Record<FailureLane, readonly (keyof Pair)[]>>> = {
  breaker: ['model'],
  network: ['provider'],
};
const BOTH_LANES = ['model', 'provider'] as const;

/** Reports results from before a breaker opened, even if it has closed since. */
function noteStale({ facts }: Work, { model, permit }: Attempt, pair: Pair, lanes: readonly (keyof Pair)[] = []): void {
  for (const lane of lanes) {
    const { generation } = permit[lane];
    if (generation >= 0 && generation < pair[lane].breaker.generation)
      facts.push({ type: lane === 'model' ? 'breaker.stale' : 'network.stale', model });
  }
}

const leaves = ({ action, code }: Choice, model: ModelId): boolean =>
  action.kind === 'switch' ||
  code === 'ask.drain' ||
  action.kind === 'exhausted' ||
  (action.kind === 'hold' && action.to !== model);

/** In shadow mode, reported once: a failed probe opens the breaker again. */
const isOpened = (old: Pair, next: Pair): boolean =>
  (['model', 'provider'] as const).some(
    (lane) => old[lane].breaker.kind === 'closed' && next[lane].breaker.kind === 'open',
  );

function blamed(
  work: Work,
  pair: Pair,
  what: Readonly<{
    attempt: Attempt;
    turn: Turn | undefined;
    failure: Failure;
    numbers: HealthNumbers;
    leaves: boolean;
  }>,
): Pair {
  const { attempt, turn, failure, numbers, leaves } = what;
  const { now } = work;
  const { permit, directory, model, key = model } = attempt;
  const counts = failure.kind !== 'early_termination' || !turn?.cut.includes(model);
  const failed = failCall(pair, { permit, failure, now, numbers, directory, leaves, counts });
  return {
    model: asReset(work, key, pair.model, failed.model),
    provider: asReset(work, providerOf(key), pair.provider, failed.provider),
  };
}

/** A companion may report a failure after the user's reset, which stays in force. */
function asReset({ state, now }: Work, key: HealthKey, old: Health, failed: Health): Health {
  const { last, failed: count } = failed;
  return now < (get(state.resets, key) ?? now) ? { ...old, last, failed: count } : failed;
}

/** If a second model of a provider refuses permission, the provider does. */
function widened(state: EngineState, key: HealthKey, failure: Failure): Failure {
  if (failure.kind !== 'permission') return failure;
  const provider = providerOf(key);
  const refuses = entries(state.models).some(
    ([other, { block }]) => other !== key && providerOf(other) === provider && block?.kind === 'permission',
  );
  return refuses ? { ...failure, scope: 'provider' } : failure;
}

function chooseFailure(
  { state, now, random }: Work,
  turn: Turn,
  { event, model, failure }: Readonly<{ event: AttemptFailed; model: ModelId; failure: Failure }>,
): Choice {
  const choice = decideFailure(state, turn, { model, failure, now, random });
  return event.decided
    ? adopt(event.decided, model, { state, turn, now, chain: chainOf(state, turn) }, choice)
    : choice;
}

type Move = Readonly<{
  choice: Choice;
  failure: Failure;
  attempt: AttemptId;
  model: ModelId;
  againMs: number | null;
}>;

function settle(work: Work, turn: Turn, how: Move): void {
  const { state, now, decisions } = work;
  const { choice, failure, attempt, model } = how;
  const { action, code } = choice;
  const next = turnAfter(turn, how);
  if (failure.lane !== 'neutral') rate(work, turn.session, false);
  if (code === 'switch.refused' || code === 'exhausted.refused') noteRefusal(state, turn.session, model);
  if (next.owesRetry) charge(work, turn, { model, now, steps: failure.steps });
  state.turns = set(state.turns, turn.turn, next);
  speak(work, next, choice, { failure, waits: waitAfter(now, turn, how) ?? null });
  noteDrain(work, next, choice);
  const why = { model, kind: failure.kind };
  if (action.kind === 'hold' && action.task === 'ask') {
    const to = nextSpeaker(outlookOf(state, turn, now, how))?.model ?? null;
    ask(work, next, { ...why, to, attempt, short: choice.short, isOfPlan: code === 'ask.drain' });
  } else if (code.startsWith('degraded.')) degrade(work, next, { ...why, attempt });
  decisions.push(decisionOf(next, choice, failure, attempt));
}

function turnAfter(turn: Turn, { choice: { action, used }, failure, model }: Move): Turn {
  const next = copyOf(turn);
  next.used = withUsed(turn.used, used);
  next.owesRetry = costsRetry(action, model);
  next.isUnanswered = true;
  // Waiting for the network must not end the turn.
  if (failure.kind !== 'local_network') next.failedAttempts++;
  if (action.kind === 'hold' && action.to === model) {
    if ((action.task ?? 'hint') === 'hint') next.held = [...turn.held, model];
    return next;
  }
  next.tried = [...turn.tried, { model, kind: failure.kind }];
  if (failure.kind === 'early_termination' && !turn.cut.includes(model)) next.cut = [...turn.cut, model];
  if (action.kind === 'exhausted') next.isExhausted = true;
  if (action.kind !== 'switch' && action.kind !== 'hold') return next;
  moveTurn(next, model, action.to);
  next.switches++;
  if (used === 'panic' || used === 'estimate') next.early = action.to;
  return next;
}

/** The model ranks last while the same model answered before it. */
function noteRefusal(state: Work['state'], id: string, model: ModelId): void {
  const session = get(state.sessions, id);
  if (!session?.answered) return;
  const pair = refusalOf(session, model);
  const { refused = [] } = session;
  if (!refused.includes(pair)) state.sessions = set(state.sessions, id, { ...session, refused: [...refused, pair] });
}

/** Reports the start and end of an outage. */
function rate({ state, facts }: Work, id: string, isAnswered: boolean, by?: ModelId): void {
  const existing = get(state.sessions, id);
  if (!existing) return;
  const {
    session,
    parent,
    directory,
    agent,
    at,
    turns,
    isIdle,
    quick,
    refused,
    outcomes: old = '',
    waitsFor,
  } = existing;
  const outcomes = withOutcome(old, isAnswered);
  const answered = by ?? existing.answered;
  // A spread costs several times as much.
  const next = { session, parent, directory, agent, at, turns, isIdle, quick, answered, refused, outcomes, waitsFor };
  state.sessions = set(state.sessions, id, next);
  const { isOutage } = connectionOf(outcomes);
  if (isOutage !== connectionOf(old).isOutage)
    facts.push({ type: isOutage ? 'session.outage' : 'session.connected', session: id });
}

export function onSucceeded(work: Work, event: EventOf<'attempt.succeeded'>): Ignored | undefined {
  const { state, now, facts } = work;
  const attempt = get(state.attempts, event.attempt);
  if (!attempt) return ignored('attempt.unknown', event.attempt);
  const { model, key = model, permit, directory, before } = attempt;
  const turn = get(state.turns, attempt.turn);
  const old = pairOf(state, key);
  const agent = attempt.purpose === 'turn' ? turn?.agent : undefined;
  const numbers = isClear(old) ? null : numbersFor(state, directory, key, agent);
  putPair(state, key, numbers === null ? old : succeedCall(old, { permit, numbers, now, before }));
  noteStale(work, attempt, old, BOTH_LANES);
  state.attempts = remove(state.attempts, event.attempt);
  settleSpent(work, attempt, event.outputChars);
  const { durationMs, firstTokenMs, unknownEnd } = event;
  facts.push(ended(state, attempt, turn, { outcome: 'answered', durationMs, firstTokenMs }));
  if (unknownEnd !== undefined) facts.push({ type: 'phrase.unknown', model, text: `finish reason: ${unknownEnd}` });
  noteReached(work, attempt);
  noteAnswer(state, key, attempt.purpose === 'turn' ? turn : undefined);
  if (!turn || attempt.purpose === 'internal') return;
  rate(work, turn.session, true, model);
  if (!isFresh(turn) || turn.model !== model) state.turns = set(state.turns, turn.turn, answered(turn, model));
}

const isFresh = (turn: Turn): boolean =>
  turn.tried.length === 0 &&
  turn.used === undefined &&
  turn.hostSince === undefined &&
  !turn.isUnanswered &&
  !turn.isMoved &&
  turn.offlineSince === undefined;

/** Steps allowed once per turn stay used. */
function answered(turn: Turn, model: ModelId): Turn {
  const next = copyOf(turn);
  next.tried = [];
  next.owesRetry = false;
  next.hostSince = undefined;
  next.isUnanswered = undefined;
  next.answeredBy = model;
  next.isMoved = undefined;
  next.offlineSince = undefined;
  next.early = undefined;
  next.used = onceOf(turn.used);
  return next;
}

function onceOf(used: Turn['used']): Turn['used'] {
  const once = Object.entries(used ?? {}).filter(([step]) => step === 'panic' || step === 'compact');
  return once.length > 0 ? Object.fromEntries(once) : undefined;
}

export function onAborted(work: Work, event: EventOf<'attempt.aborted'>): Ignored | undefined {
  const attempt = get(work.state.attempts, event.attempt);
  if (!attempt) return ignored('attempt.unknown', event.attempt);
  abort(work, attempt, { outcome: 'aborted', failure: null, durationMs: null });
}

function abort(work: Work, attempt: Attempt, end: AttemptEnd): void {
  const own = get(work.state.turns, attempt.turn);
  work.facts.push(ended(work.state, attempt, own, end));
  if (own && attempt.purpose === 'turn') {
    giveBack(work, own);
    work.state.turns = set(work.state.turns, own.turn, { ...own, owesRetry: false, isUnanswered: true });
  }
  if (attempt.isSeen) settleSpent(work, attempt, 0);
  handBack(work.state, attempt);
}

export function handBack(state: Draft, { attempt, model, key = model, permit }: Attempt): void {
  putPair(state, key, abortCall(pairOf(state, key), permit));
  state.attempts = remove(state.attempts, attempt);
}

/** The agent still uses the old model. */
export function onCarried(work: Work, event: EventOf<'switch.carried'>): Ignored | undefined {
  const { state, facts } = work;
  const { ok, turn: id, from, durationMs, reason = '' } = event;
  facts.push({ type: 'speaker.carried', turn: id, from, isCarried: ok, durationMs });
  if (ok) return;
  const turn = get(state.turns, id);
  if (!turn) return ignored('switch.without_turn', id);
  const { session, agent, model: to } = turn;
  const key = speakerKey(session, agent);
  const speaker = get(state.speakers, key);
  if (speaker) state.speakers = set(state.speakers, key, { ...speaker, active: from });
  setWait(state, turn, waitStayed(work, turn, from));
  const next = copyOf(turn);
  next.model = from;
  next.left = turn.left?.filter((model) => model !== from);
  state.turns = set(state.turns, id, next);
  facts.push({ type: 'switch.failed', turn: id, session, agent, from, to, reason });
}
