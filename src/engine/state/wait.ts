import type { ModelId } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import type { Shortage } from '../base/window';

/** What an agent's turn stands still for: a time that this engine has it wait, or its host, which has been given the failure. */
export type Wait = Readonly<{
  by: 'hold' | 'host';
  /** Whose failure it is. */
  model: ModelId;
  kind: FailureKind;
  status: number | null;
  /** Engine ms. */
  since: number;
  /** Its last failure, in engine ms; absent in older states. */
  at?: number;
  /** Engine ms at which somebody is asked again; null when nobody has said. */
  until: number | null;
  /** The message looks like one of a loop. */
  isLoop?: true;
  /** The provider gave this time. */
  isGiven?: true;
  /** Nothing has failed: a limit is about to have room again. */
  short?: Shortage;
}>;
