import type { Failure } from '../base/decision';
import { type AttemptId, type ModelId, providerOf } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import { entries, get, remove, set } from '../base/table';
import { classify } from '../failure/classify';
import { unbooked } from '../state/books';
import type { EngineEvent } from '../state/events';
import { trackFailure } from './alert';
import { advance, amend, type CardDraft, hourOf, type InFlight, openOf, placeAt, type Scorecard } from './card';
import { bump, type CellDraft } from './cell';
import { countable, withValue } from './histogram';
import type { AnswerContinued, ScorecardEvent, ScorecardStep, ToolFailed, UsageRecorded } from './input';
import { closeTurn, endWait, noteDecision, noteResult, noteUnmoved, OPEN_MAX, openTurn } from './turn-record';
import { addAnswer, addUsed } from './used';

type Of<T extends EngineEvent['type']> = Extract<EngineEvent, { type: T }>;
type StepOf<E extends ScorecardEvent> = ScorecardStep & Readonly<{ event: E }>;

/** Needs all steps, in order. @throws RangeError if `now` is not finite. */
export function record(card: Scorecard, step: ScorecardStep): Scorecard {
  if (!Number.isFinite(step.now)) throw new RangeError(`now must be a finite number of ms, got ${step.now}`);
  if (step.event.type === 'tick' && step.facts.length === 0) return card;
  const draft: CardDraft = { ...card };
  advance(draft, step.now);
  recordEvent(draft, step);
  for (const decision of step.decisions) {
    noteDecision(draft, decision, placeAt(draft, decision.session, step.now), step.now);
  }
  for (const fact of step.facts) {
    if (fact.type === 'switch.failed') {
      amend(draft, placeAt(draft, fact.session, step.now), fact.from, (cell) => bump(cell, 'switchesFailed'));
    }
  }
  return draft;
}

export function recordAll(card: Scorecard, steps: Iterable<ScorecardStep>): Scorecard {
  let next = card;
  for (const step of steps) next = record(next, step);
  return next;
}

function recordEvent(card: CardDraft, step: ScorecardStep): void {
  const { event, now } = step;
  switch (event.type) {
    case 'prompt.submitted':
      openTurn(card, event.turn, { place: placeAt(card, event.session, now), lead: leadOf({ ...step, event }), now });
      break;
    case 'attempt.started':
      onStarted(card, { ...step, event });
      break;
    case 'attempt.failed':
      onFailed(card, { ...step, event });
      break;
    case 'attempt.succeeded':
      onSucceeded(card, event, now);
      break;
    case 'attempt.aborted':
      onAborted(card, event.attempt, now);
      break;
    case 'session.idle':
    case 'session.closed':
      onRest(card, event.session, now);
      break;
    case 'usage.recorded':
      onUsage(card, event, now);
      break;
    case 'answer.continued':
    case 'tool.failed':
      onTrouble(card, event, now);
      break;
    default:
      break;
  }
}

type Opening = StepOf<Of<'prompt.submitted' | 'attempt.started'>>;

/** A step may also decide about another turn, whose question expires. */
const decisionsOf = ({ event, decisions }: Opening): ScorecardStep['decisions'] =>
  decisions.filter(({ turn }) => turn === event.turn);

/** Without a plan there is no trace. */
const leadOf = (step: Opening): ModelId => decisionsOf(step)[0]?.trace[0]?.model ?? step.event.model;

/** False if no request was sent. */
const isAsked = ({ event, facts }: StepOf<Of<'attempt.started'>>): boolean =>
  facts.some((fact) => fact.type === 'attempt.began' && fact.attempt === event.attempt);

/** Falls back to the evidence if the engine no longer has the attempt. */
function failureIn({ event, facts }: StepOf<Of<'attempt.failed'>>): Failure {
  for (const fact of facts)
    if (fact.type === 'attempt.ended' && (fact.outcome === 'failed' || fact.outcome === 'aborted') && fact.failure)
      return fact.failure;
  return classify(event.evidence);
}

function onStarted(card: CardDraft, step: StepOf<Of<'attempt.started'>>): void {
  const { event, now } = step;
  if (step.facts.some((fact) => fact.type === 'event.ignored')) return;
  const place = placeAt(card, event.session, now);
  openTurn(card, event.turn, { place, lead: leadOf(step), now });
  if (event.purpose === 'turn') endWait(card, event.turn, now);
  if (!isAsked(step) || get(card.inFlight, event.attempt)) return;
  if (card.inFlightCount >= OPEN_MAX) giveUpOldest(card);
  const { model, turn, purpose, agent } = event;
  if (purpose === 'internal') noteUnmoved(card, turn, agent);
  const flaws = event.tellsFlaws ? { tellsFlaws: event.tellsFlaws } : {};
  card.inFlight = set<InFlight>(card.inFlight, event.attempt, { place, model, turn, purpose, ...flaws });
  card.inFlightCount++;
  amend(card, place, model, (cell) => {
    bump(cell, 'attempts');
    bump(cell, 'inFlight');
  });
}

function giveUpOldest(card: CardDraft): void {
  const first = entries(card.inFlight).reduce((a, b) => (b[1].place.hour < a[1].place.hour ? b : a));
  settle(card, first[0], abandon);
}

