import { type Look, PATTERNS } from '../../../renderer/app/looks';
import type { BenchmarkId } from '../contract/ranking';

const COLOURS = ['var(--accent)', 'var(--part-2)'] as const;

/**
 * Colours and patterns of a formula's benchmarks: neighbours differ in both, and no two of sixteen are the same in
 * both.
 */
export function looksOf(benchmarks: readonly BenchmarkId[]): ReadonlyMap<BenchmarkId, Look> {
  return new Map(
    benchmarks.map((benchmark, place) => {
      const turn = Math.floor(place / PATTERNS.length);
      const [colour, pattern] = [COLOURS[(place + turn) % COLOURS.length], PATTERNS[place % PATTERNS.length]];
      return [
        benchmark,
        { id: `b${place}`, colour: colour ?? COLOURS[0], pattern: pattern ?? 'solid', dash: '', mark: 'circle' },
      ];
    }),
  );
}
