import { type Asked, advance, raise, withdraw } from './ask';
import type { Choice } from './decide';
import { decisionOf } from './decide';
import type { Decision, Note } from './decision';
import type { EngineEvent } from './events';
import type { AttemptId, ModelId } from './ids';
import type { FailureKind } from './kinds';
import { ignored, type Outcome, silent } from './outcome';
import { speaking } from './speaking';
import { type EngineState, rootOf, type Speaker, speakerKey, standingOf, type Turn } from './state';
import { entries, get, set } from './table';

type Told = Readonly<{ state: EngineState; notes: readonly Note[] }>;

/** "n of m active": the speakers of a session and of its sub-agents, and those that are not degraded. */
export function activeOf(state: EngineState, session: string): Readonly<{ active: number; total: number }> {
  const all = speakersOf(state, session);
  return { active: all.filter(({ degraded }) => !degraded).length, total: all.length };
}

function speakersOf(state: EngineState, session: string): readonly Speaker[] {
  const root = rootOf(state, session);
  return entries(state.speakers).flatMap(([, speaker]) => (rootOf(state, speaker.session) === root ? [speaker] : []));
}

type Why = Readonly<{ model: ModelId; to: ModelId | null; kind: FailureKind; attempt: AttemptId | null; now: number }>;

/** Raises the question whether the next model of a chain may take over. */
export function asking(state: EngineState, turn: Turn, why: Why): Told {
  const { session, agent } = turn;
  const { model, to, kind, attempt, now } = why;
  const question = { id: `${turn.turn}|${model}`, session, agent, turn: turn.turn, attempt, model, to, kind };
  const next = raise(state.questions, question, now);
  return next ? { state: { ...state, questions: next.questions }, notes: notesOf(next) } : { state, notes: [] };
}

function notesOf({ events }: Asked): readonly Note[] {
  return events.map(({ what, question }) => {
    const { id, session, agent, turn, model, to, kind } = question;
    return { code: `question.${what}`, question: id, session, agent, turn, model, to, kind };
  });
}

/** A speaker is left out for the rest of the session; when it was the last, the session is paused. */
export function degrading(state: EngineState, turn: Turn, why: Omit<Why, 'to' | 'attempt'>): Told {
  const { session, agent } = turn;
  const { model, kind, now } = why;
  const key = speakerKey(session, agent);
  const old = get(state.speakers, key);
  if (!old || old.degraded) return { state, notes: [] };
  const speaker: Speaker = { ...old, status: 'exhausted', degraded: { kind, model, since: now } };
  const next = { ...state, speakers: set(state.speakers, key, speaker) };
  const { active: count, total: of } = activeOf(next, session);
  const told = { session: rootOf(state, session), agent, model, kind, count, of };
  const notes: Note[] = [{ code: 'speaker.degraded', ...told }];
  if (count === 0) notes.push({ code: 'session.paused', ...told });
  return { state: next, notes };
}

/** What the clock does to the queue: a reminder, or the end of a question nobody answered. */
export function settled(state: EngineState, now: number): Outcome {
  const next = advance(state.questions, now);
  if (next.events.length === 0) return silent(state);
  let after: EngineState = { ...state, questions: next.questions };
  const decisions: Decision[] = [];
  const notes: Note[] = [...notesOf(next)];
  for (const { what, question } of next.events) {
    const turn = what === 'skipped' ? get(after.turns, question.turn) : undefined;
    if (!turn) continue;
    const { model, kind, attempt } = question;
    const told = degrading(after, turn, { model, kind, now });
    after = told.state;
    notes.push(...told.notes);
    decisions.push(decisionOf(turn, declined(`skipped.${kind}`), null, attempt));
  }
  return { state: after, decisions, facts: [], notes };
}

const declined = (code: string): Choice => ({ action: { kind: 'pass' }, code, trace: [] });

/** A person answered the open question. */
export function onAnswered(
  state: EngineState,
  event: Extract<EngineEvent, { type: 'question.answered' }>,
  now: number,
): Outcome {
  const question = state.questions[0];
  const turn = question && get(state.turns, question.turn);
  if (!question || !turn || (event.question !== undefined && event.question !== question.id))
    return ignored(state, 'question.unknown', event.question ?? '');
  const { model, kind, attempt } = question;
  const left = withdraw(state.questions, ({ id }) => id === question.id, now);
  const base: EngineState = { ...state, questions: left.questions };
  const said: Note = {
    code: 'question.answered',
    question: question.id,
    session: turn.session,
    agent: turn.agent,
    actor: event.actor,
    ok: event.yes,
  };
  if (!event.yes) {
    const told = degrading(base, turn, { model, kind, now });
    const decision = decisionOf(turn, declined(`declined.${kind}`), null, attempt);
    return { state: told.state, decisions: [decision], facts: [], notes: [said, ...told.notes, ...notesOf(left)] };
  }
  const agreed = accepted(base, turn, { ...question, now });
  return { ...agreed, notes: [said, ...notesOf(left)] };
}

/** Yes: the next model takes over when there is one that still can, else the same model is asked once more. */
function accepted(state: EngineState, turn: Turn, asked: Why): Outcome {
  const { model, to, kind, attempt, now } = asked;
  const isFit = to !== null && standingOf(state, to, now).use !== 'out';
  const choice: Choice = isFit
    ? { action: { kind: 'switch', from: model, to, position: 0 }, code: `switch.${kind}`, trace: [] }
    : { action: { kind: 'hold', to: model, waitMs: 0, task: 'retry' }, code: `hold.${kind}`, trace: [] };
  const tried = [...turn.tried, { model, kind }];
  const next: Turn = isFit ? { ...turn, model: to, tried, switches: turn.switches + 1 } : turn;
  const moved = { ...state, turns: set(state.turns, turn.turn, next) };
  return {
    state: speaking(moved, next, { choice, failure: null, now }),
    decisions: [decisionOf(next, choice, null, attempt)],
    facts: [],
  };
}

/** Questions of a turn that is over are nobody's business any more. */
export function unasked(state: EngineState, isMeant: (turn: string) => boolean, now: number): Told {
  if (!state.questions.some(({ turn }) => isMeant(turn))) return { state, notes: [] };
  const next = withdraw(state.questions, ({ turn }) => isMeant(turn), now);
  return { state: { ...state, questions: next.questions }, notes: notesOf(next) };
}

/** Somebody brings one speaker back, or all of a session. */
export function onRetried(state: EngineState, event: Extract<EngineEvent, { type: 'speaker.retried' }>): Outcome {
  const all = speakersOf(state, event.session);
  const meant = all.filter(({ agent, degraded }) => degraded && (event.agent === null || agent === event.agent));
  if (meant.length === 0) return ignored(state, 'speaker.unknown', event.agent ?? event.session);
  const wasPaused = all.every(({ degraded }) => degraded);
  let { speakers } = state;
  for (const speaker of meant) {
    const key = speakerKey(speaker.session, speaker.agent);
    speakers = set(speakers, key, { ...speaker, degraded: null, status: 'idle' });
  }
  const next = { ...state, speakers };
  const { active: count, total: of } = activeOf(next, event.session);
  const told = { session: rootOf(state, event.session), actor: event.actor, count, of };
  const notes: Note[] = meant.map(({ agent }) => ({ code: 'speaker.restored', agent, ...told }));
  if (wasPaused) notes.push({ code: 'session.resumed', ...told });
  return { state: next, decisions: [], facts: [], notes };
}
