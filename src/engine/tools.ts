/**
 * What is done around decisions, not in them: reading policies, storing and taking in states, playing logs again. Apart
 * from the engine itself, so that a host that only decides carries none of it.
 */

export type { LogEntry, Replayed } from './log';
export { replay } from './log';
export type { PolicyDefinition, PolicyProblem } from './policy-definitions';
export { definePolicies } from './policy-definitions';
export { formatStep, parseSteps } from './policy-steps';
export type { Restored, SavedState } from './stored';
export { restoreState, STATE_VERSION, saveState } from './stored';
export type { Outcomes, WhatIf } from './what-if';
export { whatIf } from './what-if';
