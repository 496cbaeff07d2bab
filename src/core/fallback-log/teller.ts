import {
  type AttemptId,
  type Decision,
  type EngineEvent,
  type EngineState,
  type Fact,
  type FactOf,
  type ModelId,
  type ModelState,
  SPREAD,
  type Step,
  type TurnId,
} from '../../engine';
import { get, remember, speakerKey } from '../../engine/tools';
import type { FactFields, RowFact } from '../history/event-rows';
import { impersonal } from '../history/inbox';
import { healthOf } from './health';
import { detectLine, fallbackLine, healthLine, recoverLine, STATE_WORDS } from './lines';

/** `now` is engine ms, `wall` wall-clock ms. */
export type HeardStep = Readonly<{
  step: Pick<Step, 'state' | 'decisions' | 'facts'>;
  event: EngineEvent;
  now: number;
  wall: number;
}>;

/** `line` is null if the published format has none. */
export type LogEntry = Readonly<{ directories: readonly string[]; line: string | null; record: LogRecord }>;
export type LogRecord = Readonly<{ timestamp: string; event: string } & Record<string, unknown>>;

/** Entries contain no prompts, answers or keys. */
export type LogTeller = Readonly<{ hear(step: HeardStep): readonly LogEntry[] }>;

type Ended = FactOf<'attempt.ended'>;
type Move = Readonly<{ decision: Decision; from: ModelId; to: ModelId }>;
type Book = Readonly<{
  moves: Map<TurnId, Move>;
  /** Directories that logged a model's failure; its recovery is logged there too. */
  failed: Map<ModelId, Set<string>>;
  /** Agents that use another account of their primary without a failure. */
  spread: Map<string, true>;
}>;
type BookedStep = HeardStep & Readonly<{ book: Book }>;

/** Messages may quote the user's text; longer ones are cut. */
const MESSAGE_MAX_CHARS = 300;

export function createLogTeller(): LogTeller {
  const book: Book = { moves: new Map(), failed: new Map(), spread: new Map() };
  return {
    hear(heardStep) {
      const moment = { ...heardStep, book };
      return [
        ...heardStep.step.facts.flatMap((fact) => requestEntries(moment, fact)),
        ...heardStep.step.decisions.flatMap((decision) => decisionEntries(moment, decision)),
        ...heardStep.step.facts.flatMap((fact) => modelEntries(moment, fact)),
        ...heardStep.step.facts.flatMap((fact) => otherEntries(moment, fact)),
      ];
    },
  };
}

function entry(
  { wall }: HeardStep,
  directories: readonly string[],
  data: Readonly<{ event: string; line?: string } & Record<string, unknown>>,
): LogEntry {
  const { event, line = null, ...fields } = data;
  return { directories, line, record: { timestamp: new Date(wall).toISOString(), event, ...fields } };
}

const directoriesOf = (state: EngineState, session: string): readonly string[] => {
  const directory = get(state.sessions, session)?.directory;
  return directory === undefined ? [] : [directory];
};

/** Number of a request within its turn, the end of its id; null without one. */
function numberOf(attempt: AttemptId | null): number | null {
  const number = Number(attempt?.slice(attempt.lastIndexOf(':') + 1) || Number.NaN);
  return Number.isInteger(number) ? number : null;
}

/** Results come before the decisions made for them. */
function requestEntries(moment: BookedStep, fact: Fact): LogEntry[] {
  switch (fact.type) {
    case 'attempt.ended':
      return endedEntries(moment, fact);
    case 'speaker.carried':
      return fact.isCarried ? carriedEntries(moment, fact) : [];
    case 'session.rested':
      return fact.isClosed ? [] : restEntries(moment, fact.session);
    default:
      return [];
  }
}

