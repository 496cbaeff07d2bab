import { describe, expect, it } from 'vitest';
import { BENCHMARK_IDS, type BenchmarkValue } from '../../src/features/ranking/contract/ranking';
import { type HeatRow, shadesOf } from '../../src/features/ranking/renderer/heat';
import { looksOf } from '../../src/features/ranking/renderer/looks';

describe('given all sixteen benchmarks in one formula', () => {
  it('when they are drawn, then no two look alike, and neighbours differ in pattern', () => {
    const looks = [...looksOf(BENCHMARK_IDS).values()];
    expect(new Set(looks.map(({ colour, pattern }) => `${colour} ${pattern}`)).size).toBe(16);
    expect(new Set(looks.map(({ id }) => id)).size).toBe(16);
    for (const [place, { pattern }] of looks.entries()) expect(pattern).not.toBe(looks[place + 1]?.pattern);
  });
});

describe('given a column of values', () => {
  const value = (share: number): BenchmarkValue => ({
    ...{ record: 'm', benchmark: 'gpqa', value: share, unit: 'fraction', source: 'invented', date: null },
    ...{ kind: 'published', origin: 'import', note: null },
  });
  const rows = (...shares: number[]): HeatRow[] =>
    shares.map((share) => ({
      ...{ model: `m/${share}`, record: 'm', ranked: null },
      values: new Map([['gpqa', value(share)]]),
    }));

  it('when they are shaded, then the lowest is lightest, the highest darkest, and one in between in between', () => {
    const shade = shadesOf(rows(0.2, 0.5, 0.9), 'gpqa');
    expect([0.2, 0.5, 0.9].map((share) => shade(value(share)))).toEqual([0, 2, 4]);
  });

  it('when there is but one, or all are equal, then none is said to be high or low', () => {
    expect(shadesOf(rows(0.7), 'gpqa')(value(0.7))).toBe(2);
    expect(shadesOf(rows(0.7, 0.7), 'gpqa')(value(0.7))).toBe(2);
  });
});
