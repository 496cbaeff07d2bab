import { BIN_COUNT, binOf, countable, percentileOf } from './histogram';
import { tallyOf } from './sum';

export type TimesSum = Readonly<{
  add(durationMs: number): void;
  figures(): Readonly<{ avgResponseTimeMs: number | null; p50Ms: number | null; p95Ms: number | null }>;
}>;

export function createTimesSum(): TimesSum {
  const counts = new Float64Array(BIN_COUNT);
  let count = 0;
  let allMs = 0;
  return {
    add(durationMs) {
      const counted = countable(durationMs);
      if (counted === null) return;
      const bin = binOf(counted);
      counts[bin] = (counts[bin] ?? 0) + 1;
      count++;
      allMs += counted;
    },
    figures() {
      const times = tallyOf(counts);
      const avgResponseTimeMs = count === 0 ? null : allMs / count;
      return { avgResponseTimeMs, p50Ms: percentileOf(times, 50), p95Ms: percentileOf(times, 95) };
    },
  };
}
