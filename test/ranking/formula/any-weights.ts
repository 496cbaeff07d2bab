import * as fc from 'fast-check';
import { BENCHMARK_IDS } from '../../../src/features/ranking/rules/base/benchmarks';
import type { Weights } from '../../../src/features/ranking/rules/base/roles';

/** Weights of one to sixteen benchmarks, each above 0, together 1. */
export const anyWeights: fc.Arbitrary<Weights> = fc
  .tuple(
    fc.subarray(BENCHMARK_IDS, { minLength: 1 }),
    fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: BENCHMARK_IDS.length, maxLength: BENCHMARK_IDS.length }),
  )
  .map(([benchmarks, counts]) => {
    const all = benchmarks.reduce((sum, _, index) => sum + (counts[index] ?? 0), 0);
    return Object.fromEntries(benchmarks.map((benchmark, index) => [benchmark, (counts[index] ?? 0) / all]));
  });
