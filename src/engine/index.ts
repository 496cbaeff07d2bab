/**
 * The fallback engine: decides which model speaks next, from facts alone.
 *
 * Pure by construction (built with no DOM and no Node types): time and chance arrive as arguments, decisions leave as
 * values, and every host replays the same log to the same state.
 */

export type { AskCommand, Question } from './ask';
export { commandIn } from './ask';
export { activeOf } from './asking';
export type { Backoff } from './backoff';
export { DEFAULT_BACKOFF } from './backoff';
export type { RetryBudget } from './budget';
export { DEFAULT_RETRY_BUDGET } from './budget';
export type { Catalogue, ModelFacts, Needs } from './catalogue';
export { vendorOf } from './catalogue';
export { classify } from './classify';
export type { Ability, AgentPlan, HealthNumbers, Policy, ScopeConfig } from './config';
export { ABILITIES, DEFAULT_HEALTH } from './config';
export type { Considered, Decision, DecisionAction, Fact, Failure, HoldTask, Note } from './decision';
export { CONTINUE_MESSAGE, HOLD_TASKS } from './decision';
export type { DecidedAction, EngineEvent, Evidence, HostEvent, PersonEvent, SyncedHealth } from './events';
export { HINT_HEADERS } from './events';
export type { AttemptId, ModelId, TurnId } from './ids';
export { nameOf, providerOf } from './ids';
export type { FailureClass, FailureKind, FailureScope, ModelState } from './kinds';
export { FAILURE_KINDS, KIND_INFO, MODEL_STATES } from './kinds';
export type { Connection } from './outage';
export { connectionOf } from './outage';
export type { PolicyStep, StepCondition } from './policy';
export { FALLBACK_ON_WORDS, narrowPolicy, STEP_CONDITIONS } from './policy';
export { PRESETS, SWIFT } from './presets';
export { asSeenBy, isGranted, isProbeDue } from './probe';
export { redact, redactEvidence } from './redact';
export type { EngineState } from './state';
export { chainOf, initialState, lastFailureOf, planOf, revisionOf, standingOf } from './state';
export type { Step } from './step';
export { step } from './step';
export { exportHealth } from './sync';
export type { EngineView } from './view';
export { preferredAtIn, viewOf } from './view';
