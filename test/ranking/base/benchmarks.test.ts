import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BENCHMARK_IDS,
  inUnitOf,
  maximumOf,
  normalized,
  UNITS,
} from '../../../src/features/ranking/rules/base/benchmarks';
import { runs } from '../../support/runs';

describe('given the sixteen benchmarks', () => {
  it('when they are counted, then there are sixteen', () => {
    expect(BENCHMARK_IDS).toHaveLength(16);
  });

  it.each([
    ['swe_bench_pro', 43, 0.43],
    ['gpqa', 0.91, 0.91],
    ['math_index', 90, 0.9],
    ['gdpval_aa_elo', 1200, 0.6],
    ['gdpval_aa_elo', 2400, 1],
    ['context_length', 1_000_000, 0.5],
    ['context_length', 10_000_000, 1],
  ] as const)('when %s is %d, then it counts %d', (benchmark, value, share) => {
    expect(normalized(benchmark, value)).toBeCloseTo(share, 12);
  });

  it.each([
    ['gpqa', 80, 'percent', 0.8],
    ['gpqa', 0.8, 'fraction', 0.8],
    // Less than one percent stays less than one percent.
    ['hle', 0.8, 'percent', 0.008],
    ['swe_bench_pro', 0.43, 'fraction', 43],
    ['math_index', 0.9, 'fraction', null],
    ['context_length', 80, 'percent', null],
    ['gpqa', -0.1, 'fraction', null],
    ['gpqa', Number.NaN, 'fraction', null],
  ] as const)('when a source gives %s as %d %s, then it is kept as %j', (benchmark, value, unit, kept) => {
    const read = inUnitOf(benchmark, value, unit);
    if (kept === null || read === null) expect(read).toBe(kept);
    else expect(read).toBeCloseTo(kept, 12);
  });

  it('when any number of any unit is read, then it counts from 0 to 1, and more never counts less', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...BENCHMARK_IDS),
        fc.constantFrom(...UNITS),
        fc.double({ noNaN: false }),
        fc.double({ min: 0, max: 1e7, noNaN: true }),
        (benchmark, unit, one, more) => {
          const [lower, higher] = [inUnitOf(benchmark, one, unit), inUnitOf(benchmark, one + more, unit)];
          if (lower === null || higher === null) return;
          const share = normalized(benchmark, lower);
          expect(share >= 0 && share <= 1).toBe(true);
          expect(normalized(benchmark, higher)).toBeGreaterThanOrEqual(share);
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  it('when a number of its own unit is the most that counts, then it counts 1', () => {
    for (const benchmark of BENCHMARK_IDS) expect(normalized(benchmark, maximumOf(benchmark))).toBe(1);
  });
});
