import { each, entries, get, remove, set } from '../base/table';
import type { EventOf } from '../state/events';
import type { Attempt } from '../state/state';
import { ended, turnEnded } from '../state/subject';
import { type Ignored, ignored, type Work } from '../state/work';
import { handBack } from './finish';
import { giveBack } from './spending';

/** Idle sessions are removed first. */
const SESSIONS_MAX = 200;

export function onIdle(work: Work, { session }: EventOf<'session.idle'>): undefined {
  const { state, now, facts } = work;
  facts.push({ type: 'session.rested', session, isClosed: false });
  const existing = get(state.sessions, session);
  if (!existing) return;
  const open: string[] = [];
  each(state.attempts, ({ turn, purpose }) => {
    if (purpose === 'turn') open.push(turn);
  });
  // A title request may outlast the turn.
  dropAttempts(work, (attempt) => attempt.session === session && attempt.purpose === 'turn');
  each(state.turns, (turn, id) => {
    if (turn.session !== session) return;
    // Stopped before it proved anything.
    giveBack(work, turn);
    const isAnswered = turn.isUnderWay && !turn.isUnanswered && !open.includes(id);
    facts.push(turnEnded(state, turn, isAnswered ? (turn.answeredBy ?? turn.model) : null));
    state.turns = remove(state.turns, id);
  });
  each(state.speakers, (speaker, key) => {
    if ((speaker.status !== 'working' && !speaker.waits) || speaker.session !== session) return;
    const { agent, directory, lead, active, since, why, turns, switches, degraded } = speaker;
    const status = speaker.status === 'working' ? 'idle' : speaker.status;
    const rest = { session, agent, directory, lead, active, since, why, status, turns, switches, degraded };
    state.speakers = set(state.speakers, key, rest);
  });
  const { parent, directory, agent, turns, quick, answered, refused, outcomes } = existing;
  const next = { session, parent, directory, agent, at: now, turns, isIdle: true, quick, answered, refused, outcomes };
  state.sessions = set(state.sessions, session, next);
}

export function onFirstToken(
  { state }: Work,
  { type, attempt: id }: EventOf<'attempt.silent' | 'attempt.answering'>,
): Ignored | undefined {
  const attempt = get(state.attempts, id);
  if (!attempt) return ignored('attempt.unknown', id);
  state.attempts = set(state.attempts, id, { ...attempt, isSilent: type === 'attempt.silent' });
}

export function onWaiting({ state, now }: Work, event: EventOf<'session.waiting'>): Ignored | undefined {
  const session = get(state.sessions, event.session);
  if (!session) return ignored('session.unknown', event.session);
  const waitsFor = event.for === null ? undefined : { what: event.for, since: now };
  state.sessions = set(state.sessions, event.session, { ...session, waitsFor });
}

export function onClosed(work: Work, { session }: EventOf<'session.closed'>): undefined {
  work.facts.push({ type: 'session.rested', session, isClosed: true });
  close(work, session);
}

function close(work: Work, session: string): void {
  const { state, facts } = work;
  dropAttempts(work, (attempt) => attempt.session === session);
  each(state.turns, (turn, id) => {
    if (turn.session !== session) return;
    // Its root paid, and may still be open.
    giveBack(work, turn);
    facts.push(turnEnded(state, turn, null));
    state.turns = remove(state.turns, id);
  });
  each(state.speakers, (speaker, key) => {
    if (speaker.session === session) state.speakers = remove(state.speakers, key);
  });
  state.sessions = remove(state.sessions, session);
  state.budgets = remove(state.budgets, session);
}

export function makeRoom(work: Work): void {
  const { state } = work;
  const sessions = entries(state.sessions);
  if (sessions.length < SESSIONS_MAX) return;
  const idle = sessions.filter(([, session]) => session.isIdle);
  const oldest = (idle.length > 0 ? idle : sessions).reduce((a, b) => (b[1].at < a[1].at ? b : a));
  close(work, oldest[0]);
}

function dropAttempts({ state, facts }: Work, isMeant: (attempt: Attempt) => boolean): void {
  each(state.attempts, (attempt) => {
    if (!isMeant(attempt)) return;
    facts.push(ended(state, attempt, get(state.turns, attempt.turn), { outcome: 'abandoned' }));
    handBack(state, attempt);
  });
}
