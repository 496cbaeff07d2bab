import type { Considered } from './decision';
import type { ModelId } from './ids';
import type { ModelState } from './kinds';

/** A trace in which nobody is chosen: the decision does not move the turn. `code` says why the next in line was not. */
export function withoutChosen(trace: readonly Considered[], code = 'chain.later'): readonly Considered[] {
  return trace.map((entry) => (entry.verdict === 'chosen' ? { ...entry, verdict: 'skipped', code } : entry));
}

/** A trace in which `model` is chosen, also when it is not of the chain. */
export function withChosen(
  trace: readonly Considered[],
  model: ModelId,
  how: Readonly<{ position: number; state: ModelState; code: string }>,
): readonly Considered[] {
  const isTold = (entry: Considered): boolean => entry.model === model && entry.verdict === 'chosen';
  if (trace.some(isTold)) return trace;
  const others = withoutChosen(trace).filter((entry) => entry.model !== model);
  const chosen: Considered = { model, verdict: 'chosen', backInMs: null, ...how };
  return [...others, chosen].sort((a, b) => a.position - b.position);
}
