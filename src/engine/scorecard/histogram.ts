import { emptyTally, mergeTallies, type Tally, tallied } from './tally';

/** Counts of whole milliseconds in bins of fixed bounds, by bin. */
export type Histogram = Tally;

/** What the percentiles promise: exact below this many ms, at most one percent beside the true value above. */
export const EXACT_BELOW_MS = 100;
/** Bins grow by this share of their lower bound, so that a bin's middle is at most half of it beside any member. */
const GROWTH = 0.02;
/** Longer durations count as this long. */
const LONGEST_MS = 86_400_000;

/** Lower bounds by repeated addition of whole numbers: no logarithm, so every machine has the same bins. */
const BOUNDS: readonly number[] = bounds();

function bounds(): number[] {
  const list: number[] = [];
  for (let low = 0; low <= LONGEST_MS; low += Math.max(1, Math.floor(low * GROWTH))) list.push(low);
  return list;
}

/** Bins a histogram may have. */
export const BIN_COUNT = BOUNDS.length;

export const emptyHistogram: Histogram = emptyTally;

/** A duration as it is counted: whole ms from 0 to one day; null when it is no duration at all. */
export function countable(ms: number): number | null {
  // Adding zero turns the negative zero into the one everybody knows.
  return Number.isFinite(ms) && ms >= 0 ? Math.min(LONGEST_MS, Math.round(ms) + 0) : null;
}

/** The bin of a duration, which must be `countable`. */
export function binOf(ms: number): number {
  if (ms < EXACT_BELOW_MS) return ms;
  let low = EXACT_BELOW_MS;
  let high = BOUNDS.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((BOUNDS[middle] ?? 0) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A histogram with one more value, which must be `countable`. */
export function withValue(histogram: Histogram, ms: number): Histogram {
  return tallied(histogram, binOf(ms), 1);
}

/** Both together. */
export const mergeHistograms: (a: Histogram, b: Histogram) => Histogram = mergeTallies;

/** Values counted. */
export function sizeOf(histogram: Histogram): number {
  let size = 0;
  for (let at = 1; at < histogram.length; at += 2) size += histogram[at] ?? 0;
  return size;
}

/**
 * The nearest-rank percentile in ms: the value at rank `ceil(percent / 100 * n)`, read as the middle of its bin.
 *
 * @param percent a whole number from 1 to 100, so that the rank is exact.
 * @returns null without values.
 */
export function percentileOf(histogram: Histogram, percent: number): number | null {
  const rank = Math.ceil((percent * sizeOf(histogram)) / 100);
  let seen = 0;
  for (let at = 0; at < histogram.length; at += 2) {
    seen += histogram[at + 1] ?? 0;
    if (seen >= rank) return middleOf(histogram[at] ?? 0);
  }
  return null;
}

function middleOf(bin: number): number {
  const low = BOUNDS[bin] ?? 0;
  const next = BOUNDS[bin + 1];
  return next === undefined ? LONGEST_MS : (low + next - 1) / 2;
}
