import type { Decision, Failure } from '../base/decision';
import type { AttemptId, HealthKey, ModelId, TurnId } from '../base/ids';
import type { FailureKind, ModelState } from '../base/kinds';
import type { BudgetLevel } from '../base/money';
import type { Shortage, WindowUnit } from '../base/window';
import type { EventOf } from './events';

export type TurnSubject = Readonly<{
  turn: TurnId;
  session: string;
  /** The root session. */
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
    /** In the agent's chain. Another account used as the primary has the primary's position. */
    position: number | null;
    purpose: 'turn' | 'internal';
  }>;

/** Times are ms from the request. */
export type AttemptEnd = Readonly<
  | { outcome: 'answered'; durationMs: number; firstTokenMs: number }
  | { outcome: 'failed'; failure: Failure; durationMs: number }
  /** `failure` if the host reported one. */
  | { outcome: 'aborted'; failure: Failure | null; durationMs: number | null }
  /** Its session rested or closed. */
  | { outcome: 'abandoned' }
>;

export type LifeFact = Readonly<
  /** `isAgain`: repeated message. `by` request: no event of the message came before. */
  | ({ type: 'turn.began'; isAgain: boolean; by: 'prompt' | 'request'; parent: string | null } & TurnSubject & {
        lead: ModelId;
        model: ModelId;
      })
  | ({ type: 'turn.ended' } & TurnSubject & {
        lead: ModelId;
        model: ModelId;
        switches: number;
        isExhausted: boolean;
        /** Model of the last response. */
        answeredBy: ModelId | null;
      })
  | ({ type: 'attempt.began'; parent: string | null } & AttemptSubject)
  | ({ type: 'attempt.ended' } & AttemptSubject & AttemptEnd)
  /** A move, except back to the primary. */
  | { type: 'speaker.moved'; decision: Decision }
  | { type: 'speaker.carried'; turn: TurnId; from: ModelId; isCarried: boolean; durationMs: number }
  /** The agent still uses `from`. */
  | { type: 'switch.failed'; turn: TurnId; session: string; agent: string; from: ModelId; to: ModelId; reason: string }
  /** `isUnasked`: before a request, not after a failure. */
  | { type: 'chain.exhausted'; decision: Decision; isUnasked: boolean }
  | { type: 'session.rested'; session: string; isClosed: boolean }
>;

export type HealthFact = Readonly<
  | {
      type: 'model.changed';
      /** As displayed. */
      model: ModelId;
      /** Key of the health, if different. */
      key?: HealthKey;
      from: ModelState;
      to: ModelState;
      /** Null when ready. */
      code: string | null;
      kind: FailureKind | null;
      /** Null if time alone does not end it. */
      forMs: number | null;
      /** Set if time alone caused the change earlier. */
      agoMs?: number;
    }
  | { type: 'health.reset'; target: EventOf<'health.reset'>['target']; actor: string }
  /** A breaker in shadow mode would have opened. */
  | { type: 'breaker.shadow'; model: ModelId }
  /** A late result that moves no breaker. */
  | { type: 'breaker.stale' | 'network.stale'; model: ModelId }
  /** A failure that no table matches; `text` is redacted. */
  | { type: 'phrase.unknown'; model: ModelId; text: string }
>;

/** `forMs` null: without end. */
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

/** Active agents, with sub-agents. */
type Tally = { count: number; of: number };

/** `degraded`: paused by an answer. */
export type CouncilFact = Readonly<
  /** `kind` is absent without a failure. */
  | ({ type: 'question.put' | 'question.nudged' | 'question.skipped'; turn: TurnId } & QuestionSeat & {
        model: ModelId;
        to: ModelId | null;
        kind?: FailureKind;
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
  /** At least half of the last requests failed, or no longer do. */
  | { type: 'session.outage' | 'session.connected'; session: string }
  /** A message is sent during an outage. */
  | ({ type: 'prompt.warned'; model: ModelId } & Seat)
  | { type: 'network.down'; session?: string }
  | { type: 'network.back'; model: ModelId }
  | { type: 'host.resumed'; forMs: number }
  | { type: 'lease.answered'; model: ModelId; epoch: string; isGranted: boolean; forMs: number }
  /** A plan passed `mark`, once per window. */
  | {
      type: 'headroom.passed';
      account: HealthKey;
      model: ModelId;
      window: string;
      /** Null if all models of the account share it. */
      family: string | null;
      only: ModelId | null;
      unit: WindowUnit;
      lengthMs: number | null;
      isEstimate?: true;
      mark: number;
      used: number;
      /** Null if unknown. */
      resetInMs: number | null;
      fullInMs: number | null;
    }
  /** The plan would be used up within a day; once a day per conversation. */
  | { type: 'headroom.drains'; session: string; agent: string; model: ModelId; short: Shortage }
  /** Once per `mark`, a part of the budget. `endsInMs`: until the next period. */
  | ({ type: 'money.passed'; mark: number; endsInMs: number | null } & Omit<
      BudgetLevel,
      'isAllowed' | 'allowsUnpriced' | 'until'
    >)
  | { type: 'money.allowed'; id: string; actor: string }
  /** `code` is stable and dotted. */
  | { type: 'event.ignored'; code: string; subject: string }
>;

/** Results of a step besides its decisions. Facts are self-contained: readers need not compare states. */
export type Fact = LifeFact | HealthFact | PersonFact | CouncilFact | SessionFact;
export type FactOf<Type extends Fact['type']> = Extract<Fact, { type: Type }>;
