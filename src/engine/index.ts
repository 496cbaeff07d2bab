export { chainOf, planOf } from './state/chain';
export { isOutByHand, lastFailureOf, revisionOf, standingIn, standingOf } from './state/read';
/**
 * The fallback engine: decides which model a turn uses next.
 * Pure by construction (built without DOM and Node types): time and randomness are arguments, decisions are return
 * values, and replaying a log gives every host the same state. Functions around decisions are in `tools.ts`.
 */

export type { Backoff } from './base/backoff';
export type { RetryBudget } from './base/budget';
export type { Catalogue, ModelFacts, Needs } from './base/catalogue';
export type { Ability, AgentPlan, HealthNumbers, ScopeConfig, Unpriced } from './base/config';
export { ABILITIES, DEFAULT_FLAPPING, DEFAULT_HEALTH } from './base/config';
export type { Considered, Decision, DecisionAction, Failure, HoldTask } from './base/decision';
export { CONTINUE_MESSAGE, HOLD_TASKS } from './base/decision';
export type { AttemptId, HealthKey, ModelId, TurnId } from './base/ids';
export { accountIn, nameOf, providerOf, unaccounted } from './base/ids';
export type { FailureClass, FailureKind, FailureScope, ModelState } from './base/kinds';
export { FAILURE_KINDS, KIND_INFO, MODEL_STATES } from './base/kinds';
export type { BudgetAction, BudgetLevel, BudgetPeriod, CountedBudget } from './base/money';
export { BUDGET_ACTIONS, BUDGET_PERIODS, unpricedId } from './base/money';
export type { Policy, PolicyStep, StepCondition } from './base/policy';
export type {
  DrainMode,
  HeadroomRules,
  HeardWindow,
  SeenWindow,
  Shortage,
  Spend,
  Window,
  WindowUnit,
} from './base/window';
export { DRAIN_MODES, SPREAD, WINDOW_UNITS } from './base/window';
export { classify } from './failure/classify';
export { redact } from './failure/redact';
export { SWIFT } from './policy/swift';
export type { Question } from './state/ask';
export { accountFor, isNamed, keyIn, shownAs, unbooked } from './state/books';
export type { DecidedAction, EngineEvent, Evidence, HostEvent, PersonEvent, SyncedHealth } from './state/events';
export { FIRST_TOKEN_QUIET_MS, HINT_HEADERS, type UserPrompt } from './state/events';
export type {
  AttemptEnd,
  AttemptSubject,
  CouncilFact,
  Fact,
  FactOf,
  PersonFact,
  SessionFact,
  TurnSubject,
} from './state/facts';
export type { EngineState } from './state/state';
export { initialState } from './state/state';
export type { Step } from './step/step';
export { step } from './step/step';
