import type { BenchRow } from './bench-row';

export async function engineBench(): Promise<BenchRow[]> {
  return [];
}
