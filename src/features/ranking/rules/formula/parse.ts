import { BENCHMARK_IDS } from '../base/benchmarks';
import type { Weights } from '../base/roles';
import type { Formula } from './formula';
import { type Linear, linearOf } from './linear';
import { isFault, readTree, respelled } from './syntax';
import { benchmarksIn } from './tree';

/** Changes no displayed score. */
const SUM_TOLERANCE = 1e-6;
const NEGLIGIBLE = 1e-9;
/** Further digits are rounding errors: .1 + .2 is .3. */
const WEIGHT_DIGITS = 12;

/** A formula, or an error for the user with its 0-based position (0 for the whole formula). */
export type ParsedFormula =
  | Readonly<{ ok: true; formula: Formula }>
  | Readonly<{ ok: false; reason: string; at: number }>;

/**
 * A benchmark stands for its capped number in its own unit, so an index is written `math_index / MAX_INDEX_SCORE`.
 * Never throws.
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
  if (![constant, ...weights, sum].every(Number.isFinite)) return 'The numbers in the formula are too large.';
  const negative = [...slopes].find(([, weight]) => weight < -NEGLIGIBLE);
  if (negative !== undefined) return `The weight of ${negative[0]} is ${shown(negative[1])} and must not be below 0.`;
  if (Math.abs(constant) >= NEGLIGIBLE) return `${shown(constant)} is added without a benchmark.`;
  if (Math.abs(sum - 1) > SUM_TOLERANCE) return `The sum of the weights is ${shown(sum)} and must be 1.`;
  return null;
}

function weightsOf({ slopes }: Linear): Weights {
  const counted = BENCHMARK_IDS.flatMap((benchmark) => {
    const weight = slopes.get(benchmark) ?? 0;
    return weight < NEGLIGIBLE ? [] : [[benchmark, Number(weight.toFixed(WEIGHT_DIGITS))]];
  });
  return Object.fromEntries(counted);
}

const shown = (value: number): number => Number(value.toPrecision(7));
