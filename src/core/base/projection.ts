import type { EngineEvent, EngineState, Step } from '../../engine';
import type { Alert } from '../../engine/scorecard';

/** A step of the engine, as whoever keeps something of it takes it in. Times are ms. */
export type TakenStep = Readonly<{
  event: EngineEvent;
  result: Step;
  before: EngineState;
  after: EngineState;
  /** When it happened, by the engine's clock and by the wall clock, and how the one is told by the other. */
  now: number;
  wall: number;
  wallOf(engineMs: number): number;
  /** The companion it came from; null for what the core itself has seen or done. */
  source: string | null;
  /** It happened in an earlier life. */
  isReplayed: boolean;
  /** Failures have become so many with it that somebody is to be told. */
  alert: Alert | null;
}>;

/** Something that is kept of what happens: fed with every step in order, it comes to the same in every life. */
export type Projection<Part = TakenStep> = Readonly<{
  hear(taken: Part): void;
  /** Begins anew: all that was recorded has been deleted. */
  forget(): void;
}>;
