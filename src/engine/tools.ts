export { manualOf, rootOf } from './state/read';
/**
 * Functions around decisions: read policies, display, store and exchange states, replay logs. Separate from
 * `index.ts`, so that a host that only decides does not bundle them.
 */

export { DEFAULT_BACKOFF } from './base/backoff';
export { DEFAULT_RETRY_BUDGET } from './base/budget';
export { factsOf, vendorOf } from './base/catalogue';
export { isBareRefusal } from './base/kinds';
export { FALLBACK_ON_WORDS, narrowPolicy, STEP_CONDITIONS } from './base/policy';
export { remember } from './base/remember';
export { changedKeys, each, entries, get, ownValue, set } from './base/table';
export { hiddenAgain, visible, visibleJson } from './base/visible';
export { kindOfShort, shortFor, shortNow } from './choose/headroom';
export { haltedBy, isWithin, stoppedBy } from './choose/money';
export { emptierFor, spreadNow } from './choose/spread';
export type { AccountSaid, AccountWords, Said } from './exchange/fleet';
export {
  asHeard,
  believed,
  byKind,
  changedHealth,
  contradictedIn,
  endedBy,
  endedIn,
  endOf,
  isCircuitOfAnother,
  isUsedIn,
  keyOfWord,
  mergedWords,
  ownOf,
  resumed,
  takenIn,
  wordOf,
  wordOfKey,
} from './exchange/fleet';
export type { SaidWindow } from './exchange/fleet-windows';
export { AHEAD_MAX_MS, heardWindows, isPressing, ownWindows, windowKey } from './exchange/fleet-windows';
export type { LogEntry } from './exchange/log';
export { replay } from './exchange/log';
export type { Cleared, SharedEntry, SharedHealth, SharedWords } from './exchange/shared';
export {
  asSynced,
  BLANK,
  clearedBetween,
  isNews,
  isSharedAlike,
  joined,
  mergeShared,
  NOTHING_SHARED,
  retimedEnds,
  sharedOf,
  shiftShared,
  shiftWords,
  wordsOf,
} from './exchange/shared';
export type { Restored, SavedState } from './exchange/stored';
export { restoreState, STATE_VERSION, saveState } from './exchange/stored';
export type { Outcomes, TurnEnd, WhatIf } from './exchange/what-if';
export { whatIf } from './exchange/what-if';
export { hintOf, serverTime } from './failure/hints';
export { fold, limitOf } from './failure/phrases';
export type { CompiledMap, MapEvidence, MapPhrase, ProviderMap } from './failure/provider-map';
export { compileMap, foldText, kindInMaps, mapsFor, RESET_UNITS, readingOf } from './failure/provider-map';
export { redactEvidence } from './failure/redact';
export type { Forecast } from './headroom/pace';
export { forecastOf } from './headroom/pace';
export { counts, isEstimate, isPlan, levelAt } from './headroom/window';
export { FLAPPING, isTakenOut } from './health/manual';
export type { Connection } from './health/outage';
export { connectionOf } from './health/outage';
export { pinKey, pinOf } from './health/pins';
export type { PolicyDefinition, PolicyProblem } from './policy/policy-definitions';
export { definePolicies } from './policy/policy-definitions';
export { formatStep, parseSteps } from './policy/policy-steps';
export { PRESETS } from './policy/presets';
export type { AskCommand } from './state/ask';
export { commandIn, isOfDrain, SKIP_MS, skipMsOf } from './state/ask';
export { dueFirst } from './state/estimated';
export { RESET_HEADERS } from './state/events';
export { asSeenBy, isGranted, isProbeDue, leftToAnother, returnDue } from './state/probe';
export { shiftState } from './state/shift';
export { speakerKey } from './state/state';
export { positionIn } from './state/subject';
export type { EngineView } from './state/view';
export { preferredAtIn, viewOf } from './state/view';
export { isTime } from './step/announce';
export { activeOf, isFailure } from './step/asking';
export { aged, exportHealth, reportedHealth } from './step/sync';
export { unannounced } from './step/unannounced';
