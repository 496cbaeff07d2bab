/**
 * The fallback engine: decides which model speaks next, from facts alone.
 *
 * Pure by construction (built with no DOM and no Node types): time and chance arrive as arguments, decisions leave as
 * values, and every host replays the same log to the same state.
 */
export { DEFAULT_HEALTH } from './config';
export type { AgentPlan, HealthNumbers, Policy, ScopeConfig } from './config';
export type { Considered, Decision, DecisionAction, Fact, Failure } from './decision';
export { HINT_HEADERS } from './events';
export type { DecidedAction, EngineEvent, Evidence, SyncedHealth } from './events';
export { classify } from './classify';
export { redact, redactEvidence } from './redact';
export { exportHealth, step } from './step';
export type { Step } from './step';
export { chainOf, initialState, planOf, standingOf } from './state';
export type { EngineState } from './state';
export { viewOf } from './view';
export type { EngineView } from './view';
export { nameOf, providerOf } from './ids';
export type { AttemptId, ModelId, TurnId } from './ids';
export { FAILURE_KINDS, KIND_INFO, MODEL_STATES } from './kinds';
export type { FailureClass, FailureKind, FailureScope, ModelState } from './kinds';
export { FALLBACK_ON_WORDS, narrowPolicy, POLICIES, SWIFT } from './policy';
export type { PolicyStep } from './policy';
