import type { ModelId } from '../base/ids';
import { get, set } from '../base/table';
import { withoutChosen } from '../base/trace';
import { adopt } from '../choose/adopt';
import { type Choice, choose, decisionOf, LEFT_OUT, type Outlook, outlookOf } from '../choose/choice';
import { kindOfShort } from '../choose/headroom';
import {
  exhausted,
  guessedFor,
  hasUnderstudy,
  isNative,
  nextSpeaker,
  panicFor,
  quickAfter,
  type Spare,
  soonestBeforeStart,
} from '../choose/spare';
import { spreadFor } from '../choose/spread';
import { connectionOf } from '../health/outage';
import { isPaused } from '../health/pins';
import { keyIn } from '../state/books';
import { planOf } from '../state/chain';
import { isTimed } from '../state/estimated';
import type { PromptSubmitted } from '../state/events';
import { lastFailureOf, pinFor, standingIn, standingOf } from '../state/read';
import { copyOf, type EngineState, moveTurn, type Session, type Speaker, speakerKey, type Turn } from '../state/state';
import { turnBegan } from '../state/subject';
import type { Work } from '../state/work';
import { askedFirst } from './ask-first';
import { noteDrain } from './drain';
import { makeRoom } from './sessions';

export function onPrompt(work: Work, event: PromptSubmitted, by: 'prompt' | 'request' = 'prompt'): undefined {
  const { state, now } = work;
  const speaker = get(state.speakers, speakerKey(event.session, event.agent));
  const turn = turnOf(state, event, leadOf(state, event, speaker));
  const outlook = outlookOf(state, turn, now);
  const choice: Choice = outlook.plan
    ? choosePrompt(outlook, speaker)
    : choose({ kind: 'keep', to: event.model }, 'keep.lead');
  const taken = event.decided ? adopt(event.decided, event.model, outlook, choice) : choice;
  open(work, turn, taken, { speaker, parent: event.parentSession ?? null, by });
}

/** A repeated message keeps what it has already used. */
function turnOf(state: EngineState, event: PromptSubmitted, lead: ModelId): Turn {
  const existing = get(state.turns, event.turn);
  return {
    turn: event.turn,
    session: event.session,
    directory: event.directory,
    agent: event.agent,
    lead,
    model: event.model,
    switches: existing?.switches ?? 0,
    tried: [],
    left: existing?.left,
    held: existing?.held ?? [],
    cut: existing?.cut ?? [],
    failedAttempts: existing?.failedAttempts ?? 0,
    isForced: false,
    isExhausted: false,
    needs: event.needs,
    spend: event.spend,
    isUnderWay: existing?.isUnderWay,
    used: existing?.used,
    owesRetry: undefined,
    offlineSince: undefined,
    early: undefined,
    isUnanswered: undefined,
    answeredBy: existing?.answeredBy,
    hostSince: undefined,
    isMoved: undefined,
  };
}

/** Only a selected model is a choice, not a configured or inherited one. */
function leadOf(state: EngineState, event: PromptSubmitted, own: Speaker | undefined): ModelId {
  const { chain: [first] = [], isNamed = false } = planOf(state, event.directory, event.agent) ?? {};
  if (!event.isExplicit && own && event.model === own.active) return own.lead;
  const other = inheritedFrom(state, event, isNamed);
  // A configured primary also precedes OpenCode's default.
  if (other || (isNamed && !event.isExplicit)) return first ?? other?.lead ?? event.model;
  return event.model === event.hostLead ? (first ?? event.model) : event.model;
}

/**
 * The agent that the model was inherited from: of the parent session, or the previous one here. With `isNamed`, no
 * other agent's model is a choice, even its primary.
 */
function inheritedFrom(state: EngineState, event: PromptSubmitted, isNamed: boolean): Speaker | null {
  const sources = event.isExplicit ? [event.parentSession] : [event.parentSession, event.session];
  for (const id of sources) {
    const session = id === undefined ? undefined : get(state.sessions, id);
    const speaker = session && get(state.speakers, speakerKey(session.session, session.agent));
    if (speaker && speaker.active === event.model && (isNamed || speaker.active !== speaker.lead)) return speaker;
  }
  return null;
}

