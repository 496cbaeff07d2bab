/**
 * The package `understudy-engine`: the engine around any asynchronous call. Its second door, `understudy-engine/engine`, is the
 * pure engine itself.
 */
export * from '../fallback/create-fallback';
export type {
  Decision,
  DecisionAction,
  Failure,
  FailureKind,
  HealthNumbers,
  ModelState,
  Policy,
  PolicyStep,
} from '../index';
export { DEFAULT_HEALTH, FAILURE_KINDS } from '../index';
export type { EngineView, ProviderMap, SavedState } from '../tools';
export { FALLBACK_ON_WORDS, PRESETS, parseSteps } from '../tools';
