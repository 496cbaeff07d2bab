import type { ModelRef } from './types';

/** Stored for a moved session. */
export type Away = Readonly<{
  v: 1;
  home: ModelRef;
  to: readonly string[];
  /** Unix ms. */
  at: number;
}>;
