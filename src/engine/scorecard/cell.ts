import type { ModelId } from '../base/ids';
import { FAILURE_KINDS, type FailureKind } from '../base/kinds';
import { emptyHistogram, type Histogram, mergeHistograms } from './histogram';
import { countIn, emptyTally, mergeTallies, type Tally, tallied } from './tally';

const FIGURES = [
  'attempts',
  'inFlight',
  'success',
  'slow',
  'failure',
  'limited',
  'neutral',
  'abandoned',
  'answeredMs',
  'tokensInput',
  'tokensOutput',
  'tokensReasoning',
  'tokensCacheRead',
  'tokensCacheWrite',
  'usages',
  'priced',
  'costNanos',
  'breakerTrips',
  'networkTrips',
  'fallbacksIn',
  'fallbacksOut',
  'switchesFailed',
  'retries',
  'waitedMs',
  'lostMs',
  'savedMs',
  'savedStatedMs',
  'turns',
  'turnsOpen',
  'turnsAnswered',
  'turnsFailed',
  'turnsNeutral',
  'turnsFirstTry',
  'turnsByLead',
  'turnsSaved',
  'turnsSpared',
  'turnsWithoutClock',
  'rescues',
  'exhausted',
  'continued',
  'toolErrors',
  'tool.validation',
] as const;

/** What has been added since cells are stored: their places are behind all that the kinds of failures may ever take. */
const LATER = [
  /** Answers of which a host would have told the flaws. */
  'heard',
  'toolRepeats',
  'tool.permission',
  'tool.not_found',
  'tool.timeout',
  'tool.execution',
  'providerRepeats',
] as const;
const LATER_FROM = 128;

/** A figure that adds up. `kind.*` counts failed attempts by kind, neutral ones included. */
export type Counter = (typeof FIGURES)[number] | (typeof LATER)[number] | `kind.${FailureKind}`;

const EARLIER: readonly Counter[] = [...FIGURES, ...FAILURE_KINDS.map((kind) => `kind.${kind}` as const)];
/** One more than the highest place of a figure in a cell. */
export const COUNTER_COUNT = LATER_FROM + LATER.length;
const SLOT = Object.fromEntries([
  ...EARLIER.map((counter, slot) => [counter, slot]),
  ...LATER.map((counter, at) => [counter, LATER_FROM + at]),
]) as Readonly<Record<Counter, number>>;

/** Costs are kept as whole billionths, so that sums are exact. */
export const NANOS = 1e9;

type Switches = readonly (readonly [to: ModelId, count: number])[];

/** The figures of one model in one hour. All are whole numbers, so that sums are exact in any order. */
export type Cell = Readonly<{
  sums: Tally;
  answers: Histogram;
  firstTokens: Histogram;
  waits: Histogram;
  switches: Switches;
}>;

/** A cell while one step writes to it. */
export type CellDraft = {
  sums: Tally;
  answers: Histogram;
  firstTokens: Histogram;
  waits: Histogram;
  switches: Switches;
};

export const emptyCell: Cell = {
  sums: emptyTally,
  answers: emptyHistogram,
  firstTokens: emptyHistogram,
  waits: emptyHistogram,
  switches: [],
};

/** A copy that may be written to. */
export function draftOf(cell: Cell): CellDraft {
  const { sums, answers, firstTokens, waits, switches } = cell;
  return { sums, answers, firstTokens, waits, switches };
}

/** Adds to one figure. */
export function bump(cell: CellDraft, counter: Counter, by = 1): void {
  if (by !== 0) cell.sums = tallied(cell.sums, SLOT[counter], by);
}

export function figure(cell: Cell, counter: Counter): number {
  return countIn(cell.sums, SLOT[counter]);
}

/** Switches with `count` more of them to `to`. */
export function withSwitch(switches: Switches, to: ModelId, count = 1): Switches {
  const known = switches.some((entry) => entry[0] === to);
  return known
    ? switches.map((entry) => (entry[0] === to ? [to, entry[1] + count] : entry))
    : [...switches, [to, count]];
}

/** Both together. */
export function mergeCells(a: Cell, b: Cell): Cell {
  if (a === emptyCell) return b;
  return {
    sums: mergeTallies(a.sums, b.sums),
    answers: mergeHistograms(a.answers, b.answers),
    firstTokens: mergeHistograms(a.firstTokens, b.firstTokens),
    waits: mergeHistograms(a.waits, b.waits),
    switches: b.switches.reduce((all, [to, count]) => withSwitch(all, to, count), a.switches),
  };
}
