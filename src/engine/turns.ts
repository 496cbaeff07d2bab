import { walkChain } from './chain';
import { classify } from './classify';
import { adopt, type Choice, decideFailure, decisionOf } from './decide';
import type { Decision, Fact, Failure } from './decision';
import type { AttemptFailed, AttemptStarted, EngineEvent, PromptSubmitted } from './events';
import { abortCall, admitCall, failCall, succeedCall } from './health';
import type { ModelId } from './ids';
import {
  afterFailure,
  chainOf,
  type EngineState,
  numbersFor,
  pairOf,
  planOf,
  type Session,
  type Speaker,
  speakerKey,
  standingOf,
  type Turn,
  withPair,
} from './state';
import { entries, get, remove, set } from './table';

/** What a part of the step did: the new state, what to do, and what became true. */
export type Outcome = Readonly<{ state: EngineState; decisions: readonly Decision[]; facts: readonly Fact[] }>;

/** Turns and sessions kept at most; the oldest idle ones leave first. */
const SESSIONS_MAX = 200;

const silent = (state: EngineState): Outcome => ({ state, decisions: [], facts: [] });
const ignored = (state: EngineState, code: string, subject: string): Outcome => ({
  state,
  decisions: [],
  facts: [{ type: 'event.ignored', code, subject }],
});

/** A user message is about to be answered: who shall speak? */
export function onPrompt(state: EngineState, event: PromptSubmitted, now: number): Outcome {
  const lead = leadOf(state, event);
  const turn: Turn = {
    turn: event.turn,
    session: event.session,
    directory: event.directory,
    agent: event.agent,
    lead,
    model: event.model,
    switches: 0,
    tried: [],
    held: [],
    failedAttempts: 0,
    isForced: false,
    isExhausted: false,
  };
  const chain = chainOf(state, turn);
  const known = get(state.speakers, speakerKey(event.session, event.agent));
  const own = planOf(state, event.directory, event.agent)
    ? choosePrompt(state, turn, { now, wasAway: known !== undefined && known.active !== lead })
    : keepChoice(event.model);
  const choice = event.decided ? adopt(event.decided, { from: event.model, chain, trace: own.trace }) : own;
  return opened(state, turn, { choice, now, parent: event.parentSession ?? null });
}

const keepChoice = (model: ModelId): Choice => ({ action: { kind: 'keep', to: model }, code: 'keep.lead', trace: [] });

/** Position 0 of the turn: a model picked by hand is a choice; a named lead, or an inherited model, is not. */
function leadOf(state: EngineState, event: PromptSubmitted): ModelId {
  const plan = planOf(state, event.directory, event.agent);
  const first = plan?.chain[0];
  const own = get(state.speakers, speakerKey(event.session, event.agent));
  if (!event.isExplicit && own && event.model === own.active) return own.lead;
  const parent = event.parentSession ? get(state.sessions, event.parentSession) : undefined;
  const parentSpeaker = parent && get(state.speakers, speakerKey(parent.session, parent.agent));
  const isInherited = parentSpeaker !== undefined && parentSpeaker.active === event.model;
  if (isInherited && parentSpeaker.active !== parentSpeaker.lead) return first ?? parentSpeaker.lead;
  if (event.model !== event.hostLead) return event.model;
  // The configured model leads, unless the chain names it: then the chain's own order holds.
  return plan?.chain.includes(event.hostLead) ? (first ?? event.model) : event.model;
}

function choosePrompt(state: EngineState, turn: Turn, known: Readonly<{ now: number; wasAway: boolean }>): Choice {
  const walk = walkChain(state, chainOf(state, turn), { now: known.now, tried: [] });
  const to = walk.chosen?.model;
  if (to === undefined) {
    return walk.soonest
      ? { action: { kind: 'exhausted', soonest: walk.soonest }, code: 'exhausted.cooling', trace: walk.trace }
      : // Only a person can mend what blocks these models, and a person has just sent a message: let it try.
        { action: { kind: 'keep', to: turn.lead }, code: 'keep.blocked', trace: walk.trace };
  }
  if (to !== turn.lead) {
    const kind = standingOf(state, turn.lead, known.now).kind;
    const action = { kind: 'redirect', from: turn.lead, to, position: walk.chosen?.position ?? 0 } as const;
    return { action, code: `redirect.${kind ?? 'lead'}`, trace: walk.trace };
  }
  if (known.wasAway) return { action: { kind: 'home', to }, code: 'home.ready', trace: walk.trace };
  const action =
    turn.model === to
      ? ({ kind: 'keep', to } as const)
      : ({ kind: 'redirect', from: turn.model, to, position: 0 } as const);
  return { action, code: action.kind === 'keep' ? 'keep.lead' : 'redirect.lead', trace: walk.trace };
}

