import type { AttemptId, ModelId, TurnId } from './ids';
import type { FailureClass, FailureKind, FailureLane, FailureScope, ModelState } from './kinds';
import type { PolicyStep } from './policy';
import type { Shortage } from './window';

/** What a failed attempt was, in the engine's words. */
export type Failure = Readonly<{
  kind: FailureKind;
  class: FailureClass;
  scope: FailureScope;
  /** Which part of health it touches; a spent credit is blocked where an ordinary quota cools. */
  lane: FailureLane;
  status: number | null;
  /** Redacted, at most 500 characters. */
  message: string;
  /** How long the provider asks to be left alone, in ms; null when it said nothing. */
  hintMs: number | null;
  /** Characters of the answer that had already reached the user. */
  outputChars: number;
  /** The provider's own instruction about another try of the same request. */
  mayRetry?: boolean;
  /** The provider's failure before had the same kind, and no answer came since. */
  isRepeated?: true;
  /** The row a provider map gives this very failure, in place of the policy's. */
  steps?: readonly PolicyStep[];
}>;

/** One model of the chain, as a decision saw it. */
export type Considered = Readonly<{
  model: ModelId;
  position: number;
  verdict: 'chosen' | 'skipped' | 'failed';
  /** Stable dotted reason, for example `model.cooling`, `breaker.open`, `chain.tried`. */
  code: string;
  state: ModelState;
  /** Milliseconds from the decision until the model is usable; null when no clock will heal it or it is usable now. */
  backInMs: number | null;
}>;

/**
 * What a hold is for; absent means `hint`. `hint`, `retry`, `wait`, `restart`, `network` and `soonest` wait and then ask `to`; the others want
 * more of the host, which has said that it can (`abilities`).
 */
export const HOLD_TASKS = [
  'hint',
  'retry',
  'wait',
  'restart',
  'network',
  'soonest',
  'continue',
  'compact',
  'ask',
  'defer',
] as const;
export type HoldTask = (typeof HOLD_TASKS)[number];

/** What a model is told that stopped too early, as a synthetic part; the published words. */
export const CONTINUE_MESSAGE = '[CONTINUE] Please continue from where you left off.';

export type DecisionAction =
  | Readonly<{ kind: 'switch'; from: ModelId; to: ModelId; position: number }>
  | Readonly<{ kind: 'redirect'; from: ModelId; to: ModelId; position: number }>
  | Readonly<{ kind: 'home'; to: ModelId }>
  | Readonly<{ kind: 'keep'; to: ModelId }>
  /** The turn waits, then asks `to`: the same model, or another one where the host can do that. */
  | Readonly<{ kind: 'hold'; to: ModelId; waitMs: number; task?: HoldTask }>
  | Readonly<{ kind: 'pass' }>
  | Readonly<{ kind: 'exhausted'; soonest: Readonly<{ model: ModelId; inMs: number }> | null }>;

/** What to do now, and why. A refusal is a decision too. */
export type Decision = Readonly<{
  turn: TurnId;
  attempt: AttemptId | null;
  session: string;
  agent: string;
  action: DecisionAction;
  /** Stable dotted reason, for example `switch.rate_limit`. */
  code: string;
  failure: Failure | null;
  /** The limit before which the turn moves or waits, where it does for one. */
  short?: Shortage;
  /** Every model of the chain, in order. */
  trace: readonly Considered[];
}>;
