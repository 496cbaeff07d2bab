import type { AttemptId, ModelId, TurnId } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import type { Shortage } from '../base/window';

/** A decision that waits for a person. Only the first of a queue is put; the others wait their turn. */
export type Question = Readonly<{
  id: string;
  session: string;
  agent: string;
  turn: TurnId;
  attempt: AttemptId | null;
  /** The model that failed, and who would speak next; null when nobody could. */
  model: ModelId;
  to: ModelId | null;
  kind: FailureKind;
  /** The budget that is spent, or the plan that would be used up, where that is what is asked about: whether to go on all the same. */
  short?: Shortage | undefined;
  /** It is about a plan that would be used up, be its numbers known here or not. */
  isOfPlan?: boolean;
  /** Engine ms at which it was put; null while another one is open. */
  putAt: number | null;
  isNudged: boolean;
}>;

/** The person is reminded after this long, in ms. Source: docs/failures.md, questions. */
export const NUDGE_MS = 30_000;
/** Nobody answered: the question is taken as declined after this long, in ms. Source: docs/failures.md, questions. */
export const SKIP_MS = 60_000;
/** The same where a plan would be used up: then the turn goes on. Source: docs/headroom.md. */
export const DRAIN_SKIP_MS = 10_000;
/** Questions that may wait; more are declined at once. */
const QUEUE_MAX = 50;

export type QueueChange = Readonly<{
  questions: readonly Question[];
  /** What there is to tell, in order. */
  events: readonly Readonly<{ what: 'put' | 'nudged' | 'skipped'; question: Question }>[];
}>;

/** A queue with one more question; put at once when no other is open. Null when the queue is full. */
export function raise(
  questions: readonly Question[],
  question: Omit<Question, 'putAt' | 'isNudged'>,
  now: number,
): QueueChange | null {
  if (questions.length >= QUEUE_MAX || questions.some(({ id }) => id === question.id)) return null;
  return advance([...questions, { ...question, putAt: null, isNudged: false }], now);
}

/** Puts, nudges and skips what is due **at** `now`. A skipped question makes room for the next, which gets its full time. */
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

/** Whether it is about a plan that would be used up: whoever says nothing lets the turn go on. */
export const isOfDrain = ({ isOfPlan }: Pick<Question, 'isOfPlan'>): boolean => isOfPlan === true;

/** How long it waits for an answer, in ms. */
export const skipMsOf = (question: Pick<Question, 'isOfPlan'>): number =>
  isOfDrain(question) ? DRAIN_SKIP_MS : SKIP_MS;

/** A queue without some questions: they were answered, or nobody needs the answer any more. */
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

/** The next moment at which the queue changes by itself, in engine ms; null when it is empty. */
export function askedUntil(questions: readonly Question[]): number | null {
  const first = questions[0];
  if (!first) return null;
  if (first.putAt === null) return null;
  const skipMs = skipMsOf(first);
  return first.putAt + (first.isNudged ? skipMs : Math.min(NUDGE_MS, skipMs));
}

/** A queue after a time nobody could have answered in: the open question is put anew. */
export function putAnew(questions: readonly Question[], now: number): readonly Question[] {
  const [first, ...rest] = questions;
  return first?.putAt == null ? questions : [{ ...first, putAt: now, isNudged: false }, ...rest];
}

/** What a person typed. */
export type AskCommand =
  | Readonly<{ type: 'answer'; yes: boolean }>
  | Readonly<{ type: 'retry'; name: string | null }>
  | null;

/** Reads `/yes`, `/no`, `/retry NAME` and `/retry all`; null for any other text. */
export function commandIn(text: string): AskCommand {
  const [word = '', ...names] = text.trim().slice(0, 200).split(/\s+/);
  const name = names.join(' ');
  if ((word === '/yes' || word === '/no') && name === '') return { type: 'answer', yes: word === '/yes' };
  if (word !== '/retry' || name === '') return null;
  return { type: 'retry', name: name === 'all' ? null : name };
}
