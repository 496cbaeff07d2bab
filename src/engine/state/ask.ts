import type { AttemptId, ModelId, TurnId } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import type { Shortage } from '../base/window';

/** Only the first of a queue is open. */
export type Question = Readonly<{
  id: string;
  session: string;
  agent: string;
  turn: TurnId;
  attempt: AttemptId | null;
  /** The failed model and the next, if any. */
  model: ModelId;
  to: ModelId | null;
  kind: FailureKind;
  /** The budget or plan in question. */
  short?: Shortage | undefined;
  /** True for a plan, whose numbers may be unknown. */
  isOfPlan?: boolean;
  /** Null while another question is open. */
  putAt: number | null;
  isNudged: boolean;
}>;

/** Delay of the reminder. Source: docs/failures.md, questions. */
export const NUDGE_MS = 30_000;
/** The question then counts as declined. Source: docs/failures.md, questions. */
export const SKIP_MS = 60_000;
/** For a plan that would be used up; the turn then goes on. Source: docs/headroom.md. */
export const DRAIN_SKIP_MS = 10_000;
const QUEUE_MAX = 50;

export type QueueChange = Readonly<{
  questions: readonly Question[];
  events: readonly Readonly<{ what: 'put' | 'nudged' | 'skipped'; question: Question }>[];
}>;

/** Null if the queue is full. */
export function raise(
  questions: readonly Question[],
  question: Omit<Question, 'putAt' | 'isNudged'>,
  now: number,
): QueueChange | null {
  if (questions.length >= QUEUE_MAX || questions.some(({ id }) => id === question.id)) return null;
  return advance([...questions, { ...question, putAt: null, isNudged: false }], now);
}

/** A question after a skipped one gets its full time. */
export function advance(questions: readonly Question[], now: number): QueueChange {
  const [first, ...rest] = questions;
  if (!first) return { questions, events: [] };
  if (first.putAt === null) {
    const question = { ...first, putAt: now };
    return { questions: [question, ...rest], events: [{ what: 'put', question }] };
  }
  const skipMs = skipMsOf(first);
  if (now - first.putAt >= skipMs) {
    const next = advance(rest, now);
    return { questions: next.questions, events: [{ what: 'skipped', question: first }, ...next.events] };
  }
  if (first.isNudged || now - first.putAt < NUDGE_MS || skipMs <= NUDGE_MS) return { questions, events: [] };
  const question = { ...first, isNudged: true };
  return { questions: [question, ...rest], events: [{ what: 'nudged', question }] };
}

/** Without an answer the turn continues. */
export const isOfDrain = ({ isOfPlan }: Pick<Question, 'isOfPlan'>): boolean => isOfPlan === true;

export const skipMsOf = (question: Pick<Question, 'isOfPlan'>): number =>
  isOfDrain(question) ? DRAIN_SKIP_MS : SKIP_MS;

export function withdraw(
  questions: readonly Question[],
  isMeant: (question: Question) => boolean,
  now: number,
): QueueChange {
  return advance(
    questions.filter((question) => !isMeant(question)),
    now,
  );
}

export function askedUntil(questions: readonly Question[]): number | null {
  const first = questions[0];
  if (!first) return null;
  if (first.putAt === null) return null;
  const skipMs = skipMsOf(first);
  return first.putAt + (first.isNudged ? skipMs : Math.min(NUDGE_MS, skipMs));
}

/** After a time in which the user could not answer. */
export function putAnew(questions: readonly Question[], now: number): readonly Question[] {
  const [first, ...rest] = questions;
  return first?.putAt == null ? questions : [{ ...first, putAt: now, isNudged: false }, ...rest];
}

export type AskCommand =
  | Readonly<{ type: 'answer'; yes: boolean }>
  | Readonly<{ type: 'retry'; name: string | null }>
  | null;

/** Parses `/yes`, `/no`, `/retry NAME` and `/retry all`. */
export function commandIn(text: string): AskCommand {
  const [word = '', ...names] = text.trim().slice(0, 200).split(/\s+/);
  const name = names.join(' ');
  if ((word === '/yes' || word === '/no') && name === '') return { type: 'answer', yes: word === '/yes' };
  if (word !== '/retry' || name === '') return null;
  return { type: 'retry', name: name === 'all' ? null : name };
}
