/** The engine's closed lists (kinds, states, conditions) and their phrases, for code that only displays them. */

export type { HealthKey } from './base/ids';
export { accountIn, unaccounted } from './base/ids';
export { kindPhrase } from './base/kind-phrase';
export type { FailureKind, ModelState } from './base/kinds';
export { FAILURE_KINDS, KIND_INFO, MODEL_STATES } from './base/kinds';
export type { BudgetAction, BudgetLevel, BudgetPeriod } from './base/money';
export { BUDGET_ACTIONS, BUDGET_PERIODS } from './base/money';
export type { PolicyStep } from './base/policy';
export { STEP_CONDITIONS } from './base/policy';
export type { WindowUnit } from './base/window';
export { DRAIN_MODES, SPREAD, WINDOW_UNITS } from './base/window';
export { isWithin } from './choose/money';
export { isMonth } from './headroom/window';
export { isNamed, unbooked } from './state/books';
