import type { ModelId } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import type { Shortage } from '../base/window';

/** `host`: it received the failure and may retry. */
export type Wait = Readonly<{
  by: 'hold' | 'host';
  model: ModelId;
  kind: FailureKind;
  status: number | null;
  since: number;
  /** Absent in older states. */
  at?: number;
  /** Null if unknown. */
  until: number | null;
  isLoop?: true;
  /** From the provider. */
  isGiven?: true;
  /** A near limit, without a failure. */
  short?: Shortage;
}>;
