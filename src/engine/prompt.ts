import { type Walk, walkChain } from './chain';
import { adopt, type Choice, decisionOf, hasUnderstudy, isNative, nextSpeaker, panicFor, soonestFor } from './decide';
import type { Note } from './decision';
import type { PromptSubmitted } from './events';
import type { ModelId } from './ids';
import { connectionOf } from './outage';
import type { Outcome } from './outcome';
import { isPaused, pinOf } from './pins';
import { makeRoom } from './sessions';
import {
  chainOf,
  type EngineState,
  pairOf,
  planOf,
  type Session,
  type Speaker,
  speakerKey,
  standingOf,
  type Turn,
} from './state';
import { get, set } from './table';

/** A user message is about to be answered: who shall speak? */
export function onPrompt(state: EngineState, event: PromptSubmitted, now: number): Outcome {
  const lead = leadOf(state, event);
  const turn = turnOf(state, event, lead);
  const known = get(state.speakers, speakerKey(event.session, event.agent));
  const wasAway = known !== undefined && known.lead === lead && known.active !== lead;
  const choice = planOf(state, event.directory, event.agent)
    ? choosePrompt(state, turn, { now, wasAway })
    : ({ action: { kind: 'keep', to: event.model }, code: 'keep.lead', trace: [] } as const);
  const taken = event.decided
    ? adopt(state, event.decided, { from: event.model, chain: chainOf(state, turn), choice, now })
    : choice;
  return opened(state, turn, { choice: taken, now, parent: event.parentSession ?? null });
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
    held: known?.held ?? [],
    cut: known?.cut ?? [],
    failedAttempts: known?.failedAttempts ?? 0,
    isForced: false,
    isExhausted: false,
    ...(event.needs ? { needs: event.needs } : {}),
    ...(known?.used ? { used: known.used } : {}),
  };
}

