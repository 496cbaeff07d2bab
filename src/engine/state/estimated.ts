import type { ScopeConfig } from '../base/config';
import type { ModelId } from '../base/ids';
import { entries } from '../base/table';
import { keyBy } from './books';
import { type EngineState, pairOf, standingOf } from './state';

type In = Readonly<{ state: EngineState; scope: ScopeConfig | undefined; now: number }>;

/** Whether a time that the provider gave is not over yet. */
export function isTimed({ state, scope, now }: In, model: ModelId): boolean {
  const { model: own, provider } = pairOf(state, keyBy(scope, model));
  const isAwaited = entries(state.speakers).some(
    ([, { waits }]) => waits?.isGiven && waits.model === model && now < (waits.until ?? now),
  );
  return isAwaited || [own, provider].some(({ limit }) => limit?.source === 'provider' && now < limit.until);
}

/** Whether only our own estimates keep a model out. */
export function isEstimated(at: In, model: ModelId): boolean {
  const { use, source, code } = standingOf(at.state, keyBy(at.scope, model), at.now);
  return use === 'out' && source === 'estimate' && code !== 'held.open' && !isTimed(at, model);
}

/** The model of a chain that a message asks although it is out: of those that only estimates keep out, the one due first. */
export function dueFirst(at: In, chain: readonly ModelId[]): ModelId | null {
  if (!at.scope?.guessProbe) return null;
  const until = (model: ModelId): number => standingOf(at.state, keyBy(at.scope, model), at.now).until ?? Infinity;
  const [first = null] = chain.filter((model) => isEstimated(at, model)).sort((a, b) => until(a) - until(b));
  return first;
}
