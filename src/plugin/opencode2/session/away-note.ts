import type { ModelRef } from './types';

/** What is written down of a session that is with another model. */
export type Away = Readonly<{
  v: 1;
  /** The model it shall have again. */
  home: ModelRef;
  /** Every model it was moved to since. */
  to: readonly string[];
  /** When, in Unix ms. */
  at: number;
}>;
