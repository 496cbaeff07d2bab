import { emptyTally, mergeTallies, type Tally, tallied } from './tally';

export type Histogram = Tally;

/** Percentiles are exact below, and within one percent above. */
export const EXACT_BELOW_MS = 100;
/** A bin's middle is within half of this of any member. */
const GROWTH = 0.02;
/** Longer durations count as this. */
const LONGEST_MS = 86_400_000;

/** Integer addition gives the same bins on all machines; a logarithm might not. */
const BOUNDS: readonly number[] = bounds();

function bounds(): number[] {
  const list: number[] = [];
  for (let low = 0; low <= LONGEST_MS; low += Math.max(1, Math.floor(low * GROWTH))) list.push(low);
  return list;
}

export const BIN_COUNT = BOUNDS.length;

export const emptyHistogram: Histogram = emptyTally;

/** Null for an invalid duration; at most one day. */
export function countable(ms: number): number | null {
  // Adding zero removes negative zero.
  return Number.isFinite(ms) && ms >= 0 ? Math.min(LONGEST_MS, Math.round(ms) + 0) : null;
}

/** `ms` must be `countable`. */
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

export function withValue(histogram: Histogram, ms: number): Histogram {
  return tallied(histogram, binOf(ms), 1);
}

export const mergeHistograms: (a: Histogram, b: Histogram) => Histogram = mergeTallies;

export function sizeOf(histogram: Histogram): number {
  let size = 0;
  for (let at = 1; at < histogram.length; at += 2) size += histogram[at] ?? 0;
  return size;
}

/**
 * Nearest-rank percentile in ms, as the middle of its bin.
 * @param percent an integer from 1 to 100, so that the rank is exact.
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
