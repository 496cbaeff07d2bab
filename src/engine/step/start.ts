import type { ScopeConfig } from '../base/config';
import type { HealthKey, ModelId } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import { get, remove, set } from '../base/table';
import { withoutChosen } from '../base/trace';
import { adopt } from '../choose/adopt';
import { walkChain } from '../choose/chain';
import { type Choice, choose, decisionOf, LEFT_OUT, type Outlook, outlookOf } from '../choose/choice';
import { asksOfDrain, haltFor } from '../choose/halt';
import { refillMs, shortOf } from '../choose/headroom';
import { haltedBy } from '../choose/money';
import {
  exhausted,
  guessedFor,
  hasUnderstudy,
  isLoop,
  isNative,
  LOOP_WAIT_MS,
  nextSpeaker,
  soonestBeforeStart,
} from '../choose/spare';
import { usedOf, withUsed } from '../choose/steps';
import { admitCall, type Pair, provesBefore } from '../health/health';
import { isPaused } from '../health/pins';
import { SKIP_MS } from '../state/ask';
import { keyBy, keyIn } from '../state/books';
import { planIn } from '../state/chain';
import type { AttemptStarted, PromptSubmitted } from '../state/events';
import { isOutByHand, pairOf, pinFor, putPair, standingIn, standingOf } from '../state/read';
import { copyOf, type EngineState, moveTurn, type Speaker, speakerKey, type Turn } from '../state/state';
import { began, positionIn, positionOf } from '../state/subject';
import { type Ignored, ignored, type Work } from '../state/work';
import { askedFirst, askKind, lacksInput } from './ask-first';
import { ask } from './asking';
import { noteDrain } from './drain';
import { onPrompt } from './prompt';
import { speak } from './speaking';
import { setWait, waitBefore } from './waits';

export function onStarted(work: Work, event: AttemptStarted): Ignored | undefined {
  const { state } = work;
  if (get(state.attempts, event.attempt)) return ignored('attempt.duplicate', event.attempt);
  // OpenCode's own requests never switch. Their host skips models excluded by the user (`isOutByHand`); one sent
  // anyway is recorded.
  if (event.purpose === 'internal') {
    admit(work, event, undefined, null);
    return;
  }
  // The companion may be loaded within a turn.
  if (!get(state.turns, event.turn)) openByRequest(work, event);
  const existing = get(state.turns, event.turn);
  if (!existing) return ignored('attempt.without_turn', event.attempt);
  const turn = event.needs || event.spend ? withNeeds(existing, event) : existing;
  const seat = seatOf(state, turn, event.model);
  const choice = event.decided ? adoptStart(work, turn, event) : chooseStart(work, turn, event, seat);
  if (choice && choice.action.kind !== 'keep' && choice.action.kind !== 'pass') {
    redirect(work, turn, event.model, choice);
    return;
  }
  admit(work, event, existing, event.directory === turn.directory ? seat : null);
  if (seat.speaker?.waits) setWait(state, turn, undefined);
  const session = get(state.sessions, turn.session);
  // The next request means that the user has answered.
  if (session?.waitsFor) state.sessions = set(state.sessions, turn.session, { ...session, waitsFor: undefined });
  const isSame = turn.isUnderWay && turn.model === event.model && !turn.isExhausted && !turn.isForced;
  if (isSame && turn === existing) return;
  const next = copyOf(turn);
  next.isUnderWay = true;
  next.model = event.model;
  next.isExhausted = false;
  next.isForced = false;
  state.turns = set(state.turns, next.turn, next);
}

function withNeeds(existing: Turn, { needs, spend }: AttemptStarted): Turn {
  const turn = copyOf(existing);
  turn.needs = needs ?? existing.needs;
  turn.spend = spend ?? existing.spend;
  return turn;
}

type Seat = Readonly<{ scope: ScopeConfig | undefined; speaker: Speaker | undefined; key: HealthKey; pair: Pair }>;

function seatOf(state: EngineState, { directory, session, agent }: Turn, model: ModelId): Seat {
  const scope = get(state.scopes, directory);
  const key = keyBy(scope, model);
  return { scope, speaker: get(state.speakers, speakerKey(session, agent)), key, pair: pairOf(state, key) };
}

function admit(
  { state, now, facts }: Work,
  event: AttemptStarted,
  existing: Turn | undefined,
  seat: Seat | null,
): void {
  const { attempt, turn, session, agent, model, purpose, directory, epoch } = event;
  const key = seat?.key ?? keyIn(state, directory, model);
  const grant = get(state.grants, key);
  const pair = seat?.pair ?? pairOf(state, key);
  const before = provesBefore(pair, now);
  let permit = grant?.permit;
  if (permit && grant?.epoch === epoch) state.grants = remove(state.grants, key);
  else {
    const admitted = admitCall(pair, now, existing?.early === model);
    putPair(state, key, admitted.pair);
    permit = admitted.permit;
  }
  const position =
    seat && seat.speaker?.session === session ? positionOf(state, seat.speaker, model) : positionIn(state, event);
  const { spend } = event;
  const sent = {
    attempt,
    turn,
    session,
    agent,
    model,
    position,
    key,
    purpose,
    directory,
    permit,
    at: now,
    before,
    spend,
  };
  state.attempts = set(state.attempts, attempt, sent);
  facts.push(began(state, sent, existing, event.parentSession ?? null));
}