/** Position 0 of the turn: a model picked by hand is a choice; a named lead, or an inherited model, is not. */
function leadOf(state: EngineState, event: PromptSubmitted): ModelId {
  const first = planOf(state, event.directory, event.agent)?.chain[0];
  const own = get(state.speakers, speakerKey(event.session, event.agent));
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

function choosePrompt(state: EngineState, turn: Turn, known: Readonly<{ now: number; wasAway: boolean }>): Choice {
  const { now, wasAway } = known;
  const decreed = byDecree(state, turn, now);
  if (decreed) return decreed;
  const walk = walkChain(state, chainOf(state, turn), { now, tried: [], turn });
  const asked = { now, tried: [], walk };
  const own = nextSpeaker(state, turn, asked);
  const panic = own ? null : panicFor(state, turn, asked);
  const next = own ?? panic;
  if (!next) return nobody(state, turn, walk);
  const { model: to, position, trace } = next;
  if (next === panic) return panicked(turn, panic);
  if (to !== turn.lead) {
    const kind = standingOf(state, turn.lead, now).kind;
    return { action: { kind: 'redirect', from: turn.lead, to, position }, code: `redirect.${kind ?? 'lead'}`, trace };
  }
  if (wasAway) return { action: { kind: 'home', to }, code: 'home.ready', trace };
  if (turn.model === to) return { action: { kind: 'keep', to }, code: 'keep.lead', trace };
  return { action: { kind: 'redirect', from: turn.model, to, position: 0 }, code: 'redirect.lead', trace };
}

function panicked(
  { model: from }: Turn,
  { model: to, position, trace }: NonNullable<ReturnType<typeof panicFor>>,
): Choice {
  const action = from === to ? ({ kind: 'keep', to } as const) : ({ kind: 'redirect', from, to, position } as const);
  return { action, code: `${action.kind}.panic`, trace, used: 'panic' };
}

/** What a person has decided before: a pause, a pin, or a speaker that is left out. */
function byDecree(state: EngineState, turn: Turn, now: number): Choice | null {
  const { directory, agent, session, model } = turn;
  if (get(state.speakers, speakerKey(session, agent))?.degraded)
    return { action: { kind: 'exhausted', soonest: null }, code: 'exhausted.degraded', trace: [] };
  if (isPaused(state.pause, now)) return { action: { kind: 'keep', to: model }, code: 'keep.paused', trace: [] };
  const pin = pinOf(state.pins, directory, agent, now);
  if (!pin) return null;
  if (pin.model === model) return { action: { kind: 'keep', to: model }, code: 'keep.pinned', trace: [] };
  const position = Math.max(0, chainOf(state, turn).indexOf(pin.model));
  return { action: { kind: 'redirect', from: model, to: pin.model, position }, code: 'redirect.pinned', trace: [] };
}

function nobody(state: EngineState, turn: Turn, { trace, soonest }: Walk): Choice {
  const keep = { kind: 'keep', to: turn.lead } as const;
  if (isNative(state, turn) || !hasUnderstudy(state, turn)) return { action: keep, code: 'keep.native', trace };
  if (soonestFor(state, turn, soonest)) return { action: keep, code: 'keep.soon', trace };
  if (soonest) return { action: { kind: 'exhausted', soonest }, code: 'exhausted.cooling', trace };
  // Only a person can mend what blocks these models, and a person has just sent a message: let it try.
  return { action: keep, code: 'keep.blocked', trace };
}

type Opening = Readonly<{ choice: Choice; now: number; parent: string | null }>;

function opened(state: EngineState, turn: Turn, how: Opening): Outcome {
  const { action, code } = how.choice;
  const active = 'to' in action ? action.to : turn.lead;
  const isExhausted = action.kind === 'exhausted';
  const panic = how.choice.used === 'panic' ? { panic: active, used: { ...turn.used, panic: 1 } } : {};
  const next: Turn = { ...turn, ...panic, model: active, isForced: code === 'keep.blocked', isExhausted };
  const kept = get(state.sessions, turn.session) ? state : makeRoom(state);
  const after: EngineState = {
    ...kept,
    turns: set(kept.turns, turn.turn, next),
    speakers: set(kept.speakers, speakerKey(turn.session, turn.agent), speakerOf(state, next, how)),
    sessions: set(kept.sessions, turn.session, sessionOf(state, turn, how)),
  };
  const { session, agent } = turn;
  const isWarned = connectionOf(get(after.sessions, session)?.outcomes ?? '').isOutage;
  const notes: readonly Note[] = isWarned ? [{ code: 'prompt.warned', session, agent, model: active }] : [];
  return { state: after, decisions: [decisionOf(next, how.choice, null, null)], facts: [], notes };
}

function speakerOf(state: EngineState, turn: Turn, { now }: Opening): Speaker {
  const old = get(state.speakers, speakerKey(turn.session, turn.agent));
  const { kind } = standingOf(state, turn.lead, now);
  const pair = pairOf(state, turn.lead);
  const status = (pair.model.last ?? pair.provider.last)?.status ?? null;
  return {
    session: turn.session,
    agent: turn.agent,
    directory: turn.directory,
    lead: turn.lead,
    active: turn.model,
    since: old && old.active === turn.model ? old.since : now,
    why: turn.model === turn.lead || kind === null ? null : { kind, status, from: turn.lead },
    status: turn.isExhausted ? 'exhausted' : 'working',
    turns: (old?.turns ?? 0) + (get(state.turns, turn.turn) ? 0 : 1),
    switches: old?.switches ?? 0,
    ...(old?.degraded ? { degraded: old.degraded } : {}),
  };
}

function sessionOf(state: EngineState, turn: Turn, { now, parent }: Opening): Session {
  const old = get(state.sessions, turn.session);
  return {
    session: turn.session,
    parent: parent ?? old?.parent ?? null,
    directory: turn.directory,
    agent: turn.agent,
    at: now,
    turns: (old?.turns ?? 0) + (get(state.turns, turn.turn) ? 0 : 1),
    isIdle: false,
    ...(old?.outcomes === undefined ? {} : { outcomes: old.outcomes }),
  };
}
