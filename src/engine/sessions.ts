import type { Fact } from './decision';
import { handedBack } from './finish';
import { type Outcome, silent } from './outcome';
import type { Attempt, EngineState } from './state';
import { entries, get, remove, set } from './table';

/** Sessions kept at most; the oldest idle ones leave first. */
const SESSIONS_MAX = 200;

/** A session came to rest: its turns are over. */
export function onIdle(state: EngineState, session: string, now: number): Outcome {
  const known = get(state.sessions, session);
  if (!known) return silent(state);
  // A title may still be on its way when the turn has ended.
  const freed = withoutAttempts(state, (attempt) => attempt.session === session && attempt.purpose === 'turn');
  const facts: Fact[] = [];
  let { turns, speakers } = freed;
  for (const [id, turn] of entries(turns)) {
    if (turn.session !== session) continue;
    turns = remove(turns, id);
    const { agent, model, lead, switches } = turn;
    if (!turn.isExhausted) facts.push({ type: 'turn.finished', turn: id, session, agent, model, lead, switches });
  }
  for (const [key, speaker] of entries(speakers)) {
    if (speaker.session === session && speaker.status === 'working')
      speakers = set(speakers, key, { ...speaker, status: 'idle' });
  }
  const sessions = set(state.sessions, session, { ...known, isIdle: true, at: now });
  return { state: { ...freed, turns, speakers, sessions }, decisions: [], facts };
}

/** A session is gone. */
export function onClosed(state: EngineState, session: string): EngineState {
  const freed = withoutAttempts(state, (attempt) => attempt.session === session);
  let { speakers, turns } = freed;
  for (const [key, speaker] of entries(speakers)) if (speaker.session === session) speakers = remove(speakers, key);
  for (const [key, turn] of entries(turns)) if (turn.session === session) turns = remove(turns, key);
  return {
    ...freed,
    speakers,
    turns,
    sessions: remove(freed.sessions, session),
    budgets: remove(freed.budgets, session),
  };
}

/** State with room for one more session. */
export function makeRoom(state: EngineState): EngineState {
  const sessions = entries(state.sessions);
  if (sessions.length < SESSIONS_MAX) return state;
  const idle = sessions.filter(([, session]) => session.isIdle);
  const oldest = (idle.length > 0 ? idle : sessions).reduce((a, b) => (b[1].at < a[1].at ? b : a));
  return onClosed(state, oldest[0]);
}

function withoutAttempts(state: EngineState, isMeant: (attempt: Attempt) => boolean): EngineState {
  let next = state;
  for (const [, attempt] of entries(state.attempts)) if (isMeant(attempt)) next = handedBack(next, attempt);
  return next;
}
