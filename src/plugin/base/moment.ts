import type { EngineState } from '../../engine';
import type { Brain } from './brain';

/** The state now, and its times as wall-clock milliseconds: what rows are made from. */
export function momentOf(
  brain: Pick<Brain, 'now' | 'state'>,
  wall = Date.now(),
): {
  readonly state: EngineState;
  readonly now: number;
  wallOf(engineMs: number): number;
} {
  const now = brain.now();
  return { state: brain.state(), now, wallOf: (engineMs) => Math.round(wall + engineMs - now) };
}
