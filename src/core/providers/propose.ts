import type { ProposalCode, ProposalProblem, ProposedModel } from '../../contract/proposal';
import { type ModelId, providerOf } from '../../engine';
import { vendorOf } from '../../engine/tools';
import { asAbilities, factsIn, type OfferedFacts, type Offers } from '../base/offers';

/** As many as a turn may switch. */
const STAND_INS = 3;
/** Of the first fallback, as a fraction of the first model's. */
const CONTEXT_SHARE_MIN = 0.5;
/** As a multiple of the first model's. */
const PRICE_RATIO_MAX = 5;
/** Prices up to twice or down to a third count as the same class. */
const SAME_CLASS = { from: 1 / 3, to: 2 };
/** OpenCode's built-in provider: without a login it offers free models whose use is not private. */
const BUILT_IN_PROVIDER = 'opencode';

/** `lead` is null if unknown. */
export type Chainless = Readonly<{
  agent: string;
  lead: ModelId | null;
  existing: readonly ModelId[] | null;
  isOneVendor?: boolean;
}>;

export type Proposal = Chainless & Readonly<{ models: readonly ProposedModel[] }>;

/**
 * Proposes the current model, comparable ones of alternating vendors, then a local one. The result does not depend on
 * the order of the offers.
 */
export function proposeChains(
  offers: Offers,
  agents: readonly Chainless[],
): Readonly<{ proposals: readonly Proposal[]; problems: readonly ProposalProblem[] }> {
  const able = ableOf(offers);
  const vendors = new Set(asConnected(offers.catalogue, able, null).map((model) => vendorOf(offers.catalogue, model)));
  const all = agents.map((wanted) => ({ ...wanted, models: chainOf(offers, able, wanted) }));
  const proposals = all.filter(({ models }) => models.length > 1);
  const problems = all.flatMap((proposal) => problemsOf(offers, proposal, vendors.size > 1));
  const single: ProposalProblem[] =
    vendors.size > 1 || agents.every(({ isOneVendor }) => isOneVendor)
      ? []
      : [{ code: 'vendor.single', agent: null, model: null }];
  return { proposals, problems: able.length === 0 ? [NOTHING_ABLE] : [...single, ...problems] };
}

const NOTHING_ABLE: ProposalProblem = { code: 'models.none', agent: null, model: null };

function problemsOf(
  offers: Offers,
  { agent, lead, models, isOneVendor }: Proposal,
  hasVendors: boolean,
): ProposalProblem[] {
  const isOffered = lead === null || offers.models.includes(lead);
  const families = new Set(models.map(({ model }) => vendorOf(offers.catalogue, model)));
  return [
    ...(isOffered ? [] : [{ code: 'lead.unlisted', agent, model: lead } as const]),
    ...(isOneVendor && models.length < 2
      ? [{ code: 'vendor.locked', agent, model: models[0]?.model ?? lead } as const]
      : []),
    ...(hasVendors && !isOneVendor && families.size < 2
      ? [{ code: 'vendor.unfit', agent, model: models[0]?.model ?? lead } as const]
      : []),
  ];
}

/** Agents need tools, and a deprecated model would not last. */
function ableOf({ models, catalogue }: Offers): readonly ModelId[] {
  return [...new Set(models)].filter((model) => {
    const { tools, status } = factsIn(catalogue, model);
    return tools !== false && status !== 'deprecated' && status !== 'alpha';
  });
}

export const candidatesIn = (offers: Offers, lead: ModelId | null): readonly ModelId[] =>
  asConnected(offers.catalogue, ableOf(offers), lead);

type Draft = Readonly<{ catalogue: Offers['catalogue']; chosen: readonly ModelId[]; isOneVendor: boolean }>;

function chainOf(
  offers: Offers,
  able: readonly ModelId[],
  { lead, isOneVendor = false }: Chainless,
): readonly ProposedModel[] {
  const { catalogue } = offers;
  const isLocal = (model: ModelId): boolean => factsIn(catalogue, model).isLocal === true;
  const open = able.filter((model) => model !== lead);
  const remote = asConnected(
    catalogue,
    open.filter((model) => !isLocal(model)),
    lead,
  );
  let chosen: readonly ModelId[] = lead !== null && offers.models.includes(lead) ? [lead] : [];
  const codes: ProposalCode[] = chosen.map(() => 'present');
  const length = chosen.length === 0 ? STAND_INS : 1 + STAND_INS;
  for (let next = bestOf({ catalogue, chosen, isOneVendor }, remote); next !== null && chosen.length < length; ) {
    codes.push(codeOf({ catalogue, chosen, isOneVendor }, next));
    chosen = [...chosen, next];
    next = bestOf({ catalogue, chosen, isOneVendor }, remote);
  }
  const last = bestOf({ catalogue, chosen, isOneVendor }, open.filter(isLocal));
  if (last !== null) codes.push('local');
  return [...chosen, ...(last === null ? [] : [last])].map((model, at) => ({
    model,
    code: codes[at] ?? 'local',
    abilities: asAbilities(factsIn(catalogue, model)),
  }));
}