function abandon(cell: CellDraft): void {
  bump(cell, 'neutral');
  bump(cell, 'abandoned');
}

/** Writes the outcome where the request started. */
function settle(
  card: CardDraft,
  attempt: AttemptId,
  edit: (cell: CellDraft, request: InFlight) => void,
): InFlight | undefined {
  const request = get(card.inFlight, attempt);
  if (!request) return undefined;
  card.inFlight = remove(card.inFlight, attempt);
  card.inFlightCount--;
  amend(card, request.place, request.model, (cell) => {
    bump(cell, 'inFlight', -1);
    edit(cell, request);
  });
  return request;
}

/** These still count as responses. */
const FLAWED_ANSWERS: readonly FailureKind[] = ['empty_response', 'early_termination', 'stream_interrupted'];

export function outcomeOf(failure: Pick<Failure, 'kind' | 'lane'>): 'failure' | 'limited' | 'neutral' {
  if (failure.kind === 'rate_limit' || failure.kind === 'quota') return 'limited';
  return failure.lane === 'neutral' ? 'neutral' : 'failure';
}

function onFailed(card: CardDraft, step: StepOf<Of<'attempt.failed'>>): void {
  const { event, now } = step;
  noteTrips(card, step);
  const failure = failureIn(step);
  const outcome = outcomeOf(failure);
  const isTurn = get(card.inFlight, event.attempt)?.purpose === 'turn';
  const request = settle(card, event.attempt, (cell, { tellsFlaws }) => {
    bump(cell, outcome);
    bump(cell, `kind.${failure.kind}`);
    if (failure.isRepeated) bump(cell, 'providerRepeats');
    if (tellsFlaws && FLAWED_ANSWERS.includes(failure.kind)) bump(cell, 'heard');
    if (isTurn && outcome !== 'neutral') bump(cell, 'lostMs', countable(event.durationMs) ?? 0);
  });
  if (!request) return;
  if (outcome !== 'neutral') {
    const track = trackFailure(card, now);
    card.failures = track.failures;
    card.alert = track.alert;
  }
  const isLeft = step.decisions.some((decision) => decision.action.kind === 'switch');
  const result = { model: request.model, outcome: outcome === 'neutral' ? outcome : ('failed' as const), isLeft, now };
  if (isTurn) noteResult(card, request.turn, result);
}

function onSucceeded(card: CardDraft, event: Of<'attempt.succeeded'>, now: number): void {
  const durationMs = countable(event.durationMs);
  const firstTokenMs = countable(event.firstTokenMs);
  const isSlow = durationMs !== null && durationMs > card.options.slowOverMs;
  const request = settle(card, event.attempt, (cell, { tellsFlaws }) => {
    bump(cell, isSlow ? 'slow' : 'success');
    if (tellsFlaws) bump(cell, 'heard');
    if (firstTokenMs !== null) cell.firstTokens = withValue(cell.firstTokens, firstTokenMs);
    addAnswer(cell, event.durationMs);
  });
  if (request?.purpose !== 'turn') return;
  noteResult(card, request.turn, { model: request.model, outcome: 'answered', isLeft: false, now });
}

function onAborted(card: CardDraft, attempt: AttemptId, now: number): void {
  const request = settle(card, attempt, (cell) => {
    bump(cell, 'neutral');
    bump(cell, 'kind.aborted');
  });
  if (request?.purpose !== 'turn') return;
  noteResult(card, request.turn, { model: request.model, outcome: 'neutral', isLeft: false, now });
}

function onRest(card: CardDraft, session: string, now: number): void {
  const open = openOf(card, session);
  for (const attempt of open.attempts) {
    const request = settle(card, attempt, abandon);
    // An earlier response, such as a tool call, did not end the turn.
    if (request?.purpose === 'turn')
      noteResult(card, request.turn, { model: request.model, outcome: 'neutral', isLeft: false, now });
  }
  for (const turn of open.turns) closeTurn(card, turn, now);
}

function onUsage(card: CardDraft, event: UsageRecorded, now: number): void {
  amend(card, placeAt(card, event.session, now), event.model, (cell) => addUsed(cell, event));
}

function onTrouble(card: CardDraft, event: AnswerContinued | ToolFailed, now: number): void {
  amend(card, placeAt(card, event.session, now), event.model, (cell) => {
    bump(cell, event.type === 'answer.continued' ? 'continued' : 'toolErrors');
    if (event.type !== 'tool.failed') return;
    bump(cell, `tool.${event.reason}`);
    if (event.isRepeated) bump(cell, 'toolRepeats');
  });
}

/** Other events only reveal breakers that were already open. */
function noteTrips(card: CardDraft, step: StepOf<Of<'attempt.failed'>>): void {
  const request = get(card.inFlight, step.event.attempt);
  if (!request) return;
  const place = { ...request.place, hour: hourOf(step.now) };
  for (const fact of step.facts) {
    if (fact.type !== 'model.changed' || fact.to !== 'open') continue;
    const isNetwork = fact.code?.startsWith('network.') ?? false;
    const model = unbooked(fact.model);
    const isIts = isNetwork ? providerOf(model) === providerOf(request.model) : model === request.model;
    if (isIts) amend(card, place, model, (cell) => bump(cell, isNetwork ? 'networkTrips' : 'breakerTrips'));
  }
}
