import { BENCHMARK_IDS, BENCHMARKS, type BenchmarkId, DIVISOR_OF } from '../base/benchmarks';
import type { Weights } from '../base/roles';

/** Whole ten-thousandths sum to 1 without a remainder. */
const STEPS = 10_000;

export const byWeight = (benchmarks: readonly BenchmarkId[], weights: Weights): readonly BenchmarkId[] =>
  benchmarks.toSorted((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));

/** Omits zero weights. */
export function formulaTextOf(weights: Weights): string {
  const counted = BENCHMARK_IDS.filter((benchmark) => (weights[benchmark] ?? 0) > 0);
  return byWeight(counted, weights)
    .map((benchmark) => `(${normalizedText(benchmark)} * ${weights[benchmark]})`)
    .join(' + ');
}

function normalizedText(benchmark: BenchmarkId): string {
  const divisor = DIVISOR_OF[BENCHMARKS[benchmark].unit];
  return divisor === null ? benchmark : `(${benchmark} / ${divisor})`;
}

/**
 * Scales the other weights in proportion (equally if all were 0) to a sum of 1. A single benchmark stays at 1.
 * @param weight from 0 to 1, rounded to four decimals.
 * @throws RangeError if `weight` is not from 0 to 1.
 */
export function withWeight(weights: Weights, benchmark: BenchmarkId, weight: number): Weights {
  if (!(weight >= 0 && weight <= 1)) throw new RangeError(`weight must be from 0 to 1, got ${weight}`);
  return withWeights(weights, { [benchmark]: weight });
}

/**
 * As {@link withWeight} for several; without others, scales the moved weights to 1.
 * @param moved together at most 1.
 * @throws RangeError if they exceed 1.
 */
export function withWeights(weights: Weights, moved: Weights): Weights {
  const [put, others] = [idsOf(moved), idsOf(weights).filter((id) => moved[id] === undefined)];
  const own = new Map(put.map((id) => [id, Math.round((moved[id] ?? 0) * STEPS)]));
  const left = STEPS - [...own.values()].reduce((sum, steps) => sum + steps, 0);
  if (left < 0) throw new RangeError(`the sum of weights must be at most 1, got ${(STEPS - left) / STEPS}`);
  const steps = others.length === 0 ? shared(STEPS, put, moved) : new Map([...shared(left, others, weights), ...own]);
  return Object.fromEntries(
    BENCHMARK_IDS.flatMap((id) => {
      const count = steps.get(id);
      return count === undefined ? [] : [[id, count / STEPS]];
    }),
  );
}

const idsOf = (weights: Weights): readonly BenchmarkId[] => BENCHMARK_IDS.filter((id) => weights[id] !== undefined);

/** Distributes whole steps by weight; leftover steps go to the largest remainders. */
function shared(steps: number, among: readonly BenchmarkId[], weights: Weights): ReadonlyMap<BenchmarkId, number> {
  const sum = among.reduce((before, id) => before + (weights[id] ?? 0), 0);
  const shares = among.map((id) => {
    const exact = sum === 0 ? steps / among.length : (steps * (weights[id] ?? 0)) / sum;
    const whole = Math.floor(exact);
    return { id, whole, rest: exact - whole };
  });
  const left = steps - shares.reduce((before, { whole }) => before + whole, 0);
  const raised = shares.toSorted((one, other) => other.rest - one.rest).slice(0, left);
  return new Map(shares.map((share) => [share.id, share.whole + (raised.includes(share) ? 1 : 0)]));
}
