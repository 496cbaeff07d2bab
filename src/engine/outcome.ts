import type { Decision, Fact, Note } from './decision';
import type { EngineState } from './state';

/** What a part of the step did: the new state, what to do, and what became true. */
export type Outcome = Readonly<{
  state: EngineState;
  decisions: readonly Decision[];
  facts: readonly Fact[];
  notes?: readonly Note[];
}>;

const NONE: readonly never[] = [];

/** An outcome that only changes the state. */
export const silent = (state: EngineState): Outcome => ({ state, decisions: NONE, facts: NONE });

/** An event that changes nothing, and why. */
export const ignored = (state: EngineState, code: string, subject: string): Outcome => ({
  state,
  decisions: NONE,
  facts: [{ type: 'event.ignored', code, subject }],
});
