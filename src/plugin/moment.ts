import type { EngineState } from '../engine';
import type { Brain } from './brain';

/** The state now, and its times as wall-clock milliseconds: what rows are made from. */
export function momentOf(brain: Brain): {
  readonly state: EngineState;
  readonly now: number;
  wallOf(engineMs: number): number;
} {
  const now = brain.now();
  const wall = Date.now();
  return { state: brain.state(), now, wallOf: (engineMs) => Math.round(wall + engineMs - now) };
}
