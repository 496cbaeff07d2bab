import type { ModelId } from '../../engine';
import { entries } from '../../engine/tools';
import type { Companion } from './host';

/** Lowest index in any chain. */
export function placesIn({
  companion,
  directory,
  leads,
  defaultModel,
}: Readonly<{
  companion: Pick<Companion, 'brain'>;
  directory: string;
  leads: Readonly<Record<string, string | null>>;
  defaultModel: string | null;
}>): ReadonlyMap<ModelId, number> {
  const scopes = entries(companion.brain.state().scopes).filter(([of]) => of === directory);
  const chains = scopes.flatMap(([, scope]) => Object.values(scope.agents).map(({ chain }) => chain));
  const firsts = [...Object.values(leads), defaultModel].flatMap((model) => (model === null ? [] : [[model]]));
  const places = new Map<ModelId, number>();
  for (const chain of [...chains, ...firsts])
    for (const [at, model] of chain.entries()) places.set(model, Math.min(at, places.get(model) ?? at));
  return places;
}