/** The question comes when the request leaves and can wait. */
function choosePrompt(outlook: Outlook, own: Speaker | undefined): Choice {
  const decreed = byDecree(outlook, own);
  if (decreed) return decreed;
  const choice = byChain(outlook, own);
  const { model: from } = outlook.turn;
  const isAsked =
    choice.action.kind === 'redirect' && askedFirst(outlook, { from, to: choice.action.to, own }) !== null;
  if (!isAsked) return choice;
  return choose({ kind: 'keep', to: from }, 'keep.ask', withoutChosen(choice.trace));
}

/** The current model may be the one in question, so the primary waits. */
function toLead({ turn: { model: from, lead: to }, walk }: Outlook): Choice {
  const trace = withoutChosen(walk.trace);
  return from === to
    ? choose({ kind: 'keep', to }, 'keep.ask', trace)
    : choose({ kind: 'redirect', from, to, position: 0 }, 'redirect.lead', trace);
}

function byChain(outlook: Outlook, own: Speaker | undefined): Choice {
  const { state, turn, now } = outlook;
  const found = nextSpeaker(outlook) ?? panicFor(outlook);
  if (!found) return nobody(outlook);
  const next = spreadFor(outlook, found, own) ?? found;
  const { model: to, position, trace, early, drain } = next;
  const { model: from, lead } = turn;
  if (early) return askedEarly(outlook, next);
  if (to !== lead) {
    if (drain?.mode === 'ask' && askedFirst(outlook, { from, to, own }) === null) return toLead(outlook);
    const { kind } = standingIn(state, turn.directory, lead, now);
    const short = next.short ?? (kind === null ? outlook.walk.shorts.get(lead) : undefined);
    const action = { kind: 'redirect', from: lead, to, position } as const;
    return { action, code: short?.code ?? `redirect.${kind ?? 'lead'}`, trace, short, drain: drain?.short };
  }
  if (own?.lead === lead && own.active !== lead) return choose({ kind: 'home', to }, 'home.ready', trace);
  if (from === to) return choose({ kind: 'keep', to }, 'keep.lead', trace);
  return choose({ kind: 'redirect', from, to, position: 0 }, 'redirect.lead', trace);
}

function askedEarly({ turn: { model: from } }: Outlook, { model: to, position, trace, early }: Spare): Choice {
  const action = from === to ? ({ kind: 'keep', to } as const) : ({ kind: 'redirect', from, to, position } as const);
  return { ...choose(action, `${action.kind}.${early}`, trace), used: early };
}

function byDecree({ state, turn, now, chain }: Outlook, own: Speaker | undefined): Choice | null {
  const { model } = turn;
  if (own?.degraded) return LEFT_OUT;
  if (isPaused(state.pause, now)) return choose({ kind: 'keep', to: model }, 'keep.paused');
  const pin = pinFor(state, turn, now);
  if (!pin) return null;
  if (pin.model === model) return choose({ kind: 'keep', to: model }, 'keep.pinned');
  const position = Math.max(0, chain.indexOf(pin.model));
  return choose({ kind: 'redirect', from: model, to: pin.model, position }, 'redirect.pinned');
}

function nobody(outlook: Outlook): Choice {
  const { trace } = outlook.walk;
  const keep = { kind: 'keep', to: outlook.turn.lead } as const;
  if (isNative(outlook) || !hasUnderstudy(outlook)) return choose(keep, 'keep.native', trace);
  const guessed = guessedFor(outlook);
  if (guessed) return askedEarly(outlook, guessed);
  if (soonestBeforeStart(outlook)) return choose(keep, 'keep.soon', trace);
  // Only the user can fix blocks, and has just sent a message: try.
  const isBlocked = trace.every(({ state }) => state === 'blocked') && !isTimed(outlook, outlook.turn.lead);
  if (isBlocked) return choose(keep, 'keep.blocked', trace);
  return exhausted(outlook);
}