function opened(
  state: EngineState,
  turn: Turn,
  how: Readonly<{ choice: Choice; now: number; parent: string | null }>,
): Outcome {
  const { action, code } = how.choice;
  const model = 'to' in action ? action.to : turn.lead;
  const isExhausted = action.kind === 'exhausted';
  const next: Turn = { ...turn, model, isForced: code === 'keep.blocked', isExhausted };
  const key = speakerKey(turn.session, turn.agent);
  const old = get(state.speakers, key);
  const standing = standingOf(state, turn.lead, how.now);
  const last = pairOf(state, turn.lead).model.last ?? pairOf(state, turn.lead).provider.last;
  const why =
    model === turn.lead || standing.kind === null
      ? null
      : { kind: standing.kind, status: last?.status ?? null, from: turn.lead };
  const speaker: Speaker = {
    session: turn.session,
    agent: turn.agent,
    directory: turn.directory,
    lead: turn.lead,
    active: model,
    since: old && old.active === model ? old.since : how.now,
    why,
    status: isExhausted ? 'exhausted' : 'working',
    turns: (old?.turns ?? 0) + 1,
    switches: old?.switches ?? 0,
  };
  const oldSession = get(state.sessions, turn.session);
  const session: Session = {
    session: turn.session,
    parent: how.parent ?? oldSession?.parent ?? null,
    directory: turn.directory,
    agent: turn.agent,
    at: how.now,
    turns: (oldSession?.turns ?? 0) + 1,
    isIdle: false,
  };
  const kept = oldSession ? state : makeRoom(state);
  const opened: EngineState = {
    ...kept,
    turns: set(kept.turns, turn.turn, next),
    speakers: set(kept.speakers, key, speaker),
    sessions: set(kept.sessions, turn.session, session),
  };
  return { state: opened, decisions: [decisionOf(next, how.choice, null, null)], facts: [] };
}

/** A request is about to leave: may its model be asked? */
export function onStarted(state: EngineState, event: AttemptStarted, now: number): Outcome {
  const known = get(state.turns, event.turn);
  // The companion may be loaded in the middle of a turn: the request itself then opens it.
  const base = known ? state : openedByRequest(state, event, now);
  const turn = get(base.turns, event.turn);
  if (!turn) return ignored(state, 'attempt.without_turn', event.attempt);
  const choice = event.decided ? adoptStart(base, turn, event, now) : chooseStart(base, turn, event, now);
  if (choice && choice.action.kind !== 'keep') return redirected(base, turn, choice, now);
  const admitted = admitCall(pairOf(base, event.model), now);
  const { attempt, model, purpose, directory } = event;
  const next: EngineState = {
    ...withPair(base, model, admitted.pair),
    attempts: set(base.attempts, attempt, {
      attempt,
      turn: turn.turn,
      model,
      purpose,
      directory,
      permit: admitted.permit,
    }),
    turns: purpose === 'turn' ? set(base.turns, turn.turn, { ...turn, model }) : base.turns,
  };
  return silent(next);
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
  return adopt(event.decided, {
    from: event.model,
    chain,
    trace: walkChain(state, chain, { now, tried: turn.tried }).trace,
  });
}

/** Null lets the request go. A model that another session has just found out is left without asking it. */
function chooseStart(state: EngineState, turn: Turn, event: AttemptStarted, now: number): Choice | null {
  if (event.purpose === 'internal' || turn.isForced) return null;
  const chain = chainOf(state, turn);
  if (chain.length < 2 || !planOf(state, turn.directory, turn.agent)) return null;
  const walk = walkChain(state, chain, { now, tried: turn.tried });
  const exhausted: Choice = {
    action: { kind: 'exhausted', soonest: walk.soonest },
    code: 'exhausted.cooling',
    trace: walk.trace,
  };
  if (turn.isExhausted && walk.chosen === null) return exhausted;
  const standing = standingOf(state, event.model, now);
  if (standing.use !== 'out') return null;
  if (!walk.chosen) return exhausted;
  const { model: to, position } = walk.chosen;
  return {
    action: { kind: 'switch', from: event.model, to, position },
    code: `redirect.${standing.kind ?? 'lead'}`,
    trace: walk.trace,
  };
}

