import type { Considered } from './decision';

/** For a decision that does not move the turn; `code` is the reason. */
export function withoutChosen(trace: readonly Considered[], code = 'chain.later'): readonly Considered[] {
  return trace.map((entry) => (entry.verdict === 'chosen' ? { ...entry, verdict: 'skipped', code } : entry));
}

/** The model may be outside the chain. */
export function withChosen(
  trace: readonly Considered[],
  { model, position, state, code }: Pick<Considered, 'model' | 'position' | 'state' | 'code'>,
): readonly Considered[] {
  if (trace.some((entry) => entry.model === model && entry.verdict === 'chosen')) return trace;
  const others = withoutChosen(trace).filter((entry) => entry.model !== model);
  const chosen: Considered = { model, position, verdict: 'chosen', code, state, backInMs: null };
  return [...others, chosen].sort((a, b) => a.position - b.position);
}

export function withFailed(
  trace: readonly Considered[],
  { model, code, state }: Pick<Considered, 'model' | 'code' | 'state'>,
): readonly Considered[] {
  const isOfChain = trace.some((entry) => entry.model === model);
  if (isOfChain) return trace.map((entry) => (entry.model === model ? { ...entry, code } : entry));
  return [...trace, { model, position: trace.length, verdict: 'failed', code, state, backInMs: null }];
}