/** Users have not chosen OpenCode's free models, unless they use one or have nothing else. */
function asConnected(
  catalogue: Offers['catalogue'],
  models: readonly ModelId[],
  lead: ModelId | null,
): readonly ModelId[] {
  const isBroughtAlong = (model: ModelId): boolean =>
    providerOf(model) === BUILT_IN_PROVIDER && factsIn(catalogue, model).priceIn === undefined;
  if (lead !== null && isBroughtAlong(lead)) return models;
  const connected = models.filter((model) => !isBroughtAlong(model));
  return lead === null && connected.length === 0 ? models : connected;
}

function bestOf(draft: Draft, models: readonly ModelId[]): ModelId | null {
  const fitting = models.filter((model) => !draft.chosen.includes(model) && mayFollow(draft, model));
  const ranked = fitting.map((model) => ({ model, rank: rankOf(draft, model) }));
  return ranked.toSorted((one, other) => compareRanks(one.rank, other.rank))[0]?.model ?? null;
}

/** The price must not surprise, nor the context of the first fallback. */
function mayFollow({ catalogue, chosen, isOneVendor }: Draft, model: ModelId): boolean {
  const [first] = chosen;
  if (first === undefined) return true;
  if (isOneVendor && vendorOf(catalogue, first) !== vendorOf(catalogue, model)) return false;
  const [lead, facts] = [factsIn(catalogue, first), factsIn(catalogue, model)];
  return priceRatio(lead, facts) <= PRICE_RATIO_MAX && !(chosen.length === 1 && isShrink(lead, facts));
}

function rankOf({ catalogue, chosen }: Draft, model: ModelId): readonly (number | string)[] {
  const [facts, vendor] = [factsIn(catalogue, model), vendorOf(catalogue, model)];
  const lead = chosen[0] === undefined ? {} : factsIn(catalogue, chosen[0]);
  const vendors = chosen.map((one) => vendorOf(catalogue, one));
  const ratio = priceRatio(lead, facts);
  return [
    vendors.filter((one) => one === vendor).length,
    Number(vendors.at(-1) === vendor),
    Number(isShrink(lead, facts)),
    Number(lead.vision === true && facts.vision === false),
    Number(ratio > SAME_CLASS.to || (ratio > 0 && ratio < SAME_CLASS.from)),
    Number(facts.vendor === undefined),
    chosen.filter((one) => providerOf(one) === providerOf(model)).length,
    // A direct vendor fails only for its own reasons, a router for those of both.
    Number(providerOf(model) !== vendor),
    Number(facts.status === 'beta'),
    Number(facts.isPreferred !== true),
    newestFirst(facts.released),
    model,
  ];
}

function compareRanks(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  for (const [at, value] of one.entries()) {
    const beside = other[at] ?? value;
    if (value !== beside) return value < beside ? -1 : 1;
  }
  return 0;
}

const newestFirst = (released: string | undefined): number => -Number((released ?? '').replaceAll('-', '')) || 0;

const isShrink = (lead: OfferedFacts, { context }: OfferedFacts): boolean =>
  lead.context !== undefined && context !== undefined && context < lead.context * CONTEXT_SHARE_MIN;

function priceRatio(lead: OfferedFacts, facts: OfferedFacts): number {
  const [base, price] = [priceOf(lead), priceOf(facts)];
  return base === null || price === null || base === 0 ? 0 : price / base;
}

/** Coding agents read about three times as many tokens as they write. */
function priceOf({ priceIn, priceOut }: OfferedFacts): number | null {
  return priceIn === undefined || priceOut === undefined ? null : (3 * priceIn + priceOut) / 4;
}

function codeOf({ catalogue, chosen }: Draft, model: ModelId): ProposalCode {
  const [first] = chosen;
  if (first === undefined) return 'first';
  if (isShrink(factsIn(catalogue, first), factsIn(catalogue, model))) return 'smaller';
  if (!chosen.some((one) => vendorOf(catalogue, one) === vendorOf(catalogue, model))) return 'other_vendor';
  return chosen.some((one) => providerOf(one) === providerOf(model)) ? 'same_provider' : 'other_provider';
}
