import type { EngineState } from '../../engine';
import type { Brain } from './brain';

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