function endedEntries(moment: BookedStep, fact: Ended): LogEntry[] {
  const { session, agent, model, attempt, directory } = fact;
  const about = { session_id: session, agent, model, attempt: numberOf(attempt) };
  if (fact.outcome === 'answered') {
    const timing = { duration_ms: Math.round(fact.durationMs), first_token_ms: Math.round(fact.firstTokenMs) };
    return [entry(moment, [directory], { event: 'attempt_succeeded', ...about, ...timing })];
  }
  if (fact.outcome !== 'failed') return [];
  const { failed } = moment.book;
  failed.set(model, (failed.get(model) ?? new Set()).add(directory));
  const { kind, status, isRepeated } = fact.failure;
  const message = impersonal(fact.failure.message, MESSAGE_MAX_CHARS);
  const line = detectLine(moment.wall, { session, agent, model, kind, message, isRepeated });
  const repeated = isRepeated ? { repeated: true } : {};
  const details = { error_type: kind, duration_ms: Math.round(fact.durationMs), status, message, ...repeated };
  return [entry(moment, [directory], { event: 'attempt_failed', line, ...about, ...details })];
}

function carriedEntries(
  moment: BookedStep,
  { turn, durationMs }: Readonly<{ turn: TurnId; durationMs: number }>,
): LogEntry[] {
  const move = moment.book.moves.get(turn);
  moment.book.moves.delete(turn);
  return move ? [acceptedEntry(moment, move, Math.round(durationMs))] : [];
}

function acceptedEntry(moment: BookedStep, { decision, from, to }: Move, durationMs: number | null): LogEntry {
  const { session, agent, attempt } = decision;
  const reason = reasonOf(decision);
  return entry(moment, directoriesOf(moment.step.state, session), {
    event: 'fallback_accepted',
    line: fallbackLine(moment.wall, { session, agent, from, to, reason }),
    session_id: session,
    agent,
    primary_model: from,
    fallback_model: to,
    attempt: numberOf(attempt),
    error_type: reason,
    duration_ms: durationMs,
  });
}

/** A limit without a refusal has its whole code; other reasons are after the dot. */
const reasonOf = ({ code, short }: Decision): string =>
  code === 'hold.headroom' || code.startsWith('headroom.') ? (short?.code ?? code) : code.slice(code.indexOf('.') + 1);

function restEntries(moment: BookedStep, session: string): LogEntry[] {
  const { step, now, wall } = moment;
  const models = healthOf(step.state, session, now);
  if (models.every(({ state }) => STATE_WORDS[state] === 'healthy')) return [];
  const rows = models.map(({ model, state, next }) => ({
    model,
    state: STATE_WORDS[state],
    next: next?.state ?? null,
    in_ms: next ? Math.round(next.inMs) : null,
  }));
  const line = healthLine(wall, models);
  return [
    entry(moment, directoriesOf(step.state, session), { event: 'health', line, session_id: session, models: rows }),
  ];
}

/** Holds that wait for a person; they have facts of their own. */
const ASKING: readonly unknown[] = ['ask', 'defer'];

function decisionEntries(moment: BookedStep, decision: Decision): LogEntry[] {
  const { event, book, step } = moment;
  const { action, session, agent, attempt } = decision;
  const place = directoriesOf(step.state, session);
  const common = { session_id: session, agent, attempt: numberOf(attempt), error_type: reasonOf(decision) };
  switch (action.kind) {
    case 'switch':
    case 'redirect': {
      // Another account of the same model is not a fallback.
      if (decision.code === SPREAD) {
        remember(book.spread, speakerKey(session, agent), true);
        return [];
      }
      book.spread.delete(speakerKey(session, agent));
      const move = { decision, from: action.from, to: action.to };
      // The message was not sent yet, so the switch cannot fail.
      if (event.type === 'prompt.submitted') return [acceptedEntry(moment, move, null)];
      remember(book.moves, decision.turn, move);
      return [];
    }
    case 'hold': {
      const from = event.type === 'attempt.failed' ? modelOf(decision) : null;
      if (from !== null && from !== action.to) remember(book.moves, decision.turn, { decision, from, to: action.to });
      if (ASKING.includes(action.task)) return [];
      const duration = event.type === 'attempt.failed' ? Math.round(event.durationMs) : null;
      const wait = { task: action.task ?? 'hint', wait_ms: Math.round(action.waitMs), duration_ms: duration };
      // Before a limit there was no attempt to retry.
      const name = decision.code === 'hold.headroom' ? 'limit_wait' : 'retry_attempt';
      return [entry(moment, place, { event: name, ...common, model: action.to, ...wait })];
    }
    case 'home':
      if (book.spread.delete(speakerKey(session, agent))) return [];
      return [entry(moment, place, { event: 'fallback_returned', session_id: session, agent, model: action.to })];
    case 'exhausted':
      return [entry(moment, place, { event: 'fallback_exhausted', ...common })];
    case 'keep':
    case 'pass':
      return [];
  }
}

