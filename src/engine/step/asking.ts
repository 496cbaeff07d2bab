import { unfitFor } from '../base/catalogue';
import { type AttemptId, type ModelId, providerOf } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import { entries, get, set } from '../base/table';
import type { Shortage } from '../base/window';
import { choose, decisionOf, outlookOf } from '../choose/choice';
import { shortOf } from '../choose/headroom';
import { haltedBy } from '../choose/money';
import { exhausted, nextSpeaker } from '../choose/spare';
import { isTakenOut } from '../health/manual';
import { advance, isOfDrain, type Question, type QueueChange, raise, withdraw } from '../state/ask';
import { chainOf } from '../state/chain';
import type { EventOf } from '../state/events';
import { boundariesOf, rootOf, standingIn } from '../state/read';
import { copyOf, type Drained, type EngineState, moveTurn, type Speaker, speakerKey, type Turn } from '../state/state';
import { type Ignored, ignored, type Work } from '../state/work';
import { say, tellDrain } from './drain';
import { allow } from './money';
import { speak } from './speaking';

/** With sub-agents; `active` are not paused (degraded). */
export function activeOf(state: EngineState, session: string): Readonly<{ active: number; total: number }> {
  const all = speakersOf(state, session);
  return { active: all.filter(({ degraded }) => !degraded).length, total: all.length };
}

function speakersOf(state: EngineState, session: string): readonly Speaker[] {
  const root = rootOf(state, session);
  return entries(state.speakers).flatMap(([, speaker]) => (rootOf(state, speaker.session) === root ? [speaker] : []));
}

type Why = Readonly<{
  model: ModelId;
  to: ModelId | null;
  kind: FailureKind;
  attempt: AttemptId | null;
  short?: Shortage | undefined;
  isOfPlan?: boolean;
}>;

export const isFailure = ({ kind, attempt }: Pick<Why, 'kind' | 'attempt'>): boolean =>
  kind !== 'unknown' || attempt !== null;
const causeOf = (why: Pick<Why, 'kind' | 'attempt'>): Readonly<{ kind?: FailureKind }> =>
  isFailure(why) ? { kind: why.kind } : {};

export function ask(work: Work, { session, agent, turn }: Turn, why: Why): void {
  const { model, to, kind, attempt, short, isOfPlan } = why;
  const about = { ...(short ? { short } : {}), ...(isOfPlan ? { isOfPlan } : {}) };
  const question = { id: `${turn}|${model}`, session, agent, turn, attempt, model, to, kind, ...about };
  const next = raise(work.state.questions, question, work.now);
  if (next) tell(work, next);
}

function tell({ state, facts }: Work, { questions, events }: QueueChange): void {
  state.questions = questions;
  for (const { what, question } of events) {
    const { id, session, agent, turn, model, to, short } = question;
    const about = short ? { short } : {};
    facts.push({
      type: `question.${what}`,
      question: id,
      session,
      agent,
      turn,
      model,
      to,
      ...causeOf(question),
      ...about,
    });
  }
}

/** For the rest of the session, which pauses with its last agent. */
export function degrade({ state, now, facts }: Work, turn: Turn, why: Omit<Why, 'to'>): void {
  const { model, kind } = why;
  const { session, agent } = turn;
  const key = speakerKey(session, agent);
  const old = get(state.speakers, key);
  if (!old || old.degraded) return;
  state.speakers = set(state.speakers, key, { ...old, status: 'exhausted', degraded: { kind, model, since: now } });
  const { active: count, total: of } = activeOf(state, session);
  const fields = { session: rootOf(state, session), agent, model, ...causeOf(why), count, of };
  facts.push({ type: 'speaker.degraded', ...fields });
  if (count === 0) facts.push({ type: 'session.paused', ...fields });
}

export function settleQuestions(work: Work): void {
  const { state, now } = work;
  if (state.questions.length === 0) return;
  const isGone = ({ turn }: Readonly<{ turn: string }>): boolean => get(state.turns, turn) === undefined;
  if (state.questions.some(isGone)) tell(work, withdraw(state.questions, isGone, now));
  const next = advance(state.questions, now);
  tell(work, next);
  for (const { what, question } of next.events) {
    const turn = what === 'skipped' ? get(state.turns, question.turn) : undefined;
    if (!turn) continue;
    if (isOfDrain(question)) {
      afterDrain(work, turn, question, 'silent');
      drainAlike(work, turn, question, 'silent');
      continue;
    }
    decline(work, turn, question, 'skipped');
    if (question.short) declineAlike(work, question);
  }
}

