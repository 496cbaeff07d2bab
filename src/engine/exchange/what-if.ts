import type { ScopeConfig } from '../base/config';
import type { DecisionAction } from '../base/decision';
import type { ModelId, TurnId } from '../base/ids';
import type { AttemptFailed, AttemptStarted, EngineEvent, PromptSubmitted } from '../state/events';
import type { Fact } from '../state/facts';
import { type EngineState, initialState } from '../state/state';
import { step } from '../step/step';
import { type LogEntry, reconfigured } from './log';

export type TurnEnd = Readonly<{
  at: number;
  agent: string;
  end: 'answered' | 'failed' | 'unknown';
  /** Log time of the response; of several, the farthest from the message. */
  heardAt: number;
  isTroubled: boolean;
}>;

/** `unknown`: the log contains no request of the model. */
export type Outcomes = Readonly<{
  turns: number;
  answered: number;
  failed: number;
  unknown: number;
  switches: number;
  refusals: number;
  heldMs: number;
  lostMs: number;
  answeredBy: Readonly<Record<ModelId, number>>;
  ends: readonly TurnEnd[];
}>;

export type WhatIf = Readonly<{ before: Outcomes; after: Outcomes }>;

const REQUESTS_MAX = 30;

type Ending = Extract<EngineEvent, { type: 'attempt.failed' | 'attempt.succeeded' }>;
type RequestRecord = { at: number; ending: Ending; isUsed: boolean };
type Knowledge = Readonly<{
  ofModel: ReadonlyMap<ModelId, readonly RequestRecord[]>;
  ofTurn: ReadonlyMap<string, RequestRecord[]>;
}>;

const turnKey = (model: ModelId, turn: TurnId): string => `${turn} ${model}`;

/**
 * Replays the messages of a log under another configuration; `before` is its own. A model gets its response in that
 * turn, else its nearest in time: an estimate, as good as the log is dense.
 */
export function whatIf(
  log: readonly LogEntry[],
  change: Readonly<{ config: (old: ScopeConfig, directory: string) => ScopeConfig }>,
): WhatIf {
  return { before: play(reconfigured(log, (old) => old)), after: play(reconfigured(log, change.config)) };
}

type Tally = { -readonly [K in keyof Outcomes]: Outcomes[K] } & {
  answeredBy: Record<ModelId, number>;
  ends: TurnEnd[];
};

function play(log: readonly LogEntry[]): Outcomes {
  const records = knownIn(log);
  const tally: Tally = {
    turns: 0,
    answered: 0,
    failed: 0,
    unknown: 0,
    switches: 0,
    refusals: 0,
    heldMs: 0,
    lostMs: 0,
    answeredBy: {},
    ends: [],
  };
  let state = initialState;
  for (const { at, random = 0.5, event } of log) {
    if (event.type === 'prompt.submitted') {
      state = playTurn(state, event, { at, known: records, tally });
    } else if (!event.type.startsWith('attempt.') && event.type !== 'switch.carried') {
      state = step(state, event, at, random).state;
    }
  }
  return tally;
}

function knownIn(log: readonly LogEntry[]): Knowledge {
  const started = new Map<string, AttemptStarted>();
  const ofModel = new Map<ModelId, RequestRecord[]>();
  const ofTurn = new Map<string, RequestRecord[]>();
  for (const { at, event } of log) {
    if (event.type === 'attempt.started' && event.purpose === 'turn') started.set(event.attempt, event);
    if (event.type !== 'attempt.failed' && event.type !== 'attempt.succeeded') continue;
    const start = started.get(event.attempt);
    if (!start) continue;
    const record = { at, ending: event, isUsed: false };
    addTo(ofModel, start.model, record);
    addTo(ofTurn, turnKey(start.model, start.turn), record);
  }
  for (const list of ofModel.values()) list.sort((a, b) => a.at - b.at);
  return { ofModel, ofTurn };
}