const modelOf = ({ trace }: Decision): ModelId | null =>
  trace.findLast(({ verdict }) => verdict === 'failed')?.model ?? null;

const SEVERITY: Readonly<Record<ModelState, number>> = {
  ready: 0,
  degraded: 0,
  unseen: 0,
  resting: 1,
  probing: 2,
  cooling: 3,
  open: 4,
  held: 5,
  blocked: 6,
};

const modelEntries = (moment: BookedStep, fact: Fact): LogEntry[] =>
  fact.type === 'model.changed' ? changedEntries(moment, fact) : [];

function otherEntries(moment: BookedStep, fact: Fact): LogEntry[] {
  switch (fact.type) {
    case 'turn.ended': {
      const { session, agent, answeredBy: model, lead, switches, isExhausted } = fact;
      if (isExhausted || model === null) return [];
      const summary = { session_id: session, agent, model, lead, switches };
      return [entry(moment, directoriesOf(moment.step.state, session), { event: 'turn_finished', ...summary })];
    }
    case 'switch.failed': {
      moment.book.moves.delete(fact.turn);
      const { session, agent, from, to, reason } = fact;
      const details = { session_id: session, agent, primary_model: from, fallback_model: to, reason };
      return [entry(moment, directoriesOf(moment.step.state, session), { event: 'fallback_failed', ...details })];
    }
    case 'question.put':
    case 'question.nudged':
    case 'question.skipped':
    case 'question.answered':
    case 'speaker.degraded':
    case 'speaker.restored':
    case 'session.paused':
    case 'session.resumed':
    case 'session.outage':
    case 'session.connected':
    case 'budget.warned':
    case 'budget.spent':
    case 'prompt.warned':
    case 'network.down':
      return sessionEntries(moment, fact);
    default:
      return [];
  }
}

function changedEntries(moment: BookedStep, fact: FactOf<'model.changed'>): LogEntry[] {
  const { model, from, to, kind, forMs, agoMs = 0 } = fact;
  const { failed } = moment.book;
  const wall = moment.wall - Math.round(agoMs);
  const directories = [...(failed.get(model) ?? [])];
  const isBetter = SEVERITY[to] < SEVERITY[from];
  if (isBetter && SEVERITY[to] === 0) failed.delete(model);
  if (directories.length === 0) return [];
  return [
    entry({ ...moment, wall }, directories, {
      event: 'model_changed',
      ...(isBetter ? { line: recoverLine(wall, model, from, to) } : {}),
      model,
      from: STATE_WORDS[from],
      to: STATE_WORDS[to],
      error_type: kind,
      for_ms: forMs === null ? null : Math.round(forMs),
    }),
  ];
}

function sessionEntries(moment: BookedStep, fact: RowFact): LogEntry[] {
  // A spent budget belongs to the user, not to a project.
  if (fact.type === 'money.passed') return [];
  const { session, agent, model, to, kind, count, of }: FactFields = fact;
  if (session === undefined) return [];
  const ok = fact.type === 'question.answered' ? fact.isYes : undefined;
  const fields = { session_id: session, agent, model, to, error_type: kind, count, of, ok };
  const details = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return [
    entry(moment, directoriesOf(moment.step.state, session), { event: fact.type.replaceAll('.', '_'), ...details }),
  ];
}
