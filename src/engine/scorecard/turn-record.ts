import type { Decision, Failure } from '../base/decision';
import type { ModelId, TurnId } from '../base/ids';
import { entries, get, remove, set } from '../base/table';
import { SPREAD } from '../base/window';
import { amend, type CardDraft, entryOf, type OpenTurn, type Place } from './card';
import { bump, withSwitch } from './cell';
import { countable, withValue } from './histogram';

/** Beyond it the oldest is closed, in case its end was lost. */
export const OPEN_MAX = 2_000;
/** Users wait at most an hour. */
export const SAVED_MAX_MS = 3_600_000;

type Opened = Readonly<{ place: Place; lead: ModelId; now: number }>;

export function openTurn(card: CardDraft, turn: TurnId, { place, lead, now }: Opened): void {
  if (get(card.turns, turn)) return;
  if (card.turnCount >= OPEN_MAX) giveUpOldest(card, now);
  card.turns = set<OpenTurn>(card.turns, turn, {
    place,
    lead,
    failedAttempts: 0,
    leadFailed: false,
    last: 'none',
    answeredBy: null,
    left: null,
    answeredAt: null,
  });
  card.turnCount++;
  amend(card, place, lead, (cell) => {
    bump(cell, 'turns');
    bump(cell, 'turnsOpen');
  });
}

function giveUpOldest(card: CardDraft, now: number): void {
  const first = entries(card.turns).reduce((a, b) => (b[1].place.hour < a[1].place.hour ? b : a));
  closeTurn(card, first[0], now);
}

export function noteResult(
  card: CardDraft,
  turn: TurnId,
  result: Readonly<{ model: ModelId; outcome: 'answered' | 'failed' | 'neutral'; isLeft: boolean; now: number }>,
): void {
  endWait(card, turn, result.now);
  const open = get(card.turns, turn);
  if (!open) return;
  const { model, outcome, isLeft, now } = result;
  const isAnswered = outcome === 'answered';
  card.turns = set<OpenTurn>(card.turns, turn, {
    ...open,
    last: outcome,
    unaskedOf: undefined,
    failedAttempts: open.failedAttempts + (isAnswered || (outcome === 'neutral' && !isLeft) ? 0 : 1),
    leadFailed: open.leadFailed || (isLeadOf(open, model) && (outcome === 'failed' || isLeft)),
    answeredBy: isAnswered ? model : open.answeredBy,
    answeredAt: isAnswered && open.left ? (open.answeredAt ?? now) : open.answeredAt,
  });
}

/**
 * Without an available model OpenCode calls its own, whose result does not count. Titles and compactions have other
 * agents.
 */
export function noteUnmoved(card: CardDraft, id: TurnId, agent: string): void {
  const open = get(card.turns, id);
  if (open === undefined || open.unaskedOf !== agent) return;
  card.turns = set<OpenTurn>(card.turns, id, { ...open, last: 'neutral', unaskedOf: undefined });
}

export function noteDecision(card: CardDraft, decision: Decision, place: Place, now: number): void {
  const { action } = decision;
  endWait(card, decision.turn, now);
  if (decision.code === SPREAD) noteSpread(card, decision);
  else if (action.kind === 'switch' || (action.kind === 'redirect' && action.position > 0)) {
    amend(card, place, action.from, (cell) => {
      bump(cell, 'fallbacksOut');
      cell.switches = withSwitch(cell.switches, action.to);
    });
    amend(card, place, action.to, (cell) => bump(cell, 'fallbacksIn'));
    noteLeaving(card, decision, action, now);
  }
  if (action.kind === 'hold') {
    // No request was sent yet.
    if (decision.code !== 'hold.headroom') amend(card, place, action.to, (cell) => bump(cell, 'retries'));
    const wait = { place, model: action.to, since: now, mostMs: countable(action.waitMs) ?? 0 };
    const open = get(card.turns, decision.turn);
    if (open) card.turns = set<OpenTurn>(card.turns, decision.turn, { ...open, wait });
  }
  if (action.kind === 'exhausted') {
    const open = get(card.turns, decision.turn);
    if (!open) return;
    const unaskedOf = open.last === 'none' ? decision.agent : open.unaskedOf;
    card.turns = set<OpenTurn>(card.turns, decision.turn, { ...open, last: 'failed', unaskedOf });
    amend(card, open.place, open.lead, (cell) => bump(cell, 'exhausted'));
  }
}

