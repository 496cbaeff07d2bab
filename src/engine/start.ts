import { walkChain } from './chain';
import { adopt, type Choice, decisionOf, hasUnderstudy, isNative, nextSpeaker } from './decide';
import type { AttemptStarted, PromptSubmitted } from './events';
import { admitCall } from './health';
import { ignored, type Outcome, silent } from './outcome';
import { onPrompt } from './prompt';
import { speaking } from './speaking';
import { chainOf, type EngineState, pairOf, planOf, standingOf, type Turn, withPair } from './state';
import { get, set } from './table';

/** A request is about to leave: may its model be asked? */
export function onStarted(state: EngineState, event: AttemptStarted, now: number): Outcome {
  if (get(state.attempts, event.attempt)) return ignored(state, 'attempt.duplicate', event.attempt);
  // OpenCode's own requests never switch and belong to no speaker; they only tell how their model is.
  if (event.purpose === 'internal') return silent(admitted(state, event, now));
  // The companion may be loaded in the middle of a turn: the request itself then opens it.
  const base = get(state.turns, event.turn) ? state : openedByRequest(state, event, now);
  const turn = get(base.turns, event.turn);
  if (!turn) return ignored(state, 'attempt.without_turn', event.attempt);
  const choice = event.decided ? adoptStart(base, turn, event, now) : chooseStart(base, turn, event, now);
  if (choice && (choice.action.kind === 'switch' || choice.action.kind === 'exhausted'))
    return redirected(base, turn, choice, now);
  const next = admitted(base, event, now);
  if (turn.model === event.model && !turn.isExhausted) return silent(next);
  return silent({
    ...next,
    turns: set(next.turns, turn.turn, { ...turn, model: event.model, isExhausted: false }),
  });
}

function admitted(state: EngineState, event: AttemptStarted, now: number): EngineState {
  const { attempt, turn, session, model, purpose, directory } = event;
  const { pair, permit } = admitCall(pairOf(state, model), now);
  return {
    ...withPair(state, model, pair),
    attempts: set(state.attempts, attempt, { attempt, turn, session, model, purpose, directory, permit }),
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
  };
  return onPrompt(state, prompt, now).state;
}

function adoptStart(state: EngineState, turn: Turn, event: AttemptStarted, now: number): Choice | null {
  if (!event.decided || event.decided.kind === 'keep') return null;
  const chain = chainOf(state, turn);
  const { trace, soonest } = walkChain(state, chain, { now, tried: turn.tried });
  const choice: Choice = { action: { kind: 'exhausted', soonest }, code: event.decided.code, trace };
  return adopt(state, event.decided, { from: event.model, chain, choice, now });
}

/** Null lets the request go. A model that another session has just found out is left without asking it. */
function chooseStart(state: EngineState, turn: Turn, event: AttemptStarted, now: number): Choice | null {
  if (turn.isForced || !planOf(state, turn.directory, turn.agent)) return null;
  const standing = standingOf(state, event.model, now);
  if (standing.use !== 'out' && !turn.isExhausted) return null;
  if (!hasUnderstudy(state, turn)) return null;
  const { tried } = turn;
  const walk = walkChain(state, chainOf(state, turn), { now, tried });
  const next = nextSpeaker(state, turn, { now, tried, walk });
  if (!next) {
    if (isNative(state, turn)) return null;
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

/** The turn leaves a model that was never asked: no failure, no depth spent. */
function redirected(state: EngineState, turn: Turn, choice: Choice, now: number): Outcome {
  const { action } = choice;
  const next: Turn = action.kind === 'switch' ? { ...turn, model: action.to } : { ...turn, isExhausted: true };
  const moved = { ...state, turns: set(state.turns, turn.turn, next) };
  return {
    state: speaking(moved, next, { choice, failure: null, now }),
    decisions: [decisionOf(next, choice, null, null)],
    facts: [],
  };
}
