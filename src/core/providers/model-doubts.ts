import { writtenModel } from '../../contract/written-model';
import { accountIn, nameOf, providerOf, unaccounted } from '../../engine';
import { factsIn, type Offers } from '../base/offers';
import { matchesGlob } from '../config';
import { nearest } from '../config/suggest';
import { PLAIN_VARIANT, unknownVariant, variantsOf } from '../config/variants';

/** A warning, because OpenCode's list may have changed since. */
export type ModelDoubt = Readonly<{
  model: string;
  code: 'unknown' | 'retired' | 'keyless' | 'variant' | 'account';
  /** Without the final period. */
  says: string;
  fix: string;
}>;

export function doubtsOf(models: readonly string[], offers: Offers): readonly ModelDoubt[] {
  return models.flatMap((model) => doubtOf(model, offers) ?? []);
}

function doubtOf(written: string, offers: Offers): ModelDoubt | null {
  const { models, catalogue } = offers;
  const { model, variant } = writtenModel(written, models);
  const plain = models.includes(model) ? model : unaccounted(model);
  const provider = providerOf(plain);
  if (models.some((offered) => matchesGlob(plain, offered))) {
    const missing = plain === model ? null : accountDoubt(model, offers);
    if (missing !== null) return missing;
    if (factsIn(catalogue, model).status === 'deprecated')
      return { model, code: 'retired', says: `${model} is being retired`, fix: lookUp(provider) };
    const variants = variantsOf(catalogue, model);
    if (variant === null || variant === PLAIN_VARIANT || variants === null || variants.includes(variant)) return null;
    const says = unknownVariant({ model, variant }, variants);
    return { model, code: 'variant', says, fix: 'Choose one of those, or remove it.' };
  }
  const meant = meantBy(model, models);
  if (models.some((offered) => matchesGlob(provider, providerOf(offered)))) {
    const says = `OpenCode has no ${model}, unknown or retired: it is skipped`;
    return { model, code: 'unknown', says, fix: meant ?? lookUp(provider) };
  }
  const says = `OpenCode lists no model of ${provider}: ${model} is skipped`;
  const fix =
    meant ?? 'Log in with "opencode auth login", check the package of the provider, or remove it from the chain.';
  return { model, code: 'keyless', says, fix };
}

function accountDoubt(model: string, { accounts = {}, tellsAccounts }: Offers): ModelDoubt | null {
  const account = accountIn(model);
  if (tellsAccounts !== true || account === null) return null;
  const plain = unaccounted(model);
  const provider = providerOf(plain);
  const accountLabels = Object.entries(accounts).flatMap(([name, labels]) =>
    matchesGlob(provider, name) ? labels : [],
  );
  if (accountLabels.some((label) => matchesGlob(account, label))) return null;
  const has = accountLabels.length === 0 ? 'it has one account of that provider' : `it has ${accountLabels.join(', ')}`;
  return {
    model,
    code: 'account',
    says: `OpenCode has no account ${JSON.stringify(account)} of ${provider}, ${has}: ${model} is skipped`,
    fix:
      accountLabels.length === 0
        ? `Write ${plain} for the account in use, or remove it from the chain.`
        : `Name one of those, or write ${plain} for the account in use.`,
  };
}

const lookUp = (provider: string): string => `Choose one of those that "opencode models ${provider}" lists.`;

/** Searches provider and name separately, so that a typo in one does not affect the other. */
function meantBy(model: string, models: readonly string[]): string | null {
  const plain = unaccounted(model);
  const account = accountIn(model);
  const provider = nearest(providerOf(plain), [...new Set(models.map(providerOf))]);
  const names = models.filter((offered) => providerOf(offered) === provider).map(nameOf);
  const name = nearest(nameOf(plain), names);
  const by = account === null ? '' : `@${account}`;
  return provider === null || name === null ? null : `Did you mean ${provider}${by}/${name}?`;
}
