import type { Decision, Failure } from '../base/decision';
import type { AttemptId, HealthKey, ModelId, TurnId } from '../base/ids';
import type { FailureKind, ModelState } from '../base/kinds';
import type { BudgetLevel } from '../base/money';
import type { Shortage, WindowUnit } from '../base/window';
import type { EventOf } from './events';

export type TurnSubject = Readonly<{
  turn: TurnId;
  session: string;
  /** Root session, whose sub-agents share its budget. */
  root: string;
  directory: string;
  agent: string;
}>;

export type AttemptSubject = TurnSubject &
  Readonly<{
    attempt: AttemptId;
    /** The turn's primary; null without a turn. */
    lead: ModelId | null;
    model: ModelId;
    /** Position in the agent's chain; null outside it. Another account used as the primary has the primary's. */
    position: number | null;
    /** OpenCode's titles and compactions are `internal`. */
    purpose: 'turn' | 'internal';
  }>;

/** Times are ms from the request. */
export type AttemptEnd = Readonly<
  | { outcome: 'answered'; durationMs: number; firstTokenMs: number }
  | { outcome: 'failed'; failure: Failure; durationMs: number }
  /** `failure` if the host reported it as one. */
  | { outcome: 'aborted'; failure: Failure | null; durationMs: number | null }
  /** Its session rested or closed. */
  | { outcome: 'abandoned' }
>;

export type LifeFact = Readonly<
  /** `isAgain`: repeated message; `by` request: the engine had no event of the message. */
  | ({ type: 'turn.began'; isAgain: boolean; by: 'prompt' | 'request'; parent: string | null } & TurnSubject & {
        lead: ModelId;
        /** The model in use. */
        model: ModelId;
      })
  | ({ type: 'turn.ended' } & TurnSubject & {
        lead: ModelId;
        model: ModelId;
        switches: number;
        /** No model was available. */
        isExhausted: boolean;
        /** Model of the last response; null for none. */
        answeredBy: ModelId | null;
      })
  | ({ type: 'attempt.began'; parent: string | null } & AttemptSubject)
  | ({ type: 'attempt.ended' } & AttemptSubject & AttemptEnd)
  /** A move to another model, except back to the primary. */
  | { type: 'speaker.moved'; decision: Decision }
  /** Result of the host's attempt to carry out a move. */
  | { type: 'speaker.carried'; turn: TurnId; from: ModelId; isCarried: boolean; durationMs: number }
  /** The move failed: the agent still uses `from`. */
  | { type: 'switch.failed'; turn: TurnId; session: string; agent: string; from: ModelId; to: ModelId; reason: string }
  /** `isUnasked`: detected before a request instead of after a failure. */
  | { type: 'chain.exhausted'; decision: Decision; isUnasked: boolean }
  | { type: 'session.rested'; session: string; isClosed: boolean }
>;

export type HealthFact = Readonly<
  | {
      type: 'model.changed';
      /** As displayed. */
      model: ModelId;
      /** Key of its health, if different. */
      key?: HealthKey;
      from: ModelState;
      to: ModelState;
      /** Stable dotted reason; null when ready. */
      code: string | null;
      kind: FailureKind | null;
      /** Time until the state ends without an event; null if it does not. */
      forMs: number | null;
      /** Age of the change, if time alone caused it earlier. */
      agoMs?: number;
    }
  | { type: 'health.reset'; target: EventOf<'health.reset'>['target']; actor: string }
  /** Shadow mode: the breaker would have opened. */
  | { type: 'breaker.shadow'; model: ModelId }
  /** A late result that no longer moves the breaker of the model or the provider. */
  | { type: 'breaker.stale' | 'network.stale'; model: ModelId }
  /** A failure that no table matches; `text` is redacted. */
  | { type: 'phrase.unknown'; model: ModelId; text: string }
>;

/** User actions; `forMs` null means without end. */
export type PersonFact = Readonly<
  { actor: string } & (
    | {
        type: `manual.${'isolated' | 'released' | 'unheld' | NonNullable<EventOf<'health.held'>['state']>}`;
        model: ModelId;
        forMs: number | null;
      }
    | { type: 'pin.set'; agent: string; model: ModelId; forMs: number | null }
    | { type: 'pin.ended'; agent: string; forMs: number | null }
    | { type: 'switching.paused'; forMs: number | null }
    | { type: 'switching.resumed' }
  )
>;

/** Active agents of a session and its sub-agents. */
type Tally = { count: number; of: number };

/** Questions, and agents paused by their answers (`degraded`). */
export type CouncilFact = Readonly<
  /** `kind` is absent if no failure caused it. */
  | ({ type: 'question.put' | 'question.nudged' | 'question.skipped'; turn: TurnId } & QuestionSeat & {
        model: ModelId;
        to: ModelId | null;
        kind?: FailureKind;
        /** The budget or plan. */
        short?: Shortage;
      })
  | ({ type: 'question.answered'; actor: string; isYes: boolean } & QuestionSeat)
  | ({ type: 'speaker.degraded' | 'session.paused' } & Seat & { model: ModelId; kind?: FailureKind } & Tally)
  | ({ type: 'speaker.restored'; actor: string } & Seat & Tally)
  | ({ type: 'session.resumed'; session: string; actor: string } & Tally)
>;
type Seat = { session: string; agent: string };
type QuestionSeat = Seat & { question: string };

export type SessionFact = Readonly<
  /** `count` of `of` retries are used. */
  | ({ type: 'budget.warned' | 'budget.spent'; count: number; of: number } & Seat)
  /** At least half of the session's last requests failed, or no longer do. */
  | { type: 'session.outage' | 'session.connected'; session: string }
  /** A message is sent during an outage. */
  | ({ type: 'prompt.warned'; model: ModelId } & Seat)
  /** `session`: the one that detected it. */
  | { type: 'network.down'; session?: string }
  | { type: 'network.back'; model: ModelId }
  /** In ms. */
  | { type: 'host.resumed'; forMs: number }
  /** Another host requested a probe. */
  | { type: 'lease.answered'; model: ModelId; epoch: string; isGranted: boolean; forMs: number }
  /** A plan passed `mark`, once per window. */
  | {
      type: 'headroom.passed';
      account: HealthKey;
      model: ModelId;
      window: string;
      /** Both are null if all models of the account share it. */
      family: string | null;
      only: ModelId | null;
      unit: WindowUnit;
      lengthMs: number | null;
      /** Our own count. */
      isEstimate?: true;
      mark: number;
      used: number;
      /** Time until the reset, and until full at its pace; null if unknown. */
      resetInMs: number | null;
      fullInMs: number | null;
    }
  /** Work goes to a plan that it would use up within a day; once a day per conversation. */
  | { type: 'headroom.drains'; session: string; agent: string; model: ModelId; short: Shortage }
  /** A budget passed the part `mark`, once each. `endsInMs`: until the next period; null for none. */
  | ({ type: 'money.passed'; mark: number; endsInMs: number | null } & Omit<
      BudgetLevel,
      'isAllowed' | 'allowsUnpriced' | 'until'
    >)
  /** The user approved more spending. */
  | { type: 'money.allowed'; id: string; actor: string }
  /** `code` is stable and dotted. */
  | { type: 'event.ignored'; code: string; subject: string }
>;

/**
 * Results of a step besides its decisions. A fact is self-contained: readers need not compare states. Types are stable
 * and dotted.
 */
export type Fact = LifeFact | HealthFact | PersonFact | CouncilFact | SessionFact;
export type FactOf<Type extends Fact['type']> = Extract<Fact, { type: Type }>;
