import type { Decision, Failure } from '../base/decision';
import type { AttemptId, ModelId, TurnId } from '../base/ids';
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
    /** The place of the model in the chain of whoever speaks, from 0; null outside of one. */
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

/**
 * What became of requests, turns and health, each with all that whoever keeps books of it has to know. Told by each step
 * beside `Fact` and `Note`, of which it is to take the place: nobody has to find out by a comparison of states what the
 * engine knew as it did it.
 */
export type LifeFact =
  /** `isAgain`: its message has been told before; `by` a request where the engine had not heard of the message. */
  | Readonly<
      { type: 'turn.began'; isAgain: boolean; by: 'prompt' | 'request'; parent: string | null } & TurnSubject & {
          lead: ModelId;
          /** Who speaks. */
          model: ModelId;
        }
    >
  | Readonly<
      { type: 'turn.ended' } & TurnSubject & {
          lead: ModelId;
          model: ModelId;
          switches: number;
          /** Whether it had found nobody who may be asked. */
          isExhausted: boolean;
        }
    >
  | Readonly<{ type: 'attempt.began'; parent: string | null } & AttemptSubject>
  | Readonly<{ type: 'attempt.ended' } & AttemptSubject & AttemptEnd>
  /** Another model shall speak than the one that was to; not where that is the way home. */
  | Readonly<{ type: 'speaker.moved'; decision: Decision }>
  /** The host has tried to carry a move out. */
  | Readonly<{ type: 'speaker.carried'; turn: TurnId; from: ModelId; isCarried: boolean; durationMs: number }>
  /** Nobody may be asked; `isUnasked` where that was found before a request left, and not when one failed. */
  | Readonly<{ type: 'chain.exhausted'; decision: Decision; isUnasked: boolean }>
  | Readonly<{ type: 'session.rested'; session: string; isClosed: boolean }>
  | Readonly<{ type: 'health.reset'; target: EventOf<'health.reset'>['target']; actor: string }>;
