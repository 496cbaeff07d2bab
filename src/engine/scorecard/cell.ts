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

/** Added later: their slots follow all that failure kinds may ever take. */
const LATER = [
  /** Responses whose host reports flaws. */
  'heard',
  'toolRepeats',
  'tool.permission',
  'tool.not_found',
  'tool.timeout',
  'tool.execution',
  'providerRepeats',
] as const;
const LATER_FROM = 128;

/** `kind.*` includes neutral attempts. */
export type Counter = (typeof FIGURES)[number] | (typeof LATER)[number] | `kind.${FailureKind}`;

const EARLIER: readonly Counter[] = [...FIGURES, ...FAILURE_KINDS.map((kind) => `kind.${kind}` as const)];
export const COUNTER_COUNT = LATER_FROM + LATER.length;
const SLOT = Object.fromEntries([
  ...EARLIER.map((counter, slot) => [counter, slot]),
  ...LATER.map((counter, at) => [counter, LATER_FROM + at]),
]) as Readonly<Record<Counter, number>>;

/** Whole billionths keep sums exact. */
export const NANOS = 1e9;

type Switches = readonly (readonly [to: ModelId, count: number])[];

/** One model in one hour; integers keep sums exact in any order. */
export type Cell = Readonly<{
  sums: Tally;
  answers: Histogram;
  firstTokens: Histogram;
  waits: Histogram;
  switches: Switches;
}>;

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

export function draftOf(cell: Cell): CellDraft {
  const { sums, answers, firstTokens, waits, switches } = cell;
  return { sums, answers, firstTokens, waits, switches };
}

export function bump(cell: CellDraft, counter: Counter, by = 1): void {
  if (by !== 0) cell.sums = tallied(cell.sums, SLOT[counter], by);
}

export function figure(cell: Cell, counter: Counter): number {
  return countIn(cell.sums, SLOT[counter]);
}

export function withSwitch(switches: Switches, to: ModelId, count = 1): Switches {
  const isListed = switches.some((entry) => entry[0] === to);
  return isListed
    ? switches.map((entry) => (entry[0] === to ? [to, entry[1] + count] : entry))
    : [...switches, [to, count]];
}

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
