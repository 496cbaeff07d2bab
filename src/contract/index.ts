/** What the panel and every other surface may know: one snapshot, a few questions, and the words for them. */

export { PersonAct } from './acts';
export type {
  Handlers,
  LinkState,
  PanelApi,
  PanelHost,
  PushData,
  PushName,
  QueryInput,
  QueryName,
  QueryOutput,
} from './contract';
export { answer, pushes, queries } from './contract';
export { DrillResult } from './drill';
export type { Tellable } from './event-words';
export { eventSentence, gatheredSentence } from './event-words';
export { reasonPhrase, refusalPhrase } from './reason-words';
export type {
  AgentRow,
  ChainRow,
  ConfigRow,
  EventRow,
  InstanceRow,
  ModelRow,
  ModelUsage,
  SessionRow,
  SessionUsage,
} from './snapshot';
export { Snapshot } from './snapshot';
export { statusMarkdown, statusText } from './status-text';
export type { UnknownPhrase } from './unknown-phrase';
export { costPhrase, tokenKinds, usagePhrase } from './usage-words';
export {
  agentLabel,
  agentReason,
  CONNECTION_LABELS,
  chainCaution,
  clock,
  counted,
  elapsed,
  failurePhrase,
  homePhrase,
  kindPhrase,
  modelsPhrase,
  OWNER_PHRASES,
  positionPhrase,
  remaining,
  STATE_LABELS,
  shortName,
  staleVerdict,
  stateLabel,
  statesPhrase,
  TRACE_LABELS,
  verdict,
} from './wording';