/** Silence about a budget declines all the conversation's questions about it. */
function declineAlike(work: Work, { session, short }: Question): void {
  const { state } = work;
  const isAlike = (each: Question): boolean =>
    each.short?.window === short?.window && rootOf(state, each.session) === rootOf(state, session);
  settleAll(work, isAlike, (turn, each) => decline(work, turn, each, 'skipped'));
}

function settleAll(
  work: Work,
  isMeant: (question: Question) => boolean,
  settle: (turn: Turn, question: Question) => void,
): void {
  const { state, now } = work;
  for (const question of state.questions.filter(isMeant)) {
    const turn = get(state.turns, question.turn);
    if (turn) settle(turn, question);
  }
  tell(work, withdraw(state.questions, isMeant, now));
}

/** Resumes turns whose budget was approved elsewhere, or has a new period. */
export function settleBudgets(work: Work): void {
  const { state, now } = work;
  const isFree = ({ short, turn, model }: Question): boolean => {
    const asking = get(state.turns, turn);
    return short?.unit === 'dollars' && asking !== undefined && haltedBy(state, asking, model, now) === null;
  };
  if (state.questions.some(isFree)) settleAll(work, isFree, (turn, each) => goOn(work, turn, each));
}

function decline(work: Work, turn: Turn, why: Why, how: 'skipped' | 'declined'): void {
  const { short, attempt } = why;
  // The agent is fine: the next message asks again.
  if (short) {
    work.decisions.push(decisionOf(turn, { ...choose({ kind: 'pass' }, `${how}.money`), short }, null, attempt));
    return;
  }
  degrade(work, turn, why);
  work.decisions.push(decisionOf(turn, choose({ kind: 'pass' }, `${how}.${why.kind}`), null, why.attempt));
}

/** Without an id: the open question. */
export function onAnswered(work: Work, event: EventOf<'question.answered'>): Ignored | undefined {
  const { state, facts } = work;
  const question = state.questions.find(({ id }) => event.question === undefined || id === event.question);
  const turn = question && get(state.turns, question.turn);
  if (!question || !turn) return ignored('question.unknown', event.question ?? '');
  const { id, short } = question;
  const { session, agent } = turn;
  facts.push({ type: 'question.answered', question: id, session, agent, actor: event.actor, isYes: event.yes });
  if (isOfDrain(question)) {
    drainAlike(work, turn, question, event.yes ? 'yes' : 'no');
    return;
  }
  // Approval applies to all questions about the budget, a refusal to its conversation.
  const isOwn = (each: Question): boolean => event.yes || rootOf(state, each.session) === rootOf(state, session);
  const isMeant = (each: Question): boolean =>
    each.id === id || (short !== undefined && each.short?.window === short.window && isOwn(each));
  if (event.yes && short) {
    allow(state, short.window);
    facts.push({ type: 'money.allowed', id: short.window, actor: event.actor });
  }
  settleAll(work, isMeant, (asking, each) => {
    if (!event.yes) decline(work, asking, each, 'declined');
    else if (each.short) goOn(work, asking, each);
    else accept(work, asking, each);
  });
}

function drainAlike(work: Work, { session }: Turn, { to }: Question, consent: Drained['said']): void {
  const { state } = work;
  const provider = to === null ? null : providerOf(to);
  const isAlike = (each: Question): boolean =>
    isOfDrain(each) &&
    (each.to === null ? null : providerOf(each.to)) === provider &&
    rootOf(state, each.session) === rootOf(state, session);
  settleAll(work, isAlike, (turn, each) => afterDrain(work, turn, each, consent));
}

/**
 * Uses the plan, or after a refusal another model. An unsent request keeps its model if possible, else the turn ends.
 */
