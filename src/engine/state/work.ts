import type { Decision } from '../base/decision';
import type { Fact, FactOf } from './facts';
import type { Draft } from './state';

/** Handlers of a step change its draft; the engine stays a function of values. */
export type Work = Readonly<{
  state: Draft;
  /** Monotonic ms of the host. */
  now: number;
  random: number;
  decisions: Decision[];
  facts: Fact[];
}>;

export type Ignored = FactOf<'event.ignored'>;

export const ignored = (code: string, subject: string): Ignored => ({ type: 'event.ignored', code, subject });
