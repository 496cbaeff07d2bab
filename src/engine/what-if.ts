import type { ScopeConfig } from './config';
import type { DecisionAction } from './decision';
import type { AttemptFailed, AttemptStarted, EngineEvent, PromptSubmitted } from './events';
import type { ModelId, TurnId } from './ids';
import { type LogEntry, reconfigured } from './log';
import { type EngineState, initialState } from './state';
import { step } from './step';

/** How the turns of a log end. `unknown`: a model would have been asked that the log knows nothing of. */
export type Outcomes = Readonly<{
  turns: number;
  answered: number;
  failed: number;
  unknown: number;
  switches: number;
  /** Time spent holding, in ms. */
  heldMs: number;
}>;

export type WhatIf = Readonly<{ before: Outcomes; after: Outcomes }>;

/** Requests of one turn, after which a simulation gives up on it. */
const REQUESTS_MAX = 30;

type Ending = Extract<EngineEvent, { type: 'attempt.failed' | 'attempt.succeeded' }>;
/** What the log knows of one request. */
type Known = { model: ModelId; turn: TurnId; at: number; ending: Ending; isUsed: boolean };

/**
 * Plays the messages of a log under another configuration.
 *
 * A model that would be asked gets the answer it gave in that turn, else the one it gave nearest in time in the log: an
 * estimate, as good as the log is dense. `before` is the same play under the configuration of the log itself.
 */
export function whatIf(
  log: readonly LogEntry[],
  change: Readonly<{ config: (old: ScopeConfig, directory: string) => ScopeConfig }>,
): WhatIf {
  return { before: play(reconfigured(log, (old) => old)), after: play(reconfigured(log, change.config)) };
}

type Tally = { -readonly [K in keyof Outcomes]: Outcomes[K] };

function play(log: readonly LogEntry[]): Outcomes {
  const known = knownIn(log);
  const tally: Tally = { turns: 0, answered: 0, failed: 0, unknown: 0, switches: 0, heldMs: 0 };
  let state = initialState;
  for (const { at, random = 0.5, event } of log) {
    if (event.type === 'prompt.submitted') {
      state = playTurn(state, event, { at, known, tally });
    } else if (!event.type.startsWith('attempt.') && event.type !== 'switch.carried') {
      state = step(state, event, at, random).state;
    }
  }
  return tally;
}

function knownIn(log: readonly LogEntry[]): Known[] {
  const started = new Map<string, AttemptStarted>();
  const known: Known[] = [];
  for (const { at, event } of log) {
    if (event.type === 'attempt.started' && event.purpose === 'turn') started.set(event.attempt, event);
    if (event.type !== 'attempt.failed' && event.type !== 'attempt.succeeded') continue;
    const start = started.get(event.attempt);
    if (start) known.push({ model: start.model, turn: start.turn, at, ending: event, isUsed: false });
  }
  return known;
}

type Stage = Readonly<{ at: number; known: readonly Known[]; tally: Tally }>;

/** The answer of a model: its next one in this turn, else the nearest one anywhere. */
function answerOf(model: ModelId, turn: TurnId, { at, known }: Stage): Known | null {
  const own = known.find((entry) => entry.model === model && entry.turn === turn && !entry.isUsed);
  if (own) return own;
  let nearest: Known | null = null;
  for (const entry of known) {
    if (entry.model !== model) continue;
    if (!nearest || Math.abs(entry.at - at) < Math.abs(nearest.at - at)) nearest = entry;
  }
  return nearest;
}

function playTurn(from: EngineState, prompt: PromptSubmitted, stage: Stage): EngineState {
  const { tally, at } = stage;
  tally.turns++;
  let { state, decisions } = step(from, prompt, at, 0.5);
  let action: DecisionAction | undefined = decisions[0]?.action;
  let model = prompt.model;
  for (let n = 0; n < REQUESTS_MAX; n++) {
    if (!action || action.kind === 'exhausted' || action.kind === 'pass') break;
    if (action.kind === 'switch') tally.switches++;
    if (action.kind === 'hold') tally.heldMs += action.waitMs;
    model = action.to;
    const next = request(state, { prompt, model, n }, stage);
    state = next.state;
    if (next.end === 'answered' || next.end === 'unknown') {
      tally[next.end]++;
      return state;
    }
    action = next.action;
  }
  tally.failed++;
  return state;
}

type Played = Readonly<{ state: EngineState; end: 'answered' | 'unknown' | null; action?: DecisionAction | undefined }>;

function request(
  from: EngineState,
  asked: Readonly<{ prompt: PromptSubmitted; model: ModelId; n: number }>,
  stage: Stage,
): Played {
  const { prompt, model, n } = asked;
  const { at } = stage;
  const { turn, session, directory, agent } = prompt;
  const attempt = `${turn}#${n}`;
  const start: AttemptStarted = {
    type: 'attempt.started',
    attempt,
    turn,
    session,
    directory,
    agent,
    model,
    purpose: 'turn',
  };
  const started = step(from, start, at, 0.5);
  const refusal = started.decisions[0];
  if (refusal) return { state: started.state, end: null, action: refusal.action };
  const answer = answerOf(model, turn, stage);
  if (!answer)
    return { state: step(started.state, { type: 'attempt.aborted', attempt }, at, 0.5).state, end: 'unknown' };
  answer.isUsed = true;
  const { decided, ...ending } = answer.ending as AttemptFailed;
  const ended = step(started.state, { ...ending, attempt } as Ending, at, 0.5);
  if (answer.ending.type === 'attempt.succeeded') return { state: ended.state, end: 'answered' };
  return { state: ended.state, end: null, action: ended.decisions[0]?.action };
}
