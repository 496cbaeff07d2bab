import { type ModelId, providerOf, unaccounted } from './ids';

/** What is known of a model. A missing field is not known and refuses nothing. */
export type ModelFacts = Readonly<{
  /** Context window in tokens. */
  context?: number;
  vision?: boolean;
  tools?: boolean;
  /** Vendor family, lower case, for example `anthropic`. */
  vendor?: string;
  /** Price per million tokens, in any one currency. */
  priceIn?: number;
  priceOut?: number;
}>;

/** What a request asks of its model. */
export type Needs = Readonly<{ contextTokens?: number; vision?: boolean; tools?: boolean }>;

export type Catalogue = Readonly<Record<ModelId, ModelFacts>>;

/** Limits of one directory on who may stand in for whom. */
export type Boundaries = Readonly<{
  models?: Catalogue | undefined;
  /** Only models of the lead's own vendor family. */
  vendorLock?: boolean | undefined;
  /** A model may cost at most so many times what the lead costs; null is no limit. */
  maxPriceRatio?: number | null | undefined;
}>;

/** What is known of a model in a catalogue. */
export const factsOf = (models: Catalogue | undefined, model: ModelId): ModelFacts =>
  (models && Object.hasOwn(models, model) ? models[model] : undefined) ?? NOTHING_KNOWN;

const NOTHING_KNOWN: ModelFacts = {};

/**
 * The vendor family of a model: what the catalogue says, else the vendor in a router's id (`openrouter/vendor/model`),
 * else its provider.
 */
export function vendorOf(models: Catalogue | undefined, model: ModelId): string {
  const known = factsOf(models, model).vendor;
  if (known !== undefined) return known.toLowerCase();
  const parts = model.split('/');
  return (parts.length > 2 ? (parts[1] ?? '') : unaccounted(providerOf(model))).toLowerCase();
}

/** Why a model may not answer this request in place of the lead; null when it may. */
export function unfitFor(
  model: ModelId,
  asked: Readonly<{ lead: ModelId; needs: Needs | undefined; boundaries: Boundaries }>,
): string | null {
  const { lead, needs, boundaries } = asked;
  const { models, vendorLock, maxPriceRatio } = boundaries;
  const facts = factsOf(models, model);
  if (needs?.vision && facts.vision === false) return 'needs.vision';
  if (needs?.tools && facts.tools === false) return 'needs.tools';
  if (needs?.contextTokens !== undefined && facts.context !== undefined && needs.contextTokens > facts.context)
    return 'needs.context';
  if (model === lead) return null;
  if (vendorLock && vendorOf(models, model) !== vendorOf(models, lead)) return 'vendor.locked';
  if (typeof maxPriceRatio !== 'number') return null;
  const { priceIn, priceOut } = factsOf(models, lead);
  const ratio = Math.max(priceRatio(priceIn, facts.priceIn), priceRatio(priceOut, facts.priceOut));
  return ratio > maxPriceRatio ? 'price.ceiling' : null;
}

/**
 * How many times the lead's price a model costs; 0, which no ceiling forbids, when a price is not known. A price beside
 * nothing is without measure, nothing beside nothing is the same price.
 */
function priceRatio(lead: number | undefined, other: number | undefined): number {
  if (lead === undefined || other === undefined) return 0;
  return lead > 0 ? other / lead : other > 0 ? Number.POSITIVE_INFINITY : 1;
}

/** Whether a model is known to hold more than another, and at least what the request needs. */
export function isLarger(models: Catalogue | undefined, from: ModelId, to: ModelId, needs: Needs | undefined): boolean {
  const context = factsOf(models, to).context;
  const old = factsOf(models, from).context ?? needs?.contextTokens;
  return context !== undefined && old !== undefined && context > old && context >= (needs?.contextTokens ?? 0);
}