/** The turn leaves a model that was never asked: no failure, no depth spent. */
function redirected(state: EngineState, turn: Turn, choice: Choice, now: number): Outcome {
  const failed: Turn =
    choice.action.kind === 'switch' ? { ...turn, model: choice.action.to } : { ...turn, isExhausted: true };
  const next = speaking({ ...state, turns: set(state.turns, turn.turn, failed) }, failed, {
    choice,
    failure: null,
    now,
  });
  return { state: next, decisions: [decisionOf(failed, choice, null, null)], facts: [] };
}

/** A request failed: what now? */
export function onFailed(state: EngineState, event: AttemptFailed, now: number): Outcome {
  const attempt = get(state.attempts, event.attempt);
  if (!attempt) return ignored(state, 'attempt.unknown', event.attempt);
  const closed = { ...state, attempts: remove(state.attempts, event.attempt) };
  const failure = classify(event.evidence);
  if (failure.kind === 'aborted')
    return silent(withPair(closed, attempt.model, abortCall(pairOf(closed, attempt.model), attempt.permit)));
  const turn = get(closed.turns, attempt.turn);
  const numbers = numbersFor(closed, attempt.directory);
  const blame = (leaves: boolean, what: Failure): EngineState => {
    const { permit, directory, model } = attempt;
    return withPair(
      closed,
      model,
      failCall(pairOf(closed, model), { permit, failure: what, now, numbers, directory, leaves }),
    );
  };
  if (!turn || attempt.purpose === 'internal') return silent(blame(false, failure));
  const choice = chooseFailure(blame(true, failure), turn, { event, model: attempt.model, failure, now });
  const leaves = choice.action.kind === 'switch' || choice.action.kind === 'exhausted';
  // A short hint that is waited for is no limit: the model is asked again when the provider said so.
  const blamed = choice.action.kind === 'hold' ? blame(false, { ...failure, lane: 'neutral' }) : blame(leaves, failure);
  return moved(blamed, turn, { choice, failure, now, attempt: event.attempt, model: attempt.model });
}

function chooseFailure(
  state: EngineState,
  turn: Turn,
  what: Readonly<{ event: AttemptFailed; model: ModelId; failure: Failure; now: number }>,
): Choice {
  const own = decideFailure(state, turn, what.model, what.failure, what.now);
  const decided = what.event.decided;
  return decided ? adopt(decided, { from: what.model, chain: chainOf(state, turn), trace: own.trace }) : own;
}

function moved(
  state: EngineState,
  turn: Turn,
  how: Readonly<{ choice: Choice; failure: Failure; now: number; attempt: string; model: ModelId }>,
): Outcome {
  const { action } = how.choice;
  const failed = afterFailure(turn, how.model, how.failure);
  let next: Turn = failed;
  if (action.kind === 'switch') next = { ...failed, model: action.to, switches: turn.switches + 1 };
  if (action.kind === 'hold')
    next = { ...turn, held: [...turn.held, how.model], failedAttempts: failed.failedAttempts };
  if (action.kind === 'exhausted') next = { ...failed, isExhausted: true };
  const spoken = speaking({ ...state, turns: set(state.turns, turn.turn, next) }, next, how);
  return { state: spoken, decisions: [decisionOf(next, how.choice, how.failure, how.attempt)], facts: [] };
}

/** Records on the speaker what a decision means for who speaks. */
function speaking(
  state: EngineState,
  turn: Turn,
  how: Readonly<{ choice: Choice; failure: Failure | null; now: number }>,
): EngineState {
  const key = speakerKey(turn.session, turn.agent);
  const old = get(state.speakers, key);
  const { action } = how.choice;
  if (!old || (action.kind !== 'switch' && action.kind !== 'exhausted')) return state;
  if (action.kind === 'exhausted')
    return { ...state, speakers: set(state.speakers, key, { ...old, status: 'exhausted' }) };
  const kind = how.failure?.kind ?? standingOf(state, action.from, how.now).kind;
  const why = kind === null ? old.why : { kind, status: how.failure?.status ?? null, from: action.from };
  const speaker: Speaker = {
    ...old,
    active: action.to,
    since: how.now,
    why: action.to === turn.lead ? null : why,
    switches: old.switches + 1,
  };
  return { ...state, speakers: set(state.speakers, key, speaker) };
}