function afterDrain(work: Work, turn: Turn, why: Why, consent: Drained['said']): void {
  const { model, to, kind, attempt } = why;
  const { state, now, decisions } = work;
  if (to !== null) say(work, turn, to, consent);
  const isUnsent = attempt === null;
  if (consent === 'no' && isUnsent && standingIn(state, turn.directory, model, now).use !== 'out') {
    const again = { kind: 'hold', to: model, waitMs: 0, task: 'retry' } as const;
    decisions.push(decisionOf(turn, { ...choose(again, 'hold.drain'), short: why.short }, null, null));
    return;
  }
  const next = copyOf(turn);
  if (!isUnsent) next.tried = [...turn.tried, { model, kind }];
  const outlook = outlookOf(state, next, now);
  const elsewhere = consent === 'no' || to === null || !mayTakeOver(state, turn, to, now) ? nextSpeaker(outlook) : null;
  const other = elsewhere?.model ?? (consent === 'no' ? null : to);
  if (other !== null && other !== model) {
    if (elsewhere?.drain?.short) tellDrain(work, turn, other, elsewhere.drain.short);
    if (isUnsent) goBeforeLimit(work, turn, { model, to: other });
    else accept(work, turn, { model, to: other, kind, attempt });
    return;
  }
  next.isExhausted = true;
  state.turns = set(state.turns, turn.turn, next);
  const choice = exhausted(outlook);
  speak(work, next, choice, { failure: null });
  decisions.push(decisionOf(next, choice, null, attempt));
}

function goBeforeLimit(work: Work, turn: Turn, { model: from, to }: Readonly<{ model: ModelId; to: ModelId }>): void {
  const { state, now, decisions } = work;
  const { kind } = standingIn(state, turn.directory, from, now);
  const short = kind === null ? (shortOf(state, turn, from, now) ?? undefined) : undefined;
  const action = { kind: 'switch', from, to, position: positionOf(state, turn, to) } as const;
  const choice = { ...choose(action, short?.code ?? `redirect.${kind ?? 'lead'}`), short };
  const next = copyOf(turn);
  if (short) next.model = to;
  else moveTurn(next, from, to);
  state.turns = set(state.turns, turn.turn, next);
  speak(work, next, choice, { failure: null });
  decisions.push(decisionOf(next, choice, null, null));
}

function goOn({ decisions }: Work, turn: Turn, { model, short }: Why): void {
  const choice = { ...choose({ kind: 'hold', to: model, waitMs: 0, task: 'retry' } as const, 'hold.money'), short };
  decisions.push(decisionOf(turn, choice, null, null));
}

/** Retries the same model if no other is available. */
function accept(work: Work, turn: Turn, why: Why): void {
  const { model, to, kind, attempt } = why;
  const { state, now, decisions } = work;
  const isFit = to !== null && mayTakeOver(state, turn, to, now);
  // Without a request the model has not failed.
  const isSent = attempt !== null;
  const choice = isFit
    ? choose(
        { kind: 'switch', from: model, to, position: positionOf(state, turn, to) },
        `${isSent ? 'switch' : 'redirect'}.${isFailure(why) ? kind : 'lead'}`,
      )
    : choose({ kind: 'hold', to: model, waitMs: 0, task: 'retry' }, `hold.${kind}`);
  const next = copyOf(turn);
  if (isFit) {
    moveTurn(next, model, to);
    if (isSent) {
      next.tried = [...turn.tried, { model, kind }];
      next.switches++;
    }
  } else next.isForced = !isTakenOut(get(state.manual, model), now);
  state.turns = set(state.turns, turn.turn, next);
  speak(work, next, choice, { failure: null });
  decisions.push(decisionOf(next, choice, null, attempt));
}

/** It may have become unavailable. */
function mayTakeOver(state: EngineState, turn: Turn, to: ModelId, now: number): boolean {
  const { directory, lead, needs } = turn;
  if (standingIn(state, directory, to, now).use === 'out') return false;
  return unfitFor(to, { lead, needs, boundaries: boundariesOf(state, directory) }) === null;
}

function positionOf(state: EngineState, turn: Turn, model: ModelId): number {
  const chain = chainOf(state, turn);
  return chain.includes(model) ? chain.indexOf(model) : chain.length;
}

export function onRetried(work: Work, event: EventOf<'speaker.retried'>): Ignored | undefined {
  const { state, facts } = work;
  const all = speakersOf(state, event.session);
  const meant = all.filter(({ agent, degraded }) => degraded && (event.agent === null || agent === event.agent));
  if (meant.length === 0) return ignored('speaker.unknown', event.agent ?? event.session);
  for (const speaker of meant) {
    const key = speakerKey(speaker.session, speaker.agent);
    state.speakers = set(state.speakers, key, { ...speaker, degraded: null, status: 'idle' });
  }
  const { active: count, total: of } = activeOf(state, event.session);
  const fields = { session: rootOf(state, event.session), actor: event.actor, count, of };
  for (const { agent } of meant) facts.push({ type: 'speaker.restored', agent, ...fields });
  if (all.every(({ degraded }) => degraded)) facts.push({ type: 'session.resumed', ...fields });
}
