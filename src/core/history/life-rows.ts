import type { Fact, FactOf, Failure } from '../../engine';
import { outcomeOf } from '../../engine/scorecard';
import { projectOf } from '../base/project';
import type { StoreRow } from '../base/store-rows';

const MESSAGE_MAX_CHARS = 200;

type Ended = FactOf<'attempt.ended'>;

type RowClock = Readonly<{ wall: number; slowOverMs: number }>;

/** @param moment `wall`: Unix ms; `slowOverMs`: longer answers are slow. */
export const rowsOfLife = (facts: readonly Fact[], moment: RowClock): StoreRow[] =>
  facts.flatMap((fact) => rowsOf(fact, moment));

function rowsOf(fact: Fact, { wall: at, slowOverMs }: RowClock): StoreRow[] {
  switch (fact.type) {
    case 'turn.began':
      // A request that opens its turn adds the session's row later.
      return fact.by === 'prompt' ? [seen(fact, at)] : [];
    case 'attempt.began': {
      const { attempt, turn, session, agent, model, position, purpose } = fact;
      return [seen(fact, at), { type: 'attempt.started', attempt, turn, session, agent, model, position, purpose, at }];
    }
    case 'attempt.ended':
      return endOf(fact, slowOverMs);
    case 'chain.exhausted': {
      const { turn, session, agent } = fact.decision;
      return fact.isUnasked ? [{ type: 'turn.refused', turn, session, agent, at }] : [];
    }
    case 'speaker.moved':
      return movedRow(fact.decision, at);
    case 'speaker.carried': {
      const { turn, from, isCarried: ok, durationMs } = fact;
      return [{ type: 'switch.carried', turn, from, ok, durationMs: Math.round(durationMs) }];
    }
    case 'session.rested':
      return [{ type: 'session.rested', session: fact.session }];
    default:
      return [];
  }
}

function seen(
  { session, parent, directory }: Readonly<{ session: string; parent: string | null; directory: string }>,
  at: number,
): StoreRow {
  return { type: 'session.seen', session, parent, project: projectOf(directory), at };
}

function endOf(fact: Ended, slowOverMs: number): StoreRow[] {
  const { attempt } = fact;
  const plain = { kind: null, status: null, message: null, durationMs: null, firstTokenMs: null };
  const row = (end: Partial<Omit<Extract<StoreRow, { type: 'attempt.ended' }>, 'type' | 'attempt'>>) =>
    ({ type: 'attempt.ended', attempt, outcome: 'neutral', ...plain, ...end }) as const;
  switch (fact.outcome) {
    case 'answered': {
      const { durationMs, firstTokenMs } = fact;
      const outcome = durationMs > slowOverMs ? 'slow' : 'success';
      return [row({ outcome, durationMs: Math.round(durationMs), firstTokenMs: Math.round(firstTokenMs) })];
    }
    case 'failed':
      return [row({ ...failedAs(fact.failure), durationMs: Math.round(fact.durationMs) })];
    case 'aborted': {
      const { failure, durationMs } = fact;
      const as = failure ? failedAs(failure) : ({ kind: 'aborted' } as const);
      return [row({ ...as, durationMs: durationMs === null ? null : Math.round(durationMs) })];
    }
    case 'abandoned':
      // The session's end also ends all its open requests.
      return [];
  }
}

const failedAs = (failure: Failure) => ({
  outcome: outcomeOf(failure),
  kind: failure.kind,
  status: failure.status,
  message: failure.message.slice(0, MESSAGE_MAX_CHARS) || null,
});

function movedRow({ action, session, turn, agent, code, failure }: MovedDecision, at: number): StoreRow[] {
  if (action.kind !== 'switch' && action.kind !== 'redirect') return [];
  const { from, to, position } = action;
  return [{ type: 'switched', session, turn, agent, from, to, position, kind: failure?.kind ?? null, code, at }];
}

type MovedDecision = FactOf<'speaker.moved'>['decision'];