type OpenedBy = Readonly<{ speaker: Speaker | undefined; parent: string | null; by: 'prompt' | 'request' }>;

function open(work: Work, turn: Turn, choice: Choice, origin: OpenedBy): void {
  const { state, now, decisions, facts } = work;
  const { action, code } = choice;
  const { session, agent } = turn;
  const active = 'to' in action ? action.to : turn.lead;
  const isKnown = get(state.turns, turn.turn) !== undefined;
  const next = copyOf(turn);
  if (active === turn.lead || choice.short) next.model = active;
  else moveTurn(next, turn.lead, active);
  next.isForced = code === 'keep.blocked';
  next.isExhausted = action.kind === 'exhausted';
  if (choice.used === 'panic' || choice.used === 'estimate') {
    next.early = active;
    next.used = { ...turn.used, [choice.used]: 1 };
  }
  const speaker = speakerOf(state, next, { now, isKnown, old: origin.speaker, short: choice.short });
  const old = get(state.sessions, session);
  next.isMoved = (action.kind === 'redirect' || action.kind === 'home') && old?.answered !== active;
  const quick = isKnown ? old?.quick : choice.used === 'estimate' ? quickAfter(old, now) : undefined;
  const opened = sessionOf(turn, { now, isKnown, old, parent: origin.parent, quick: quick || undefined });
  if (!old) makeRoom(work);
  state.turns = set(state.turns, turn.turn, next);
  state.speakers = set(state.speakers, speakerKey(session, agent), speaker);
  state.sessions = set(state.sessions, session, opened);
  const { parent, by } = origin;
  facts.push(turnBegan(state, next, { isAgain: isKnown, by, parent }));
  if (by === 'prompt' && connectionOf(opened.outcomes ?? '').isOutage)
    facts.push({ type: 'prompt.warned', session, agent, model: active });
  noteDrain(work, next, choice);
  decisions.push(decisionOf(next, choice, null, null));
}

type Opening<Old> = Readonly<{ now: number; isKnown: boolean; old: Old | undefined; short?: Choice['short'] }>;

function speakerOf(state: EngineState, turn: Turn, { now, isKnown, old, short }: Opening<Speaker>): Speaker {
  return {
    session: turn.session,
    agent: turn.agent,
    directory: turn.directory,
    lead: turn.lead,
    active: turn.model,
    since: old && old.active === turn.model ? old.since : now,
    why: turn.model === turn.lead ? null : whyNot(state, turn, { now, short }),
    status: turn.isExhausted ? 'exhausted' : 'working',
    turns: (old?.turns ?? 0) + (isKnown ? 0 : 1),
    switches: old?.switches ?? 0,
    degraded: old?.degraded ?? undefined,
    waits: old?.waits,
  };
}

type Moved = Readonly<{ now: number; short: Choice['short'] }>;

function whyNot(state: EngineState, { directory, lead: from }: Turn, { now, short }: Moved): Speaker['why'] {
  if (short) return { kind: kindOfShort(short), status: null, from, short };
  const key = keyIn(state, directory, from);
  const { kind } = standingOf(state, key, now);
  const last = lastFailureOf(state, key);
  return kind && { kind, status: last?.kind === kind ? last.status : null, from };
}

function sessionOf(turn: Turn, how: Opening<Session> & Pick<Session, 'parent' | 'quick'>): Session {
  const { now, isKnown, old, parent, quick } = how;
  return {
    session: turn.session,
    parent: parent ?? old?.parent ?? null,
    directory: turn.directory,
    agent: turn.agent,
    at: now,
    turns: (old?.turns ?? 0) + (isKnown ? 0 : 1),
    isIdle: false,
    quick,
    answered: old?.answered,
    refused: old?.refused,
    outcomes: old?.outcomes,
  };
}
