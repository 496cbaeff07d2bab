import { describe, expect, it } from 'vitest';
import { rowOf, tableOf } from './bench-row';

describe('given 20 samples from 1 to 20, in no order', () => {
  const samples = Array.from({ length: 20 }, (_, n) => ((n * 7) % 20) + 1);

  it('when they become a row, then median and p95 are the nearest ranks 10 and 19', () => {
    expect(rowOf('a', 'ms', samples)).toEqual({ name: 'a', unit: 'ms', median: 10, p95: 19, runs: 20 });
  });

  it('when there are targets, then the median meets 10 and misses 9, and nothing is said where there is none', () => {
    const rows = [9, 10].map((target) => rowOf(`at most ${target}`, 'ms', samples, { target }));
    const table = tableOf('what', [...rows, rowOf('free', 'ms', samples), { name: 'gone', why: 'no network' }]);
    expect(table.split('\n')).toEqual([
      'what        median    p95  runs  target',
      'at most 9    10 ms  19 ms    20  9 ms, missed',
      'at most 10   10 ms  19 ms    20  10 ms, met',
      'free         10 ms  19 ms    20',
      'gone        not measured: no network',
    ]);
  });
});