/** A request was answered. */
export function onSucceeded(state: EngineState, attemptId: string): Outcome {
  const attempt = get(state.attempts, attemptId);
  if (!attempt) return ignored(state, 'attempt.unknown', attemptId);
  const pair = succeedCall(pairOf(state, attempt.model), attempt.permit, numbersFor(state, attempt.directory));
  const closed = { ...withPair(state, attempt.model, pair), attempts: remove(state.attempts, attemptId) };
  const turn = get(closed.turns, attempt.turn);
  if (!turn || attempt.purpose === 'internal' || turn.tried.length === 0) return silent(closed);
  return silent({ ...closed, turns: set(closed.turns, turn.turn, { ...turn, tried: [] }) });
}

/** The user stopped a request. */
export function onAborted(state: EngineState, attemptId: string): Outcome {
  const attempt = get(state.attempts, attemptId);
  if (!attempt) return ignored(state, 'attempt.unknown', attemptId);
  const freed = withPair(state, attempt.model, abortCall(pairOf(state, attempt.model), attempt.permit));
  return silent({ ...freed, attempts: remove(freed.attempts, attemptId) });
}

/** The companion could not carry out a switch: the agent still speaks through the model it wanted to leave. */
export function onCarried(state: EngineState, event: Extract<EngineEvent, { type: 'switch.carried' }>): Outcome {
  if (event.ok) return silent(state);
  const turn = get(state.turns, event.turn);
  if (!turn) return ignored(state, 'switch.without_turn', event.turn);
  const { session, agent, model: to } = turn;
  const fact: Fact = {
    type: 'switch.failed',
    turn: event.turn,
    session,
    agent,
    from: event.from,
    to,
    reason: event.reason ?? '',
  };
  const key = speakerKey(session, agent);
  const speaker = get(state.speakers, key);
  const back = speaker ? set(state.speakers, key, { ...speaker, active: event.from }) : state.speakers;
  return {
    state: { ...state, speakers: back, turns: set(state.turns, turn.turn, { ...turn, model: event.from }) },
    decisions: [],
    facts: [fact],
  };
}

/** A session came to rest: its turns are over. */
export function onIdle(state: EngineState, session: string, now: number): Outcome {
  const known = get(state.sessions, session);
  if (!known) return silent(state);
  const facts: Fact[] = [];
  let { turns, speakers, attempts } = state;
  for (const [id, turn] of entries(turns)) {
    if (turn.session !== session) continue;
    turns = remove(turns, id);
    const { agent, model, lead, switches } = turn;
    if (!turn.isExhausted) facts.push({ type: 'turn.finished', turn: id, session, agent, model, lead, switches });
    for (const [key, attempt] of entries(attempts)) if (attempt.turn === id) attempts = remove(attempts, key);
  }
  for (const [key, speaker] of entries(speakers)) {
    if (speaker.session === session && speaker.status === 'working')
      speakers = set(speakers, key, { ...speaker, status: 'idle' });
  }
  const sessions = set(state.sessions, session, { ...known, isIdle: true, at: now });
  return { state: { ...state, turns, speakers, attempts, sessions }, decisions: [], facts };
}

/** A session is gone. */
export function onClosed(state: EngineState, session: string): EngineState {
  let { speakers, turns } = state;
  for (const [key, speaker] of entries(speakers)) if (speaker.session === session) speakers = remove(speakers, key);
  for (const [key, turn] of entries(turns)) if (turn.session === session) turns = remove(turns, key);
  return { ...state, speakers, turns, sessions: remove(state.sessions, session) };
}

function makeRoom(state: EngineState): EngineState {
  const sessions = entries(state.sessions);
  if (sessions.length < SESSIONS_MAX) return state;
  const idle = sessions.filter(([, session]) => session.isIdle);
  const oldest = (idle.length > 0 ? idle : sessions).reduce((a, b) => (b[1].at < a[1].at ? b : a));
  return onClosed(state, oldest[0]);
}