function addTo(lists: Map<string, RequestRecord[]>, key: string, record: RequestRecord): void {
  const list = lists.get(key);
  if (list) list.push(record);
  else lists.set(key, [record]);
}

type Stage = Readonly<{ at: number; known: Knowledge; tally: Tally }>;

function answerOf(model: ModelId, turn: TurnId, { at, known: records }: Stage): RequestRecord | null {
  const own = records.ofTurn.get(turnKey(model, turn))?.find((entry) => !entry.isUsed);
  return own ?? nearestTo(records.ofModel.get(model) ?? [], at);
}

function nearestTo(list: readonly RequestRecord[], at: number): RequestRecord | null {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const after = list[low];
  const before = list[low - 1];
  if (!before || !after) return before ?? after ?? null;
  return at - before.at <= after.at - at ? before : after;
}

function playTurn(from: EngineState, prompt: PromptSubmitted, stage: Stage): EngineState {
  const { tally, at } = stage;
  tally.turns++;
  let { state, decisions } = step(from, prompt, at, 0.5);
  let action: DecisionAction | undefined = decisions[0]?.action;
  let code = decisions[0]?.code;
  let model = prompt.model;
  let heardAt = at;
  let isTroubled = false;
  let waitedMs = 0;
  for (let n = 0; n < REQUESTS_MAX; n++) {
    if (!action || action.kind === 'exhausted' || action.kind === 'pass') break;
    if (action.kind === 'switch') tally.switches++;
    if (action.kind === 'hold') tally.heldMs += action.waitMs;
    // Only a refilling limit needs time to pass.
    if (action.kind === 'hold' && code === 'hold.headroom') waitedMs += action.waitMs;
    model = action.to;
    const next = request(state, { prompt, model, n }, { ...stage, at: at + waitedMs });
    state = next.state;
    if (Math.abs(next.heardAt - at) > Math.abs(heardAt - at)) heardAt = next.heardAt;
    if (next.end === 'answered' || next.end === 'unknown') {
      tally[next.end]++;
      if (next.end === 'answered') tally.answeredBy[model] = (tally.answeredBy[model] ?? 0) + 1;
      tally.ends.push({ at, agent: prompt.agent, end: next.end, heardAt, isTroubled });
      return state;
    }
    action = next.action;
    code = next.code;
    isTroubled = true;
  }
  tally.failed++;
  tally.ends.push({ at, agent: prompt.agent, end: 'failed', heardAt, isTroubled: true });
  return state;
}

const isRefusal = (fact: Fact): boolean =>
  fact.type === 'attempt.ended' &&
  fact.outcome === 'failed' &&
  (fact.failure.kind === 'rate_limit' || fact.failure.kind === 'quota');

type Played = Readonly<{
  state: EngineState;
  end: 'answered' | 'unknown' | null;
  heardAt: number;
  action?: DecisionAction | undefined;
  code?: string | undefined;
}>;

function request(
  from: EngineState,
  simulated: Readonly<{ prompt: PromptSubmitted; model: ModelId; n: number }>,
  stage: Stage,
): Played {
  const { prompt, model, n } = simulated;
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
  if (refusal) return { state: started.state, end: null, heardAt: at, action: refusal.action, code: refusal.code };
  const answer = answerOf(model, turn, stage);
  if (!answer) {
    const { state } = step(started.state, { type: 'attempt.aborted', attempt }, at, 0.5);
    return { state, end: 'unknown', heardAt: at };
  }
  answer.isUsed = true;
  const { decided, ...ending } = answer.ending as AttemptFailed;
  const ended = step(started.state, { ...ending, attempt } as Ending, at, 0.5);
  const heardAt = answer.at;
  if (answer.ending.type === 'attempt.succeeded') return { state: ended.state, end: 'answered', heardAt };
  stage.tally.lostMs += answer.ending.durationMs;
  if (ended.facts.some(isRefusal)) stage.tally.refusals++;
  return { state: ended.state, end: null, heardAt, action: ended.decisions[0]?.action, code: ended.decisions[0]?.code };
}
