import { type ModelId, providerOf, unaccounted } from './ids';

/** A missing field is unknown and excludes nothing. */
export type ModelFacts = Readonly<{
  /** In tokens. */
  context?: number;
  vision?: boolean;
  tools?: boolean;
  vendor?: string;
  /** Per million tokens. */
  priceIn?: number;
  priceOut?: number;
}>;

export type Needs = Readonly<{ contextTokens?: number; vision?: boolean; tools?: boolean }>;

export type Catalogue = Readonly<Record<ModelId, ModelFacts>>;

export type Boundaries = Readonly<{
  models?: Catalogue | undefined;
  vendorLock?: boolean | undefined;
  /** As a multiple of the primary's price; null for no limit. */
  maxPriceRatio?: number | null | undefined;
}>;

export const factsOf = (models: Catalogue | undefined, model: ModelId): ModelFacts =>
  (models && Object.hasOwn(models, model) ? models[model] : undefined) ?? NOTHING_KNOWN;

const NOTHING_KNOWN: ModelFacts = {};

/** Falls back to the vendor in a router's id (`openrouter/vendor/model`), then to the provider. */
export function vendorOf(models: Catalogue | undefined, model: ModelId): string {
  const vendor = factsOf(models, model).vendor;
  if (vendor !== undefined) return vendor.toLowerCase();
  const parts = model.split('/');
  return (parts.length > 2 ? (parts[1] ?? '') : unaccounted(providerOf(model))).toLowerCase();
}

/** Reason that excludes a fallback model, or null. */
export function unfitFor(
  model: ModelId,
  request: Readonly<{ lead: ModelId; needs: Needs | undefined; boundaries: Boundaries }>,
): string | null {
  const { lead, needs, boundaries } = request;
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

/** 0, which no limit excludes, if a price is unknown. */
function priceRatio(lead: number | undefined, other: number | undefined): number {
  if (lead === undefined || other === undefined) return 0;
  return lead > 0 ? other / lead : other > 0 ? Number.POSITIVE_INFINITY : 1;
}

export function isLarger(models: Catalogue | undefined, from: ModelId, to: ModelId, needs: Needs | undefined): boolean {
  const context = factsOf(models, to).context;
  const old = factsOf(models, from).context ?? needs?.contextTokens;
  return context !== undefined && old !== undefined && context > old && context >= (needs?.contextTokens ?? 0);
}
