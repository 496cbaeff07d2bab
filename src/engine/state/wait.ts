import type { ModelId } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import type { Shortage } from '../base/window';

/** Reason for a waiting turn: this engine's hold, or the host that received the failure. */
export type Wait = Readonly<{
  by: 'hold' | 'host';
  model: ModelId;
  kind: FailureKind;
  status: number | null;
  /** Engine ms. */
  since: number;
  /** Last failure, engine ms; absent in older states. */
  at?: number;
  /** Next request, engine ms; null if unknown. */
  until: number | null;
  /** The message looks like a loop's. */
  isLoop?: true;
  /** Time from the provider. */
  isGiven?: true;
  /** No failure: a limit is about to have room. */
  short?: Shortage;
}>;
