/**
 * The fallback engine: decides which model speaks next, from facts alone.
 *
 * Pure by construction (built with no DOM and no Node types): time and chance arrive as arguments, decisions leave as
 * values, and every host replays the same log to the same state. What is done around decisions is in `tools.ts`.
 */

export type { Question } from './ask';
export type { Backoff } from './backoff';
export { isNamed, keyIn, unbooked } from './books';
export type { RetryBudget } from './budget';
export type { Catalogue, ModelFacts, Needs } from './catalogue';
export { classify } from './classify';
export type { Ability, AgentPlan, HealthNumbers, ScopeConfig } from './config';
export { ABILITIES, DEFAULT_HEALTH } from './config';
export type { Considered, Decision, DecisionAction, Fact, Failure, HoldTask, Note } from './decision';
export { CONTINUE_MESSAGE, HOLD_TASKS } from './decision';
export type { DecidedAction, EngineEvent, Evidence, HostEvent, PersonEvent, SyncedHealth } from './events';
export { HINT_HEADERS } from './events';
export type { AttemptEnd, AttemptSubject, LifeFact, TurnSubject } from './facts';
export type { AttemptId, HealthKey, ModelId, TurnId } from './ids';
export { nameOf, providerOf } from './ids';
export type { FailureClass, FailureKind, FailureScope, ModelState } from './kinds';
export { FAILURE_KINDS, KIND_INFO, MODEL_STATES } from './kinds';
export type { Policy, PolicyStep, StepCondition } from './policy';
export { redact } from './redact';
export type { EngineState } from './state';
export { chainOf, initialState, isOutByHand, lastFailureOf, planOf, revisionOf, standingIn, standingOf } from './state';
export type { Step } from './step';
export { step } from './step';
export { SWIFT } from './swift';
