/**
 * Statistics of the engine's steps by model, session and hour. A pure fold: a rebuild from the log gives the same
 * figures.
 */

export type { Advice, SwitchPattern } from './advice';
export type { Alert } from './alert';
export { ALERT_FAILURES, ALERT_WINDOW_MS, alertAt, newAlert } from './alert';
export type { Scorecard, ScorecardOptions } from './card';
export { DEFAULT_SCORECARD_OPTIONS, emptyScorecard, hourFrom, hourOf, startOf } from './card';
export type { Cell } from './cell';
export { figure, NANOS } from './cell';
export type {
  AnswerContinued,
  ScorecardEvent,
  ScorecardStep,
  Tokens,
  ToolFailed,
  ToolReason,
  UsageRecorded,
} from './input';
export { TOOL_REASONS } from './input';
export type { CellRow, OpenPart } from './parts';
export { cardFrom, cellsIn, changedCells, ledgerOf, openPartOf } from './parts';
export { outcomeOf, record, recordAll } from './record';
export type { ScorecardQuery, ScorecardReport } from './report';
export { reportOf, scorecardOf, sessionsIn } from './report';
export type { ErrorFigures, Figures, ModelRow } from './row';
export type { FiguresSum } from './sum';
export { createFiguresSum } from './sum';
export { createTimesSum, type TimesSum } from './times';
export { unwatchedCell } from './used';
export type { Rate } from './wilson';
export { rateOf } from './wilson';
