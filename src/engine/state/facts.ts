import type { Decision, Failure } from '../base/decision';
import type { AttemptId, HealthKey, ModelId, TurnId } from '../base/ids';
import type { FailureKind, ModelState } from '../base/kinds';
import type { BudgetLevel } from '../base/money';
import type { Shortage, WindowUnit } from '../base/window';
import type { EventOf } from './events';

/** Whose turn a fact is about, and where. */
export type TurnSubject = Readonly<{
  turn: TurnId;
  session: string;
  /** The conversation that a person began: the session itself, or the one whose sub-agent it is. */
  root: string;
  directory: string;
  agent: string;
}>;

/** A request, by whom and to whom it is made. */
export type AttemptSubject = TurnSubject &
  Readonly<{
    attempt: AttemptId;
    /** Who is to speak in its turn before all others; null for one that belongs to none. */
    lead: ModelId | null;
    model: ModelId;
    /** The place of the model in the chain of whoever speaks, from 0; null outside of one. Another account that answers as the lead has the lead's. */
    position: number | null;
    /** OpenCode's own requests, for titles and compactions, are `internal`. */
    purpose: 'turn' | 'internal';
  }>;

/** How a request ended. Times are ms from the request. */
export type AttemptEnd = Readonly<
  | { outcome: 'answered'; durationMs: number; firstTokenMs: number }
  | { outcome: 'failed'; failure: Failure; durationMs: number }
  /** Stopped by a person; `failure` where its host has told of it as one. */
  | { outcome: 'aborted'; failure: Failure | null; durationMs: number | null }
  /** Its session has come to rest, or is gone: nobody waits for it any more. */
  | { outcome: 'abandoned' }
>;

/** What became of requests, turns, speakers and sessions: what books are kept of. */
export type LifeFact = Readonly<
  /** `isAgain`: its message has been told before; `by` a request where the engine had not heard of the message. */
  | ({ type: 'turn.began'; isAgain: boolean; by: 'prompt' | 'request'; parent: string | null } & TurnSubject & {
        lead: ModelId;
        /** Who speaks. */
        model: ModelId;
      })
  | ({ type: 'turn.ended' } & TurnSubject & {
        lead: ModelId;
        model: ModelId;
        switches: number;
        /** Whether it had found nobody who may be asked. */
        isExhausted: boolean;
        /** The model that answered its last request; null where none did. */
        answeredBy: ModelId | null;
      })
  | ({ type: 'attempt.began'; parent: string | null } & AttemptSubject)
  | ({ type: 'attempt.ended' } & AttemptSubject & AttemptEnd)
  /** Another model shall speak than the one that was to; not where that is the way home. */
  | { type: 'speaker.moved'; decision: Decision }
  /** The host has tried to carry a move out, and told how long that took. */
  | { type: 'speaker.carried'; turn: TurnId; from: ModelId; isCarried: boolean; durationMs: number }
  /** It could not: the agent still speaks through the model it was to leave. */
  | { type: 'switch.failed'; turn: TurnId; session: string; agent: string; from: ModelId; to: ModelId; reason: string }
  /** Nobody may be asked; `isUnasked` where that was found before a request left, and not when one failed. */
  | { type: 'chain.exhausted'; decision: Decision; isUnasked: boolean }
  | { type: 'session.rested'; session: string; isClosed: boolean }
>;

/** What became of the health of models. */
export type HealthFact = Readonly<
  | {
      type: 'model.changed';
      /** As people are shown it. */
      model: ModelId;
      /** Where its health is kept, when not by that. */
      key?: HealthKey;
      from: ModelState;
      to: ModelState;
      /** Stable dotted reason of the new state; null when ready. */
      code: string | null;
      kind: FailureKind | null;
      /** Milliseconds from the change until the state ends by itself; null when no clock ends it. */
      forMs: number | null;
      /** How long ago it changed, in ms, where the clock told late; absent for now. */
      agoMs?: number;
    }
  | { type: 'health.reset'; target: EventOf<'health.reset'>['target']; actor: string }
  /** In shadow mode: its breaker would have opened. */
  | { type: 'breaker.shadow'; model: ModelId }
  /** A result of before a circuit opened, that of the model or of the way to its provider: it moves it no more. */
  | { type: 'breaker.stale' | 'network.stale'; model: ModelId }
  /** A failure in words that no table knows; `text` is redacted. */
  | { type: 'phrase.unknown'; model: ModelId; text: string }