function openByRequest(work: Work, event: AttemptStarted): void {
  const decided = { kind: 'keep', to: event.model, code: 'keep.lead' } as const;
  const prompt: PromptSubmitted = { ...event, type: 'prompt.submitted', hostLead: null, isExplicit: true, decided };
  onPrompt({ ...work, decisions: [] }, prompt, 'request');
}

function adoptStart({ state, now }: Work, turn: Turn, { decided, model }: AttemptStarted): Choice | null {
  if (!decided || decided.kind === 'keep') return null;
  const outlook = outlookOf(state, turn, now);
  const isAlone = decided.code === PAUSED || outlook.plan === null;
  return adopt(decided, model, outlook, exhausted(isAlone ? alone(outlook, model) : outlook, decided.code));
}

/** The model is excluded and a pause prevents all others. */
const PAUSED = 'exhausted.paused';

function alone(outlook: Outlook, model: ModelId): Outlook {
  const { state, turn, now } = outlook;
  const [chain, tried] = [[model], []];
  return { ...outlook, scope: undefined, chain, tried, walk: walkChain(state, chain, { now, tried, turn }) };
}

/**
 * Null lets the request go. Leaves a model that another session just found unavailable.
 * A model excluded by the user is never called, not even with a pause, a pin, a retry, a single-model chain or
 * OpenCode's own retry; without another model the turn ends. Only disabled fallback skips this.
 */
function chooseStart({ state, now }: Work, turn: Turn, { model: from }: AttemptStarted, seat: Seat): Choice | null {
  const { scope, speaker: own, key, pair } = seat;
  const halt = scope?.enabled === true && !own?.degraded ? haltFor(state, turn, haltBy(scope, from, now)) : null;
  if (halt)
    return (
      (own === undefined || isPaused(state.pause, now) || pinFor(state, turn, now)
        ? null
        : pastBudget(state, turn, from, now)) ?? halt
    );
  const isTaken = scope?.enabled === true && isOutByHand(state, from, now);
  if (!isTaken && (turn.isForced || turn.early === from))
    return isLoop({ state, turn, scope }) ? heldAsLoop(outlookOf(state, turn, now), from) : null;
  if (!planIn(scope, turn.agent)) return isTaken ? exhausted(alone(outlookOf(state, turn, now), from)) : null;
  if (own?.degraded) return LEFT_OUT;
  const isStill = isPaused(state.pause, now);
  if (isTaken && isStill) return exhausted(alone(outlookOf(state, turn, now), from), PAUSED);
  if (isStill || (!isTaken && pinFor(state, turn, now))) return null;
  const { use, kind } = standingOf(state, key, now, pair);
  const isOut = use === 'out';
  // Checked last, since most requests state their needs.
  const isLacking = !isOut && !turn.isExhausted && lacksInput(state, turn, from);
  if (!isOut && !isLacking && !turn.isExhausted) return beforeLimit(state, turn, from, now);
  const outlook = outlookOf(state, turn, now);
  if (!isTaken && !hasUnderstudy(outlook)) return null;
  const next = nextSpeaker(outlook);
  if (next) {
    const { model: to, position, trace, drain } = next;
    const why = isOut || isLacking ? askedFirst(outlook, { from, to, own }) : null;
    if (why) return chooseRequested(outlook, from, why);
    if (isOut && drain?.mode === 'ask') return asksOfDrain(from, drain);
    const action = { kind: 'switch', from, to, position } as const;
    return isOut ? { ...choose(action, `redirect.${kind ?? 'lead'}`, trace), drain: drain?.short } : null;
  }
  if (isLacking || (!isTaken && isNative(outlook))) return null;
  const soon = soonestBeforeStart(outlook);
  // No question about a model that the user excluded.
  const why = isTaken ? null : askKind(outlook, from);
  if (why && soon?.model !== from) return turn.isExhausted ? exhausted(outlook) : chooseRequested(outlook, from, why);
  if (!soon) return isTaken ? exhausted(outlook) : early(outlook, from);
  const action = { kind: 'hold', to: soon.model, waitMs: soon.inMs, task: 'soonest' } as const;
  return { ...choose(action, 'hold.soonest', outlook.walk.trace), used: `soonest|${soon.model}` };
}

function heldAsLoop({ walk }: Outlook, to: ModelId): Choice {
  const action = { kind: 'hold', to, waitMs: LOOP_WAIT_MS, task: 'soonest' } as const;
  return { ...choose(action, 'hold.loop', withoutChosen(walk.trace)), used: `soonest|${to}` };
}

