import { counted } from './budget';
import { type Walk, walkChain } from './chain';
import { adopt, type Choice, decisionOf, hasUnderstudy, isNative, nextSpeaker, soonestFor } from './decide';
import type { AttemptStarted, PromptSubmitted } from './events';
import { admitCall } from './health';
import { ignored, type Outcome, silent } from './outcome';
import { isPaused, pinOf } from './pins';
import { onPrompt } from './prompt';
import { speaking } from './speaking';
import { chainOf, type EngineState, pairOf, planOf, standingOf, type Turn, withPair } from './state';
import { get, remove, set } from './table';

/** A request is about to leave: may its model be asked? */
export function onStarted(state: EngineState, event: AttemptStarted, now: number): Outcome {
  if (get(state.attempts, event.attempt)) return ignored(state, 'attempt.duplicate', event.attempt);
  // OpenCode's own requests never switch and belong to no speaker; they only tell how their model is.
  if (event.purpose === 'internal') return silent(admitted(state, event, now));
  // The companion may be loaded in the middle of a turn: the request itself then opens it.
  const base = get(state.turns, event.turn) ? state : openedByRequest(state, event, now);
  const known = get(base.turns, event.turn);
  const turn = known && event.needs ? { ...known, needs: event.needs } : known;
  if (!turn) return ignored(state, 'attempt.without_turn', event.attempt);
  const choice = event.decided ? adoptStart(base, turn, event, now) : chooseStart(base, turn, event, now);
  if (choice && choice.action.kind !== 'keep' && choice.action.kind !== 'pass')
    return redirected(base, turn, choice, now);
  const next = admitted(base, event, now);
  if (turn === known && turn.model === event.model && !turn.isExhausted) return silent(next);
  return silent({
    ...next,
    turns: set(next.turns, turn.turn, { ...turn, model: event.model, isExhausted: false }),
  });
}

function admitted(state: EngineState, event: AttemptStarted, now: number): EngineState {
  const { attempt, turn, session, model, purpose, directory, epoch } = event;
  const known = purpose === 'turn' ? get(state.turns, turn) : undefined;
  const grant = get(state.grants, model);
  const isGranted = grant !== undefined && grant.epoch === epoch;
  const own = isGranted
    ? { pair: pairOf(state, model), permit: grant.permit }
    : admitCall(pairOf(state, model), now, known?.panic === model);
  const { pair, permit } = own;
  const sent = { attempt, turn, session, model, purpose, directory, permit, at: now };
  return {
    ...withPair(state, model, pair),
    attempts: set(state.attempts, attempt, sent),
    grants: isGranted ? remove(state.grants, model) : state.grants,
    // A retry has been counted when it was decided.
    traffic: known?.owesRetry ? state.traffic : counted(state.traffic, 'firsts', now),
  };
}

function openedByRequest(state: EngineState, event: AttemptStarted, now: number): EngineState {
  const { turn, session, directory, agent, model, parentSession } = event;
  const prompt: PromptSubmitted = {
    type: 'prompt.submitted',
    turn,
    session,
    directory,
    agent,
    model,
    hostLead: null,
    isExplicit: true,
    decided: { kind: 'keep', to: model, code: 'keep.lead' },
    ...(parentSession ? { parentSession } : {}),
    ...(event.needs ? { needs: event.needs } : {}),
  };
  return onPrompt(state, prompt, now).state;
}

function adoptStart(state: EngineState, turn: Turn, event: AttemptStarted, now: number): Choice | null {
  if (!event.decided || event.decided.kind === 'keep') return null;
  const chain = chainOf(state, turn);
  const { trace, soonest } = walkChain(state, chain, { now, tried: turn.tried, turn });
  const choice: Choice = { action: { kind: 'exhausted', soonest }, code: event.decided.code, trace };
  return adopt(state, event.decided, { from: event.model, chain, choice, now });
}

/** Null lets the request go. A model that another session has just found out is left without asking it. */
function chooseStart(state: EngineState, turn: Turn, event: AttemptStarted, now: number): Choice | null {
  if (turn.isForced || turn.panic === event.model || !planOf(state, turn.directory, turn.agent)) return null;
  if (isPaused(state.pause, now) || pinOf(state.pins, turn.directory, turn.agent, now)) return null;
  const standing = standingOf(state, event.model, now);
  if (standing.use !== 'out' && !turn.isExhausted) return null;
  if (!hasUnderstudy(state, turn)) return null;
  const { tried } = turn;
  const walk = walkChain(state, chainOf(state, turn), { now, tried, turn });
  const next = nextSpeaker(state, turn, { now, tried, walk });
  if (!next) {
    if (isNative(state, turn)) return null;
    const soonest = soonestFor(state, turn, walk.soonest);
    if (soonest) return soon(soonest, walk);
    return { action: { kind: 'exhausted', soonest: walk.soonest }, code: 'exhausted.cooling', trace: walk.trace };
  }
  if (standing.use !== 'out') return null;
  const { model: to, position, trace } = next;
  return {
    action: { kind: 'switch', from: event.model, to, position },
    code: `redirect.${standing.kind ?? 'lead'}`,
    trace,
  };
}

function soon({ model, inMs }: NonNullable<Walk['soonest']>, { trace }: Walk): Choice {
  const action = { kind: 'hold', to: model, waitMs: inMs, task: 'soonest' } as const;
  return { action, code: 'hold.soonest', trace, used: `soonest|${model}` };
}

/** The turn leaves a model that was never asked: no failure, no depth spent. */
function redirected(state: EngineState, turn: Turn, choice: Choice, now: number): Outcome {
  const { action, used } = choice;
  const counted = used === undefined ? turn : { ...turn, used: { ...turn.used, [used]: 1 } };
  const next: Turn = 'to' in action ? { ...counted, model: action.to } : { ...counted, isExhausted: true };
  const moved = { ...state, turns: set(state.turns, turn.turn, next) };
  return {
    state: speaking(moved, next, { choice, failure: null, now }),
    decisions: [decisionOf(next, choice, null, null)],
    facts: [],
  };
}
