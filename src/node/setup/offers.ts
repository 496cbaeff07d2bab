import type { QueryOutput } from '../../contract/contract';
import { asAbilities, factsIn } from '../../core/base/offers';
import { allKept } from '../base/kept-models';

/** From OpenCode's last list there, else of any directory. Never rejects. */
export async function offersFor(home: string, directory: string | null): Promise<QueryOutput<'chains.offers'>> {
  const all = await allKept(home);
  const stored = (directory === null ? null : all.in(directory)) ?? all.latest();
  if (stored === null) return { at: null, models: [] };
  const models = stored.models.map((model) => {
    const facts = factsIn(stored.catalogue, model);
    const { vendor = null, isLocal = false } = facts;
    return { model, vendor, isLocal, abilities: asAbilities(facts) };
  });
  return { at: stored.at, models };
}