/** An answered question ends a wait early. */
export function endWait(card: CardDraft, turn: TurnId, now: number): void {
  const existing = get(card.turns, turn);
  if (!existing?.wait) return;
  const { wait, ...open } = existing;
  const { place, model, since, mostMs } = wait;
  const waitMs = Math.min(mostMs, Math.max(0, Math.round(now - since)));
  card.turns = set<OpenTurn>(card.turns, turn, open);
  amend(card, place, model, (cell) => {
    bump(cell, 'waitedMs', waitMs);
    bump(cell, 'lostMs', waitMs);
    cell.waits = withValue(cell.waits, waitMs);
  });
}

function noteSpread(card: CardDraft, { turn, action }: Decision): void {
  const open = get(card.turns, turn);
  if (open && 'to' in action) card.turns = set<OpenTurn>(card.turns, turn, { ...open, spreadTo: action.to });
}

const isLeadOf = ({ lead, spreadTo }: OpenTurn, model: ModelId | null): boolean =>
  model !== null && (model === lead || model === spreadTo);

function noteLeaving(
  card: CardDraft,
  decision: Decision,
  way: Readonly<{ from: ModelId; to: ModelId }>,
  now: number,
): void {
  const open = get(card.turns, decision.turn);
  if (!open || open.left || isLeadOf(open, way.to)) return;
  const failure = isLeadOf(open, way.from) ? decision.failure : null;
  const left = { at: now, ...backOf(decision, open.lead, failure) };
  card.turns = set<OpenTurn>(card.turns, decision.turn, { ...open, left });
}

/** Time until the primary is back: from the provider, else our estimate; null if time alone does not help. */
function backOf(
  decision: Decision,
  lead: ModelId,
  failure: Failure | null,
): { backMs: number | null; isStated: boolean } {
  if (failure && failure.hintMs !== null) return { backMs: countable(failure.hintMs) ?? 0, isStated: true };
  const seen = decision.trace.find((entry) => entry.model === lead);
  // An available primary saves no time.
  if (seen?.state !== 'cooling' && seen?.state !== 'open' && seen?.state !== 'blocked')
    return { backMs: 0, isStated: false };
  return { backMs: seen.backInMs === null ? null : (countable(seen.backInMs) ?? 0), isStated: false };
}

export function closeTurn(card: CardDraft, turn: TurnId, now: number): void {
  endWait(card, turn, now);
  const open = get(card.turns, turn);
  if (!open) return;
  card.turns = remove(card.turns, turn);
  card.turnCount--;
  const { place, lead, answeredBy } = open;
  const isAnswered = open.last === 'answered';
  const isByLead = isLeadOf(open, answeredBy);
  const savedMs = isAnswered && !isByLead ? credit(card, open) : 0;
  amend(card, place, lead, (cell) => {
    bump(cell, 'turnsOpen', -1);
    bump(cell, isAnswered ? 'turnsAnswered' : open.last === 'failed' ? 'turnsFailed' : 'turnsNeutral');
    if (!isAnswered) return;
    if (open.failedAttempts === 0) bump(cell, 'turnsFirstTry');
    bump(cell, isByLead ? 'turnsByLead' : open.leadFailed ? 'turnsSaved' : 'turnsSpared');
    bump(cell, 'savedMs', savedMs);
    if (open.left?.isStated) bump(cell, 'savedStatedMs', savedMs);
    if (!isByLead && open.left?.backMs === null) bump(cell, 'turnsWithoutClock');
  });
  if (isAnswered && !isByLead && answeredBy !== null) amend(card, place, answeredBy, (cell) => bump(cell, 'rescues'));
}

/** From the response to the primary's return; time of a session counts once. */
function credit(card: CardDraft, open: OpenTurn): number {
  if (!open.left || open.left.backMs === null || open.answeredAt === null) return 0;
  const entry = entryOf(card, open.place);
  const until = open.left.at + Math.min(SAVED_MAX_MS, open.left.backMs);
  const since = Math.max(open.answeredAt, entry?.creditedUntil ?? open.answeredAt);
  const savedMs = Math.max(0, Math.round(until - since));
  const { session } = open.place;
  if (entry && session !== null && savedMs > 0) {
    card.sessions = set(card.sessions, session, { ...entry, creditedUntil: until });
  }
  return savedMs;
}
