import type { Decision } from '../base/decision';
import type { Fact, FactOf } from './facts';
import type { Draft } from './state';

/**
 * One step under way: the state it is making of the old one, and what it has to tell. Only a step has one, so the engine
 * stays a function of values; its handlers need not hand a new state to each other for every field they set.
 */
export type Work = Readonly<{
  state: Draft;
  /** Monotonic milliseconds of the host. */
  now: number;
  /** Uniform sample in [0, 1). */
  random: number;
  decisions: Decision[];
  facts: Fact[];
}>;

/** An event that changed nothing, and why. */
export type Ignored = FactOf<'event.ignored'>;

/** What a handler returns for an event that changes nothing. */
export const ignored = (code: string, subject: string): Ignored => ({ type: 'event.ignored', code, subject });
