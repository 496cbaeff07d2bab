import { writtenModel } from '../../contract';
import { nameOf, providerOf } from '../../engine';
import { factsIn, type Offers } from '../base/offers';
import { matchesGlob } from '../config';
import { nearest } from '../config/suggest';
import { PLAIN_VARIANT, unknownVariant, variantsOf } from '../config/variants';

/** Why a model of a chain would be passed over, or soon; a warning, for OpenCode may have learned of it since. */
export type ModelDoubt = Readonly<{
  model: string;
  code: 'unknown' | 'retired' | 'keyless' | 'variant';
  /** A sentence without its end. */
  says: string;
  fix: string;
}>;

/** What speaks against models of a chain, by what OpenCode offers; patterns stand for every model that fits them. */
export function doubtsOf(models: readonly string[], offers: Offers): readonly ModelDoubt[] {
  return models.flatMap((model) => doubtOf(model, offers) ?? []);
}

function doubtOf(written: string, { models, catalogue }: Offers): ModelDoubt | null {
  const { model, variant } = writtenModel(written, models);
  const provider = providerOf(model);
  if (models.some((offered) => matchesGlob(model, offered))) {
    if (factsIn(catalogue, model).status === 'deprecated')
      return { model, code: 'retired', says: `${model} is being retired`, fix: lookUp(provider) };
    const known = variantsOf(catalogue, model);
    if (variant === null || variant === PLAIN_VARIANT || known === null || known.includes(variant)) return null;
    const says = unknownVariant({ model, variant }, known);
    return { model, code: 'variant', says, fix: 'Choose one of those, or take it out.' };
  }
  const meant = meantBy(model, models);
  if (models.some((offered) => providerOf(offered) === provider)) {
    const says = `OpenCode has no ${model}, unknown or retired: it is passed over`;
    return { model, code: 'unknown', says, fix: meant ?? lookUp(provider) };
  }
  const says = `OpenCode has no login for ${provider}: ${model} is passed over`;
  const fix = meant ?? 'Log in with "opencode auth login", or take it out of the chain.';
  return { model, code: 'keyless', says, fix };
}

const lookUp = (provider: string): string => `Choose one of those that "opencode models ${provider}" lists.`;

/** Asks about the provider and the name apart: a slip in one of them leaves the other right. */
function meantBy(model: string, models: readonly string[]): string | null {
  const provider = nearest(providerOf(model), [...new Set(models.map(providerOf))]);
  const names = models.filter((offered) => providerOf(offered) === provider).map(nameOf);
  const name = nearest(nameOf(model), names);
  return provider === null || name === null ? null : `Did you mean ${provider}/${name}?`;
}
