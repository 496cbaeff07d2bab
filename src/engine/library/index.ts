/**
 * The package `understudy-engine` wraps the engine around any asynchronous call; `understudy-engine/engine` is the
 * pure engine.
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
