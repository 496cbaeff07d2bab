import { adopt } from './adopt';
import { type Choice, choose, decisionOf, LEFT_OUT, type Outlook, outlookOf } from './choice';
import type { PromptSubmitted } from './events';
import type { ModelId } from './ids';
import { connectionOf } from './outage';
import { isPaused, pinOf } from './pins';
import { makeRoom } from './sessions';
import { exhausted, hasUnderstudy, isNative, nextSpeaker, panicFor, soonestBeforeStart } from './spare';
import {
  copyOf,
  type EngineState,
  lastFailureOf,
  moveTurn,
  planIn,
  planOf,
  type Session,
  type Speaker,
  speakerKey,
  standingOf,
  type Turn,
} from './state';
import { get, set } from './table';
import type { Work } from './work';

/** A user message is about to be answered: who shall speak? */
export function onPrompt(work: Work, event: PromptSubmitted): void {
  const { state, now } = work;
  const speaker = get(state.speakers, speakerKey(event.session, event.agent));
  const turn = turnOf(state, event, leadOf(state, event, speaker));
  const outlook = outlookOf(state, turn, now);
  const choice: Choice = planIn(outlook.scope, event.agent)
    ? choosePrompt(outlook, speaker)
    : choose({ kind: 'keep', to: event.model }, 'keep.lead');
  const taken = event.decided ? adopt(event.decided, event.model, outlook, choice) : choice;
  open(work, turn, taken, { speaker, parent: event.parentSession ?? null });
}

/** A message that is told twice goes on with what it has already used up. */
function turnOf(state: EngineState, event: PromptSubmitted, lead: ModelId): Turn {
  const known = get(state.turns, event.turn);
  return {
    turn: event.turn,
    session: event.session,
    directory: event.directory,
    agent: event.agent,
    lead,
    model: event.model,
    switches: known?.switches ?? 0,
    tried: [],
    left: known?.left,
    held: known?.held ?? [],
    cut: known?.cut ?? [],
    failedAttempts: known?.failedAttempts ?? 0,
    isForced: false,
    isExhausted: false,
    needs: event.needs,
    used: known?.used,
    owesRetry: undefined,
    offlineSince: undefined,
    panic: undefined,
    isHostRetrying: undefined,
  };
}

/** Position 0 of the turn: a model picked by hand is a choice; a named lead, or an inherited model, is not. */
function leadOf(state: EngineState, event: PromptSubmitted, own: Speaker | undefined): ModelId {
  const first = planOf(state, event.directory, event.agent)?.chain[0];
  if (!event.isExplicit && own && event.model === own.active) return own.lead;
  const other = inheritedFrom(state, event);
  if (other) return first ?? other.lead;
  return event.model === event.hostLead ? (first ?? event.model) : event.model;
}

/** The speaker whose understudy came along: of the parent's session, or of the agent that spoke last in this one. */
function inheritedFrom(state: EngineState, event: PromptSubmitted): Speaker | null {
  const sources = event.isExplicit ? [event.parentSession] : [event.parentSession, event.session];
  for (const id of sources) {
    const session = id === undefined ? undefined : get(state.sessions, id);
    const speaker = session && get(state.speakers, speakerKey(session.session, session.agent));
    if (speaker && speaker.active === event.model && speaker.active !== speaker.lead) return speaker;
  }
  return null;
}

function choosePrompt(outlook: Outlook, own: Speaker | undefined): Choice {
  const { state, turn, now } = outlook;
  const decreed = byDecree(outlook, own);
  if (decreed) return decreed;
  const next = nextSpeaker(outlook) ?? panicFor(outlook);
  if (!next) return nobody(outlook);
  const { model: to, position, trace, isPanic } = next;
  const { model: from, lead } = turn;
  if (isPanic) {
    const action = from === to ? ({ kind: 'keep', to } as const) : ({ kind: 'redirect', from, to, position } as const);
    return { ...choose(action, `${action.kind}.panic`, trace), used: 'panic' };
  }
  if (to !== lead) {
    const { kind } = standingOf(state, lead, now);
    return choose({ kind: 'redirect', from: lead, to, position }, `redirect.${kind ?? 'lead'}`, trace);
  }
  if (own?.lead === lead && own.active !== lead) return choose({ kind: 'home', to }, 'home.ready', trace);
  if (from === to) return choose({ kind: 'keep', to }, 'keep.lead', trace);
  return choose({ kind: 'redirect', from, to, position: 0 }, 'redirect.lead', trace);
}

