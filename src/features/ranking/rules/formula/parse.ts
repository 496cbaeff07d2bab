import { BENCHMARK_IDS } from '../base/benchmarks';
import type { Weights } from '../base/roles';
import type { Formula } from './formula';
import { type Linear, linearOf } from './linear';
import { isFault, readTree, respelled } from './syntax';
import { benchmarksIn } from './tree';

/** What weights together may be off from 1: a millionth moves no score that is shown. */
const SUM_TOLERANCE = 1e-6;
const NEGLIGIBLE = 1e-9;
/** Digits after which a weight is only such a remainder: .1 + .2 is .3. */
const WEIGHT_DIGITS = 12;

/** A formula, or in words for a person why it is none, and where (0-based; 0 where it is the formula as a whole). */
export type ParsedFormula =
  | Readonly<{ ok: true; formula: Formula }>
  | Readonly<{ ok: false; reason: string; at: number }>;

/**
 * Reads and checks a formula. In it a benchmark means its number in its own unit, at most what counts of it, so that an index
 * stands as `math_index / MAX_INDEX_SCORE`. Never throws.
 */
export function parseFormula(text: string): ParsedFormula {
  const tree = readTree(text);
  if (isFault(tree)) return { ok: false, ...tree };
  const named = benchmarksIn(tree);
  if (named.size === 0) return { ok: false, reason: 'A formula must name at least one benchmark.', at: 0 };
  const linear = linearOf(tree);
  const reason = linear === null ? null : faultOf(linear);
  if (reason !== null) return { ok: false, reason, at: 0 };
  const benchmarks = BENCHMARK_IDS.filter((benchmark) => named.has(benchmark));
  const weights = linear === null ? null : weightsOf(linear);
  return { ok: true, formula: { text: respelled(text.trim()), tree, benchmarks, weights } };
}

function faultOf({ constant, slopes }: Linear): string | null {
  const weights = [...slopes.values()];
  const sum = weights.reduce((before, weight) => before + weight, 0);
  if (![constant, ...weights, sum].every(Number.isFinite)) return 'The numbers in it are too large to count with.';
  const negative = [...slopes].find(([, weight]) => weight < -NEGLIGIBLE);
  if (negative !== undefined) return `The weight of ${negative[0]} is ${shown(negative[1])} and must not be below 0.`;
  if (Math.abs(constant) >= NEGLIGIBLE) return `${shown(constant)} is added and weighs no benchmark.`;
  if (Math.abs(sum - 1) > SUM_TOLERANCE) return `The weights come to ${shown(sum)} and must come to 1.`;
  return null;
}

function weightsOf({ slopes }: Linear): Weights {
  const counted = BENCHMARK_IDS.flatMap((benchmark) => {
    const weight = slopes.get(benchmark) ?? 0;
    return weight < NEGLIGIBLE ? [] : [[benchmark, Number(weight.toFixed(WEIGHT_DIGITS))]];
  });
  return Object.fromEntries(counted);
}

/** Enough digits to tell it from what it should be. */
const shown = (value: number): number => Number(value.toPrecision(7));
