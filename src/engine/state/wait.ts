import type { ModelId } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import type { Shortage } from '../base/window';

/** `host`: it received the failure. */
export type Wait = Readonly<{
  by: 'hold' | 'host';
  model: ModelId;
  kind: FailureKind;
  status: number | null;
  /** Engine ms. */
  since: number;
  /** Absent in older states. */
  at?: number;
  /** Null if unknown. */
  until: number | null;
  isLoop?: true;
  /** From the provider. */
  isGiven?: true;
  /** Without a failure. */
  short?: Shortage;
}>;
