/**
 * The fallback engine: decides which model speaks next, from facts alone.
 *
 * Pure by construction (built with no DOM and no Node types): time and chance arrive as arguments, decisions leave as
 * values, and every host replays the same log to the same state.
 */

export { classify } from './classify';
export type { AgentPlan, HealthNumbers, Policy, ScopeConfig } from './config';
export { DEFAULT_HEALTH } from './config';
export type { Considered, Decision, DecisionAction, Fact, Failure } from './decision';
export type { DecidedAction, EngineEvent, Evidence, SyncedHealth } from './events';
export { HINT_HEADERS } from './events';
export type { AttemptId, ModelId, TurnId } from './ids';
export { nameOf, providerOf } from './ids';
export type { FailureClass, FailureKind, FailureScope, ModelState } from './kinds';
export { FAILURE_KINDS, KIND_INFO, MODEL_STATES } from './kinds';
export type { PolicyStep } from './policy';
export { FALLBACK_ON_WORDS, narrowPolicy, POLICIES, SWIFT } from './policy';
export { redact, redactEvidence } from './redact';
export type { EngineState } from './state';
export { chainOf, initialState, planOf, standingOf } from './state';
export type { Step } from './step';
export { exportHealth, step } from './step';
export type { EngineView } from './view';
export { lastFailureOf, preferredAtIn, viewOf } from './view';
