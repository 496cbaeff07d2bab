import type { BenchRow, Measured } from '../bench-row';
import { callRows } from './calls';
import { footprintRows } from './footprint';
import { laneRows } from './lanes';
import { inOwnProcess } from './own-process';

/** The engine alone, and its breaker beside cockatiel's and opossum's in the same run. */
export async function engineBench(): Promise<readonly BenchRow[]> {
  return [
    ...laneRows(),
    ...(await callRows()),
    ...(await inOwnProcess<readonly Measured[]>('steps')),
    ...(await footprintRows()),
  ];
}
