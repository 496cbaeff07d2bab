/** Socket between companion and app: newline-delimited JSON, validated on both sides. */
export { BUDGETS_MAX } from './budget';
export { TAKES_CONFIG } from './config';
export type { Talk } from './council';
export { PLAYS_COUNCIL, TAKES_COUNCIL, TALK_MAX, TALK_TEXT_MAX } from './council';
export { DrillOutcome } from './drill';
export type { Noted } from './events';
export {
  asEngineEvent,
  CompanionEvent,
  HeadroomCounted,
  isNoted,
  RelayedAct,
  ScopeConfigured,
  UsageRecorded,
} from './events';
export {
  fleetText,
  HOURS_MAX,
  type MachineWords,
  NANOS_MAX,
  readFleetText,
  SummedHours,
  WORDS_MAX_BYTES,
} from './fleet';
export { isHeardWindow } from './headroom';
export {
  asEngineHealth,
  asHeardEvent,
  asSharedHealth,
  FleetHeard,
  SharedHealth,
  SharedWords,
  SyncedHealth,
} from './health';
export { transitMs } from './measures';
export type { HeadersUnknown, Parsed, SessionTitles } from './messages';
export {
  AppMessage,
  HELLO_DEADLINE_MS,
  Hello,
  MAX_LINE_BYTES,
  PeerMessage,
  PROTOCOL_VERSION,
  PROVIDER_MAX_CHARS,
  parseAppMessage,
  parsePeerMessage,
  TITLE_MAX_CHARS,
  TITLES_MAX,
  UNKNOWN_HEADERS_MAX,
  VIEWER_LINE_BYTES,
} from './messages';
export { inOlderWords, TAKES_LOGIN } from './older';
export { AGENTS_MAX, CATALOGUE_MAX, ModelFacts, ScopeConfig } from './scope';
export { isAgentName, isModelRef } from './text';
