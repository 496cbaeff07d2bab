import { adopt } from './adopt';
import { counted } from './budget';
import { type Choice, choose, decisionOf, LEFT_OUT, outlookOf } from './choice';
import type { AttemptStarted, PromptSubmitted } from './events';
import { admitCall, provesBefore } from './health';
import type { ModelId } from './ids';
import { isPaused, pinOf } from './pins';
import { onPrompt } from './prompt';
import { exhausted, hasUnderstudy, isNative, nextSpeaker, soonestBeforeStart } from './spare';
import { speak } from './speaking';
import { copyOf, moveTurn, pairOf, planOf, putPair, speakerKey, standingOf, type Turn } from './state';
import { withUsed } from './steps';
import { get, remove, set } from './table';
import { type Ignored, ignored, type Work } from './work';

/** A request is about to leave: may its model be asked? */
export function onStarted(work: Work, event: AttemptStarted): Ignored | undefined {
  const { state } = work;
  if (get(state.attempts, event.attempt)) return ignored('attempt.duplicate', event.attempt);
  // OpenCode's own requests never switch and belong to no speaker; they only tell how their model is.
  if (event.purpose === 'internal') {
    admit(work, event, undefined);
    return;
  }
  // The companion may be loaded in the middle of a turn: the request itself then opens it.
  if (!get(state.turns, event.turn)) openByRequest(work, event);
  const known = get(state.turns, event.turn);
  if (!known) return ignored('attempt.without_turn', event.attempt);
  const turn = copyOf(known);
  if (event.needs) turn.needs = event.needs;
  const choice = event.decided ? adoptStart(work, turn, event) : chooseStart(work, turn, event);
  if (choice && choice.action.kind !== 'keep' && choice.action.kind !== 'pass') {
    redirect(work, turn, event.model, choice);
    return;
  }
  admit(work, event, known);
  if (!event.needs && turn.model === event.model && !turn.isExhausted && !turn.isForced) return;
  turn.model = event.model;
  turn.isExhausted = false;
  turn.isForced = false;
  state.turns = set(state.turns, turn.turn, turn);
}

function admit({ state, now }: Work, event: AttemptStarted, known: Turn | undefined): void {
  const { attempt, turn, session, model, purpose, directory, epoch } = event;
  const grant = get(state.grants, model);
  const pair = pairOf(state, model);
  const before = provesBefore(pair, now);
  let permit = grant?.permit;
  if (permit && grant?.epoch === epoch) state.grants = remove(state.grants, model);
  else {
    const admitted = admitCall(pair, now, known?.panic === model);
    putPair(state, model, admitted.pair);
    permit = admitted.permit;
  }
  const sent = { attempt, turn, session, model, purpose, directory, permit, at: now, before };
  state.attempts = set(state.attempts, attempt, sent);
  // A retry has been counted when it was decided.
  if (!known?.owesRetry) state.traffic = counted(state.traffic, 'firsts', now);
}

function openByRequest(work: Work, event: AttemptStarted): void {
  const decided = { kind: 'keep', to: event.model, code: 'keep.lead' } as const;
  const prompt: PromptSubmitted = { ...event, type: 'prompt.submitted', hostLead: null, isExplicit: true, decided };
  // Nobody asked for a decision: what it would have told is not told.
  onPrompt({ ...work, decisions: [], notes: [] }, prompt);
}

function adoptStart({ state, now }: Work, turn: Turn, { decided, model }: AttemptStarted): Choice | null {
  if (!decided || decided.kind === 'keep') return null;
  const outlook = outlookOf(state, turn, now);
  const { trace, soonest } = outlook.walk;
  return adopt(decided, model, outlook, choose({ kind: 'exhausted', soonest }, decided.code, trace));
}

/** Null lets the request go. A model that another session has just found out is left without asking it. */
function chooseStart({ state, now }: Work, turn: Turn, { model: from }: AttemptStarted): Choice | null {
  if (turn.isForced || turn.panic === from || !planOf(state, turn.directory, turn.agent)) return null;
  if (get(state.speakers, speakerKey(turn.session, turn.agent))?.degraded) return LEFT_OUT;
  if (isPaused(state.pause, now) || pinOf(state.pins, turn.directory, turn.agent, now)) return null;
  const { use, kind } = standingOf(state, from, now);
  if (use !== 'out' && !turn.isExhausted) return null;
  const outlook = outlookOf(state, turn, now);
  if (!hasUnderstudy(outlook)) return null;
  const next = nextSpeaker(outlook);
  if (next) {
    const { model: to, position, trace } = next;
    const action = { kind: 'switch', from, to, position } as const;
    return use === 'out' ? choose(action, `redirect.${kind ?? 'lead'}`, trace) : null;
  }
  if (isNative(outlook)) return null;
  const soon = soonestBeforeStart(outlook);
  if (!soon) return exhausted(outlook);
  const action = { kind: 'hold', to: soon.model, waitMs: soon.inMs, task: 'soonest' } as const;
  return { ...choose(action, 'hold.soonest', outlook.walk.trace), used: `soonest|${soon.model}` };
}

/** The turn leaves a model that was never asked: no failure, no depth spent. */
function redirect(work: Work, turn: Turn, from: ModelId, choice: Choice): void {
  const { state, decisions } = work;
  const { action, used } = choice;
  const next = copyOf(turn);
  next.used = withUsed(turn.used, used);
  if ('to' in action) moveTurn(next, from, action.to);
  else next.isExhausted = true;
  state.turns = set(state.turns, turn.turn, next);
  speak(work, next, choice, null);
  decisions.push(decisionOf(next, choice, null, null));
}
