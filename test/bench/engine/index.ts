import type { BenchRow } from '../bench-row';
import { callRows } from './calls';
import { footprintRows } from './footprint';
import { laneRows } from './lanes';
import { stepRows } from './steps';

/** The engine alone, and its breaker beside cockatiel's and opossum's in the same run. */
export async function engineBench(): Promise<readonly BenchRow[]> {
  return [...laneRows(), ...(await callRows()), ...stepRows(), ...(await footprintRows())];
}
