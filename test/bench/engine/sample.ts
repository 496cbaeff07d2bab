/** Samples of each row. */
export const SAMPLES = 300;
const WARM_UPS = 30;

/** Nanoseconds per unit of work of `run`, which does `units` of it: one call alone is shorter than the clock's grain. */
export function sampled(run: () => void, units: number): number[] {
  for (let round = 0; round < WARM_UPS; round++) run();
  return Array.from({ length: SAMPLES }, () => {
    const startedAt = performance.now();
    run();
    return ((performance.now() - startedAt) * 1_000_000) / units;
  });
}

/** The same for work that is awaited, in fewer samples. */
export async function sampledAsync(run: () => Promise<void>, units: number): Promise<number[]> {
  const samples: number[] = [];
  for (let round = -WARM_UPS / 5; round < SAMPLES / 5; round++) {
    const startedAt = performance.now();
    await run();
    if (round >= 0) samples.push(((performance.now() - startedAt) * 1_000_000) / units);
  }
  return samples;
}

/** Nanoseconds as microseconds. */
export const inMicroseconds = (samples: readonly number[]): number[] => samples.map((ns) => ns / 1_000);
