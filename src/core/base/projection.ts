import type { EngineEvent, EngineState, Step } from '../../engine';
import type { Alert } from '../../engine/scorecard';

/** Times are ms. */
export type TakenStep = Readonly<{
  event: EngineEvent;
  result: Step;
  before: EngineState;
  after: EngineState;
  now: number;
  wall: number;
  wallOf(engineMs: number): number;
  source: string | null;
  isReplayed: boolean;
  /** Set if an alert begins with this step. */
  alert: Alert | null;
}>;

/** The same steps in the same order must give the same state. */
export type Projection<Part = TakenStep> = Readonly<{
  hear(taken: Part): void;
  forget(): void;
}>;