/** If only estimates exclude all models, the one due first is called. */
function early(outlook: Outlook, from: ModelId): Choice | null {
  const guessed = outlook.turn.isExhausted ? null : guessedFor(outlook);
  if (!guessed) return exhausted(outlook);
  const { model: to, position, trace } = guessed;
  if (to === from) return null;
  return { ...choose({ kind: 'switch', from, to, position }, 'redirect.estimate', trace), used: 'estimate' };
}

/** Another model, if only one provider's budget is spent; null if a budget blocks all. */
function pastBudget(state: EngineState, turn: Turn, from: ModelId, now: number): Choice | null {
  const short = shortOf(state, turn, from, now);
  const outlook = outlookOf(state, turn, now);
  const next = hasUnderstudy(outlook) ? nextSpeaker(outlook) : null;
  if (!short || !next || next.model === from || haltedBy(state, turn, next.model, now)) return null;
  const { model: to, position, trace, drain } = next;
  const choice = choose({ kind: 'switch', from, to, position }, short.code, trace);
  return { ...choice, short, drain: drain?.short };
}

const haltBy = (scope: ScopeConfig, model: ModelId, now: number) => ({
  model,
  now,
  askMs: SKIP_MS,
  canAsk: scope.abilities?.includes('ask') ?? false,
});

/**
 * Before a limit: switches, or waits briefly. Null lets the request go, also without another model, since a refusal
 * costs less than no response.
 */
function beforeLimit(state: EngineState, turn: Turn, from: ModelId, now: number): Choice | null {
  const short = shortOf(state, turn, from, now);
  if (!short) return null;
  const outlook = outlookOf(state, turn, now);
  const waitMs = refillMs(short, turn, { state, model: from, now });
  if (waitMs !== null) {
    const action = { kind: 'hold', to: from, waitMs, task: 'soonest' } as const;
    return { ...choose(action, 'hold.headroom', outlook.walk.trace), used: `refill|${from}`, short };
  }
  const next = hasUnderstudy(outlook) ? nextSpeaker(outlook) : null;
  if (!next || next.model === from || outlook.walk.shorts.has(next.model)) return null;
  const { model: to, position, trace, drain } = next;
  if (drain?.mode === 'ask') return asksOfDrain(from, drain);
  const choice = choose({ kind: 'switch', from, to, position }, short.code, trace);
  return { ...choice, short, drain: drain?.short };
}

/** An approved model may be unavailable by now: repeats up to once per model. */
function chooseRequested(outlook: Outlook, from: ModelId, kind: FailureKind): Choice {
  if (usedOf(outlook.turn, 'ask', from) >= outlook.chain.length) return exhausted(outlook);
  const action = { kind: 'hold', to: from, waitMs: SKIP_MS, task: 'ask' } as const;
  return { ...choose(action, `ask.${kind}`, withoutChosen(outlook.walk.trace)), used: `ask|${from}` };
}

/** No failure, no switch counted. */
function redirect(work: Work, turn: Turn, from: ModelId, choice: Choice): void {
  const { state, now, decisions } = work;
  const { action, used } = choice;
  const next = copyOf(turn);
  next.used = withUsed(turn.used, used);
  noteDrain(work, turn, choice);
  if (choice.code === 'ask.money')
    ask(work, next, { model: from, to: null, kind: 'unknown', attempt: null, short: choice.short });
  else if (choice.code === 'ask.drain') {
    const to = nextSpeaker(outlookOf(state, turn, now))?.model ?? null;
    ask(work, next, { model: from, to, kind: 'unknown', attempt: null, short: choice.short, isOfPlan: true });
  } else if (action.kind === 'hold' && action.task === 'ask') {
    const outlook = outlookOf(state, turn, now);
    const to = nextSpeaker(outlook)?.model ?? null;
    // The kind is the model's own, the row perhaps its primary's.
    const { kind: own } = standingIn(state, turn.directory, from, now);
    const kind = askKind(outlook, from) ?? own ?? askKind(outlook, turn.lead) ?? 'unknown';
    ask(work, next, { model: from, to, kind, attempt: null });
  } else if ('to' in action) {
    // Neither a model near a limit nor one that is waited for counts as left.
    if (choice.short || choice.code === 'hold.headroom') {
      next.isMoved = next.model !== action.to || next.isMoved;
      next.model = action.to;
    } else moveTurn(next, from, action.to);
    if (used === 'estimate') next.early = action.to;
  } else next.isExhausted = true;
  state.turns = set(state.turns, turn.turn, next);
  const isHeld = action.kind === 'hold' && action.task !== 'ask';
  const waits = isHeld ? waitBefore(work, turn, { ...choice, to: action.to, waitMs: action.waitMs }) : null;
  speak(work, next, choice, { failure: null, waits });
  decisions.push(decisionOf(next, choice, null, null));
}
