import type { ScopeConfig } from '../base/config';
import type { ModelId } from '../base/ids';
import { entries } from '../base/table';
import type { Standing } from '../health/standing';
import { keyBy } from './books';
import { pairOf } from './read';
import type { EngineState } from './state';

type In = Readonly<{ state: EngineState; scope: ScopeConfig | undefined; now: number }>;
type Stood = Readonly<{ model: ModelId; standing: Standing }>;

/** The provider's time has not passed yet. */
export function isTimed({ state, scope, now }: In, model: ModelId): boolean {
  const { model: own, provider } = pairOf(state, keyBy(scope, model));
  const isAwaited = entries(state.speakers).some(
    ([, { waits }]) => waits?.isGiven && waits.model === model && now < (waits.until ?? now),
  );
  return isAwaited || [own, provider].some(({ limit }) => limit?.source === 'provider' && now < limit.until);
}

/** Of the models that only estimates exclude, the one due first. */
export function dueFirst(at: In, models: readonly Stood[]): ModelId | null {
  if (!at.scope?.guessProbe) return null;
  const out = models.filter(
    ({ model, standing: { use, source, code } }) =>
      use === 'out' && source === 'estimate' && code !== 'held.open' && !isTimed(at, model),
  );
  // A model under probe comes last.
  const isProbed = ({ standing }: Stood): number => Number(standing.state === 'probing');
  const until = ({ standing }: Stood): number => standing.until ?? 0;
  const [first] = out.sort((a, b) => isProbed(a) - isProbed(b) || until(a) - until(b));
  return first?.model ?? null;
}
