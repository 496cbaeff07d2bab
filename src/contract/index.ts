/** What the panel and every other surface may know: one snapshot, a few questions, and the words for them. */

/** The model's own id, without the mark of health that is kept apart. */
export { MODEL_STATES, unbooked as plainModel } from '../engine/names';
export { isAddressWord } from '../features/council/rules/process/route';
export type { ResetTarget } from './act-words';
export {
  inConsequences,
  isResettable,
  outConsequences,
  questionPhrase,
  remedy,
  requestsPhrase,
  resetConsequences,
  resettable,
  stateReason,
} from './act-words';
export { LONGEST_ACT_MS, PersonAct, STAY_MS } from './acts';
export { type AgentRecord, type LiveAgent, liveRows, recordOf, recordsOf } from './agent-record';
export {
  endText,
  nameOf,
  reasonText,
  sourceOf,
  stateCounted,
  statePhrase,
  stateText,
} from './agent-record-words';
export {
  agentCells,
  agentSentences,
  agentsSincePhrase,
  agentTable,
  noTurnsPhrase,
  recentlyPhrase,
} from './agent-words';
export type { Attention, AttentionKind, Way } from './attention';
export { ATTENTION, attentionOf, worstOf } from './attention';
export type { Verdict } from './attention-words';
export {
  attentionDetail,
  attentionEnd,
  attentionTitle,
  coveredPhrase,
  donePhrase,
  protectedPhrase,
  verdict,
  wayPhrase,
} from './attention-words';
export type { BudgetRow } from './budget';
export { budgetCourse, budgetName, budgetSpent } from './budget-words';
export type { ChainNote } from './chain-words';
export {
  chainKey,
  chainNotes,
  chainOf,
  leadChangeSentence,
  leadNotes,
  priceRatio,
  remainingPhrase,
} from './chain-words';
export { choiceWords } from './choice-words';
export type { ConfigChange } from './config';
export { scopeOf, TEACHABLE_KINDS } from './config';
export type {
  CarriedData,
  CarriedName,
  Handlers,
  LinkState,
  PanelApi,
  PanelCarrier,
  PanelHost,
  PushData,
  PushName,
  QueryInput,
  QueryName,
  QueryOutput,
} from './contract';
export { answer, carried, onPush, pushes, queries } from './contract';
export type {
  CouncilFormat,
  CouncilMemberRow,
  CouncilPlan,
  CouncilQuery,
  CouncilTranscriptEntry,
  CouncilView,
} from './council';
export { COUNCIL_FORMATS } from './council';
export {
  checkPhrase,
  failureWords,
  foundPhrase,
  isOver,
  linePhrase,
  memberName,
  memberPhrase,
  retryPhrase,
  runHeadline,
  speakerPhrase,
  stageCaption,
  stageLabel,
} from './council-page-words';
export type { CouncilRunRow } from './council-run';
export { aboutRun, runNews, whenPhrase } from './council-run-words';
export {
  councilFound,
  councilName,
  councilQuestion,
  councilSpeaker,
  councilSpent,
  councilStanding,
  councilsNear,
  isUnderWay,
  isWaiting,
} from './council-words';
export type { DataInfo } from './data';
export { DemoStatus } from './demo';
export { DrillResult } from './drill';
export { readDuration } from './duration';
export type { Tellable } from './event-words';
export { eventSentence, gatheredSentence } from './event-words';
export { AskedModel, EventCounts, EventFilter, RULES_ACTOR } from './events';
export { FleetStatus } from './fleet';
export type { FleetAccountRow, MachineRow } from './fleet-page-words';
export {
  apartPhrase,
  fleetAccounts,
  fleetHeadline,
  fleetHost,
  fleetMachines,
  fleetProbes,
  heardFromPhrase,
  missingPhrase,
  probedBy,
  shortMachine,
  troublePhrase,
} from './fleet-page-words';
export type { AccountRow, Near, UnknownHeadersRow, WindowForecast, WindowRow } from './headroom';
export type { LimitOf } from './headroom-page-words';
export {
  accountsAt,
  backPhrase,
  barPhrase,
  headroomHeadline,
  isFull,
  limitKey,
  nearPlans,
  nextTurnOf,
  notesOf,
  passedPart,
  planLimits,
} from './headroom-page-words';
export {
  accountPhrase,
  agePhrase,
  budgetPhrase,
  courseOf,
  estimated,
  limitPhrase,
  nearPhrase,
  partPhrase,
  rulingOf,
  usedPhrase,
  windowPhrase,
} from './headroom-words';
export type { LimitCourse, LimitShares } from './limit-course';
export { rowIn, unseenRow } from './model-rows';
export type { Stretch } from './model-words';
export {
  breakerPhrase,
  contextPhrase,
  countedOf,
  dependantsOf,
  gonePhrase,
  OUTCOMES,
  outcomesPhrase,
  pricePhrase,
  recentPhrase,
  speakersOf,
  stretchesOf,
  timelinePhrase,
  totalsOf,
} from './model-words';
export { NO_FLEET } from './no-fleet';
export { isWorthShowing, mustBeAsked, NEWS_FOR_MS, noticeLook } from './notice-show';
export type { NoticeAct, NoticeQuestion } from './notice-words';
export { noticeActs, noticeBody, noticeTitle, noticeView } from './notice-words';
export { NoticeOutcome, NoticePush, NoticeRow } from './notices';
export { openCodeConfig, openCodeConfigText, theseusConfig, theseusConfigText } from './opencode-config';
export {
  keyText,
  ProofAnswer,
  proofText,
  SESSION_PATH,
  SessionAnswer,
  SessionQuestion,
  ticketText,
} from './panel-session';
export type { FleetPreferences, NoticeId, PreferencesInForce } from './preferences';
export { DEFAULT_PREFERENCES, FLEET_SHARES, NOTICES, Preferences, PreferencesPatch, TRAY_TITLES } from './preferences';
export { ProbeResult } from './probe';
export { probeConsequences, probeCost, probePhrase, requestPrice } from './probe-words';
export type { ProposalCode, ProposalProblem, ProposedChains, ProposedModel } from './proposal';
export { proposalPhrase, proposalProblemSentence } from './proposal-words';
export type { ProtectedAgent, Protection } from './protection';
export { protectionOf } from './protection';
export type {
  AskedPhase,
  BenchmarkId,
  BenchmarkValue,
  ChainProposal,
  Choice,
  Cost,
  LookCode,
  Phase,
  PhaseNote,
  PhaseRow,
  PhaseState,
  PlaceCode,
  ProposalNote,
  RankAnswer,
  RankChange,
  RankedRow,
  RankQuery,
  Review,
  Role,
  Run,
  RunAct,
  Tier,
  Unit,
  UnrankedCode,
  Weights,
} from './ranking';
export {
  ARTIFICIAL_ANALYSIS_CREDIT,
  ASKED_PHASES,
  BENCHMARK_IDS,
  BENCHMARKS,
  CHOICES,
  formulaTextOf,
  isBenchmark,
  isResting,
  isRole,
  normalized,
  ownUnit,
  PHASES,
  phaseOf,
  ROLES,
  rankingQueries,
  TIER_SIZES,
  TIERS,
  UNITS,
  withWeight,
} from './ranking';
export type { Headline } from './ranking-page-words';
export {
  byRank,
  rankHeadline,
  rowPrice,
  shareText,
  valueText,
  weightText,
} from './ranking-page-words';
export {
  costSentence,
  depthSentence,
  doubtPhrases,
  leadsSentence,
  livePhrase,
  lookPhrase,
  notePhrase,
  noteSentence,
  placePhrase,
  runRows,
  scoreText,
  tierName,
  unableSentence,
  unrankableSentence,
  wholePercent,
} from './ranking-words';
export { reasonPhrase, refusalPhrase } from './reason-words';
export type { RequestsSeen } from './requests-seen';
export { rulePhrase, stepsPhrase } from './rule-words';
export type { ExportFormat, Metric } from './scorecard';
export { AgentFigures, EXPORT_FORMATS, METRICS, ScorecardDocument, ScorecardRange } from './scorecard';
export type { TimelineAttempt } from './sessions';
export { ATTEMPT_OUTCOMES, SessionEntry, TimelineAxis, TimelineTurn } from './sessions';
export type { LinkName, View } from './shell';
export { GLANCE_ADDRESS, hrefOf, INBOX_VIEW, INBOX_WORD, LINKS, MAX_DETAIL, VIEWS } from './shell';
export type {
  AgentRow,
  ChainRow,
  ConfigRow,
  EventRow,
  InstanceRow,
  ModelAbilities,
  ModelHistory,
  ModelRow,
  ModelUsage,
  QuestionRow,
  SessionRow,
  SessionUsage,
} from './snapshot';
export { Snapshot } from './snapshot';
export {
  agentReason,
  homePhrase,
  modelsPhrase,
  positionPhrase,
  staleVerdict,
  statesPhrase,
} from './standing-words';
export { statusMarkdown } from './status-text';
export { stopwatch } from './stopwatch';
export type { ProjectTrust } from './trust';
export { Wanted } from './trust';
export type { UnknownPhrase } from './unknown-phrase';
export type {
  ModelUse,
  UsageAnswer,
  UsageFigures,
  UsagePart,
  UsagePoint,
  UsageRange,
  UsageSplit,
  UsageStep,
} from './usage';
export { USAGE_POINTS_MAX, USAGE_SPLITS, UsageQuestion } from './usage';
export type { UsageColumn, UsageTable, UsageUnit } from './usage-tables';
export { reasonsOf, usageTable } from './usage-tables';
export { costPhrase, moneyPhrase, tokenKinds, usagePhrase } from './usage-words';
export type { WhatIfOutcome } from './what-if';
export { HEADROOM_ACTS, POLICY_NAMES, WhatIfAnswer, WhatIfQuestion } from './what-if';
export {
  cutPhrase,
  forecastPhrases,
  stallsPhrase,
  verdictPhrase,
  whatIfCaution,
  whatIfRows,
} from './what-if-words';
export type { Noun } from './wording';
export {
  agentLabel,
  capitalized,
  clock,
  connectionLabel,
  counted,
  elapsed,
  failurePhrase,
  folderName,
  kindPhrase,
  knownFrom,
  measured,
  ownerPhrase,
  percent,
  remaining,
  shortName,
  stateLabel,
  stateWithin,
  stateWord,
  traceLabel,
  when,
} from './wording';
export type { WrittenModel } from './written-model';
export { isNamedIn, writtenModel } from './written-model';
