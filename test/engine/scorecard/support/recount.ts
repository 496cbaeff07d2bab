import { classify } from '../../../../src/engine/failure/classify';
import type { ScorecardStep } from '../../../../src/engine/scorecard';

type Attempt = {
  id: string;
  turn: string;
  session: string;
  model: string;
  isHeard: boolean;
  ms: number | null;
  end: string;
  kind: string | null;
};
type Turn = { session: string; lead: string; results: string[]; by: string | null; leadFailed: boolean; end: string };

/** `ms` is how long it took; null while it goes on. */
type Hold = Readonly<{ turn: string; to: string; mostMs: number; since: number }> & { ms: number | null };

/** A log as plain lists. */
export type Recount = Readonly<{
  attempts: Attempt[];
  turns: Turn[];
  live: Map<string, Turn>;
  moves: Readonly<{ from: string; to: string }>[];
  holds: Hold[];
  flaws: Extract<ScorecardStep['event'], { type: 'tool.failed' | 'answer.continued' }>[];
}>;

/** The plainest possible count of a log, written apart from the scorecard: lists first, sums after. */
export function recount(steps: readonly ScorecardStep[]): Recount {
  const count: Recount = { attempts: [], turns: [], live: new Map(), moves: [], holds: [], flaws: [] };
  for (const step of steps) {
    beginnings(count, step);
    ends(count, step);
    rests(count, step);
    const { event } = step;
    if (event.type === 'tool.failed' || event.type === 'answer.continued') count.flaws.push(event);
    for (const { action, turn } of step.decisions) {
      goesOn(count, turn, step.now);
      if (action.kind === 'switch' || (action.kind === 'redirect' && action.position > 0)) count.moves.push(action);
      if (action.kind === 'hold')
        count.holds.push({ turn, to: action.to, mostMs: action.waitMs, since: step.now, ms: null });
      if (action.kind === 'exhausted') count.live.get(turn)?.results.push('failed');
    }
  }
  return count;
}

/** A wait is over once its turn goes on: with a decision, a request or an end. */
function goesOn({ holds }: Recount, turn: string, now: number): void {
  for (const hold of holds)
    if (hold.turn === turn) hold.ms ??= Math.min(hold.mostMs, Math.max(0, Math.round(now - hold.since)));
}

const openIn = ({ attempts }: Recount, id: string): Attempt | undefined =>
  attempts.findLast((one) => one.id === id && one.end === 'inFlight');

function beginnings(count: Recount, { event, decisions, facts, now }: ScorecardStep): void {
  if (event.type !== 'prompt.submitted' && event.type !== 'attempt.started') return;
  if (facts.some((fact) => fact.type === 'event.ignored')) return;
  const { turn: id, session, model } = event;
  if (!count.live.has(id)) {
    const lead = decisions[0]?.trace[0]?.model ?? model;
    const turn: Turn = { session, lead, results: [], by: null, leadFailed: false, end: 'open' };
    count.live.set(id, turn);
    count.turns.push(turn);
  }
  if (event.type === 'attempt.started' && event.purpose === 'turn') goesOn(count, id, now);
  if (event.type === 'prompt.submitted' || decisions.length > 0 || openIn(count, event.attempt)) return;
  const isHeard = event.tellsFlaws ?? false;
  count.attempts.push({ id: event.attempt, turn: id, session, model, isHeard, ms: null, end: 'inFlight', kind: null });
}

function ends(count: Recount, { event, decisions, now }: ScorecardStep): void {
  if (!('attempt' in event) || event.type === 'headroom.seen') return;
  const attempt = openIn(count, event.attempt);
  const turn = attempt && count.live.get(attempt.turn);
  if (!attempt || !turn) return;
  goesOn(count, attempt.turn, now);
  if (event.type === 'attempt.failed') {
    const failure = decisions[0]?.failure ?? classify(event.evidence);
    const isLimit = failure.kind === 'rate_limit' || failure.kind === 'quota';
    attempt.end = isLimit ? 'limited' : failure.lane === 'neutral' ? 'neutral' : 'failure';
    attempt.ms = event.durationMs;
    attempt.kind = failure.kind;
    turn.results.push(attempt.end === 'neutral' ? 'neutral' : 'failed');
    const isLeft = attempt.end !== 'neutral' || decisions[0]?.action.kind === 'switch';
    if (attempt.model === turn.lead && isLeft) turn.leadFailed = true;
  }
  if (event.type === 'attempt.succeeded') {
    attempt.end = event.durationMs > 60_000 && Number.isFinite(event.durationMs) ? 'slow' : 'success';
    attempt.ms = event.durationMs;
    turn.results.push('answered');
    turn.by = attempt.model;
  }
  if (event.type === 'attempt.aborted') {
    attempt.end = 'neutral';
    turn.results.push('neutral');
  }
}

function rests(count: Recount, { event, now }: ScorecardStep): void {
  if (event.type !== 'session.idle' && event.type !== 'session.closed') return;
  for (const one of count.attempts) {
    if (one.session !== event.session || one.end !== 'inFlight') continue;
    one.end = 'neutral';
    count.live.get(one.turn)?.results.push('neutral');
  }
  for (const [id, one] of count.live) {
    if (one.session !== event.session) continue;
    goesOn(count, id, now);
    one.end = one.results.at(-1) ?? 'neutral';
    count.live.delete(id);
  }
}