>;

/** What people have set. `forMs`: ms until it ends by itself; null until somebody ends it. */
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

/** Speakers of a session and of its sub-agents: `count` of `of` are still active. */
type Tally = { count: number; of: number };

/** What becomes of questions, and of speakers that are left out of a session by their answers. */
export type CouncilFact = Readonly<
  /** `kind` is absent where no failure is behind the question. */
  | ({ type: 'question.put' | 'question.nudged' | 'question.skipped'; turn: TurnId } & QuestionSeat & {
        model: ModelId;
        to: ModelId | null;
        kind?: FailureKind;
        /** The budget it is about. */
        short?: Shortage;
      })
  | ({ type: 'question.answered'; actor: string; isYes: boolean } & QuestionSeat)
  | ({ type: 'speaker.degraded' | 'session.paused' } & Seat & { model: ModelId; kind?: FailureKind } & Tally)
  | ({ type: 'speaker.restored'; actor: string } & Seat & Tally)
  | ({ type: 'session.resumed'; session: string; actor: string } & Tally)
>;
type Seat = { session: string; agent: string };
type QuestionSeat = Seat & { question: string };

/** What a session and its host have met. */
export type SessionFact = Readonly<
  /** `count` of the `of` retries of its budget are used. */
  | ({ type: 'budget.warned' | 'budget.spent'; count: number; of: number } & Seat)
  /** At least half of the last requests of a session failed; no longer. */
  | { type: 'session.outage' | 'session.connected'; session: string }
  /** A message is sent in such an outage. */
  | ({ type: 'prompt.warned'; model: ModelId } & Seat)
  /** This machine has no network; `session` the one that found it out. */
  | { type: 'network.down'; session?: string }
  | { type: 'network.back'; model: ModelId }
  /** The host slept so many ms. */
  | { type: 'host.resumed'; forMs: number }
  /** Another host asked whether it may probe. */
  | { type: 'lease.answered'; model: ModelId; epoch: string; isGranted: boolean; forMs: number }
  /** A plan was seen to be fuller than `mark`, once for each of its windows. */
  | {
      type: 'headroom.passed';
      account: HealthKey;
      model: ModelId;
      window: string;
      /** The family of models, or the one model, that it is of; both null where all of the account share it. */
      family: string | null;
      only: ModelId | null;
      unit: WindowUnit;
      lengthMs: number | null;
      /** Nobody but ourselves has counted it. */
      isEstimate?: true;
      mark: number;
      used: number;
      /** Milliseconds until it begins anew, and until it is full at its pace; null where nobody can tell. */
      resetInMs: number | null;
      fullInMs: number | null;
    }
  /** A turn goes to a plan that its work would use up within a day; told once a day of each conversation. */
  | { type: 'headroom.drains'; session: string; agent: string; model: ModelId; short: Shortage }
  /** So much of a budget is spent, told once each: `mark` is a part of it. `endsInMs`: until it begins anew; null for one that does not. */
  | ({ type: 'money.passed'; mark: number; endsInMs: number | null } & Omit<
      BudgetLevel,
      'isAllowed' | 'allowsUnpriced' | 'until'
    >)
  /** A person has said to go on beyond a budget. */
  | { type: 'money.allowed'; id: string; actor: string }
  /** An event changed nothing. `code` is stable and dotted. */
  | { type: 'event.ignored'; code: string; subject: string }
>;

/**
 * What a step of the engine has to tell beside its decisions: what became of requests, turns and health, and what people
 * and hosts have set or met. Each fact names all that whoever reads it has to know: nobody has to find out by a comparison of
 * states what the engine knew as it did it. Types are stable and dotted.
 */
export type Fact = LifeFact | HealthFact | PersonFact | CouncilFact | SessionFact;
export type FactOf<Type extends Fact['type']> = Extract<Fact, { type: Type }>;
