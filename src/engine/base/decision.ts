import type { AttemptId, ModelId, TurnId } from './ids';
import type { FailureClass, FailureKind, FailureLane, FailureScope, ModelState } from './kinds';
import type { PolicyStep } from './policy';
import type { Shortage } from './window';

export type Failure = Readonly<{
  kind: FailureKind;
  class: FailureClass;
  scope: FailureScope;
  /** Exhausted credit is `blocked`; an ordinary quota cools down. */
  lane: FailureLane;
  status: number | null;
  /** Redacted, at most 500 characters. */
  message: string;
  /** Requested by the provider; null if none. */
  hintMs: number | null;
  /** Already received by the user. */
  outputChars: number;
  /** Instruction from the provider. */
  mayRetry?: boolean;
  /** Same kind as the provider's previous failure, with no response since. */
  isRepeated?: true;
  /** Replaces the policy's row. */
  steps?: readonly PolicyStep[];
}>;

export type Considered = Readonly<{
  model: ModelId;
  position: number;
  verdict: 'chosen' | 'skipped' | 'failed';
  /** For example `model.cooling`, `breaker.open`, `chain.tried`. */
  code: string;
  state: ModelState;
  /** Null if available now, or if time alone does not help. */
  backInMs: number | null;
}>;

/**
 * Absent means `hint`. `hint`, `retry`, `wait`, `restart`, `network` and `soonest` wait and then call `to`; others
 * need an ability of the host.
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

/** Published text for a model that stopped too early. */
export const CONTINUE_MESSAGE = '[CONTINUE] Please continue from where you left off.';

export type DecisionAction =
  | Readonly<{ kind: 'switch'; from: ModelId; to: ModelId; position: number }>
  | Readonly<{ kind: 'redirect'; from: ModelId; to: ModelId; position: number }>
  | Readonly<{ kind: 'home'; to: ModelId }>
  | Readonly<{ kind: 'keep'; to: ModelId }>
  /** The turn waits, then calls `to`: the same model, or another one if the host supports it. */
  | Readonly<{ kind: 'hold'; to: ModelId; waitMs: number; task?: HoldTask }>
  | Readonly<{ kind: 'pass' }>
  | Readonly<{ kind: 'exhausted'; soonest: Readonly<{ model: ModelId; inMs: number }> | null }>;

export type Decision = Readonly<{
  turn: TurnId;
  attempt: AttemptId | null;
  session: string;
  agent: string;
  action: DecisionAction;
  /** For example `switch.rate_limit`. */
  code: string;
  failure: Failure | null;
  /** The limit that makes the turn move or wait. */
  short?: Shortage;
  trace: readonly Considered[];
}>;
