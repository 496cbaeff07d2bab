import type { EngineEvent, EngineState, Step } from '../../engine';
import type { Alert } from '../../engine/scorecard';

/** An engine step as projections receive it. Times are ms. */
export type TakenStep = Readonly<{
  event: EngineEvent;
  result: Step;
  before: EngineState;
  after: EngineState;
  /** Engine and wall time of the step, and the conversion from one to the other. */
  now: number;
  wall: number;
  wallOf(engineMs: number): number;
  /** The companion that sent it; null for the core's own events. */
  source: string | null;
  /** From an earlier run, replayed from the log. */
  isReplayed: boolean;
  /** Set if the number of failures has reached an alert with this step. */
  alert: Alert | null;
}>;

/** State derived from the steps; the same steps in the same order give the same state. */
export type Projection<Part = TakenStep> = Readonly<{
  hear(taken: Part): void;
  /** Resets the state: all records were deleted. */
  forget(): void;
}>;
