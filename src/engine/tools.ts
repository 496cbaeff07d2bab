/**
 * What is done around decisions, not in them: reading policies, showing, storing and exchanging states, playing logs
 * again. Apart from the engine itself, so that a host that only decides carries none of it.
 */

export type { AskCommand } from './ask';
export { commandIn } from './ask';
export { activeOf, isFailure } from './asking';
export { DEFAULT_BACKOFF } from './backoff';
export { DEFAULT_RETRY_BUDGET } from './budget';
export { vendorOf } from './catalogue';
export type { LogEntry, Replayed } from './log';
export { replay } from './log';
export type { Connection } from './outage';
export { connectionOf } from './outage';
export { FALLBACK_ON_WORDS, narrowPolicy, STEP_CONDITIONS } from './policy';
export type { PolicyDefinition, PolicyProblem } from './policy-definitions';
export { definePolicies } from './policy-definitions';
export { formatStep, parseSteps } from './policy-steps';
export { PRESETS } from './presets';
export { asSeenBy, isGranted, isProbeDue } from './probe';
export { redactEvidence } from './redact';
export type { Cleared, SharedEntry, SharedHealth, SharedWords } from './shared';
export {
  asSynced,
  clearedBetween,
  isNews,
  joined,
  mergeShared,
  NOTHING_SHARED,
  sharedOf,
  shiftShared,
  shiftWords,
  wordsOf,
} from './shared';
export { shiftState } from './shift';
export { rootOf, speakerKey } from './state';
export type { Restored, SavedState } from './stored';
export { restoreState, STATE_VERSION, saveState } from './stored';
export { positionIn } from './subject';
export { aged, exportHealth } from './sync';
export type { EngineView } from './view';
export { preferredAtIn, viewOf } from './view';
export type { Outcomes, WhatIf } from './what-if';
export { whatIf } from './what-if';