/** What a person has decided before: a pause, a pin, or a speaker that is left out. */
function byDecree({ state, turn, now, chain }: Outlook, own: Speaker | undefined): Choice | null {
  const { directory, agent, model } = turn;
  if (own?.degraded) return LEFT_OUT;
  if (isPaused(state.pause, now)) return choose({ kind: 'keep', to: model }, 'keep.paused');
  const pin = pinOf(state.pins, directory, agent, now);
  if (!pin) return null;
  if (pin.model === model) return choose({ kind: 'keep', to: model }, 'keep.pinned');
  const position = Math.max(0, chain.indexOf(pin.model));
  return choose({ kind: 'redirect', from: model, to: pin.model, position }, 'redirect.pinned');
}

function nobody(outlook: Outlook): Choice {
  const { trace } = outlook.walk;
  const keep = { kind: 'keep', to: outlook.turn.lead } as const;
  if (isNative(outlook) || !hasUnderstudy(outlook)) return choose(keep, 'keep.native', trace);
  if (soonestBeforeStart(outlook)) return choose(keep, 'keep.soon', trace);
  // Only a person can mend what blocks these models, and a person has just sent a message: let it try.
  if (trace.every(({ state }) => state === 'blocked')) return choose(keep, 'keep.blocked', trace);
  return exhausted(outlook);
}

type Known = Readonly<{ speaker: Speaker | undefined; parent: string | null }>;

function open(work: Work, turn: Turn, choice: Choice, known: Known): void {
  const { state, now, decisions, notes } = work;
  const { action, code } = choice;
  const { session, agent } = turn;
  const active = 'to' in action ? action.to : turn.lead;
  const isKnown = get(state.turns, turn.turn) !== undefined;
  const next = copyOf(turn);
  if (active === turn.lead) next.model = active;
  else moveTurn(next, turn.lead, active);
  next.isForced = code === 'keep.blocked';
  next.isExhausted = action.kind === 'exhausted';
  if (choice.used === 'panic') {
    next.panic = active;
    next.used = { ...turn.used, panic: 1 };
  }
  const speaker = speakerOf(state, next, { now, isKnown, old: known.speaker });
  const old = get(state.sessions, session);
  const opened = sessionOf(turn, { now, isKnown, old, parent: known.parent });
  if (!old) makeRoom(state);
  state.turns = set(state.turns, turn.turn, next);
  state.speakers = set(state.speakers, speakerKey(session, agent), speaker);
  state.sessions = set(state.sessions, session, opened);
  if (connectionOf(opened.outcomes ?? '').isOutage)
    notes.push({ code: 'prompt.warned', session, agent, model: active });
  decisions.push(decisionOf(next, choice, null, null));
}

type Opening<Old> = Readonly<{ now: number; isKnown: boolean; old: Old | undefined }>;

function speakerOf(state: EngineState, turn: Turn, { now, isKnown, old }: Opening<Speaker>): Speaker {
  return {
    session: turn.session,
    agent: turn.agent,
    directory: turn.directory,
    lead: turn.lead,
    active: turn.model,
    since: old && old.active === turn.model ? old.since : now,
    why: turn.model === turn.lead ? null : whyNot(state, turn.lead, now),
    status: turn.isExhausted ? 'exhausted' : 'working',
    turns: (old?.turns ?? 0) + (isKnown ? 0 : 1),
    switches: old?.switches ?? 0,
    degraded: old?.degraded ?? undefined,
  };
}

function whyNot(state: EngineState, from: ModelId, now: number): Speaker['why'] {
  const { kind } = standingOf(state, from, now);
  return kind && { kind, status: lastFailureOf(state, from)?.status ?? null, from };
}

function sessionOf(turn: Turn, how: Opening<Session> & Readonly<{ parent: string | null }>): Session {
  const { now, isKnown, old, parent } = how;
  return {
    session: turn.session,
    parent: parent ?? old?.parent ?? null,
    directory: turn.directory,
    agent: turn.agent,
    at: now,
    turns: (old?.turns ?? 0) + (isKnown ? 0 : 1),
    isIdle: false,
    outcomes: old?.outcomes,
  };
}
