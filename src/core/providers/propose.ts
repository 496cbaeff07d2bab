import type { ProposalCode, ProposalProblem, ProposedModel } from '../../contract/proposal';
import { type ModelId, providerOf } from '../../engine';
import { vendorOf } from '../../engine/tools';
import { asAbilities, factsIn, type OfferedFacts, type Offers } from '../base/offers';

/** Models of other providers after the first: as many switches as a turn may make. */
const STAND_INS = 3;
/** A first stand-in holds at least so much of what the first model does. */
const CONTEXT_SHARE_MIN = 0.5;
/** What costs more than so many times the first model is not proposed. */
const PRICE_RATIO_MAX = 5;
/** What costs up to twice as much, or down to a third, is taken to be of the same class. */
const SAME_CLASS = { from: 1 / 3, to: 2 };
/** The provider OpenCode brings along: without a login it offers models that are free, and whose use is not private. */
const BUILT_IN_PROVIDER = 'opencode';

/** An agent that may want a chain; `lead` is the model it uses now, null when nobody knows. */
export type Chainless = Readonly<{
  agent: string;
  lead: ModelId | null;
  existing: readonly ModelId[] | null;
  /** Only models of the lead's own vendor may stand in. */
  isOneVendor?: boolean;
}>;

/** A chain worth having, and what it replaces. */
export type Proposal = Chainless & Readonly<{ models: readonly ProposedModel[] }>;

/**
 * Proposes a chain for each agent, of models on offer alone: the model it uses now, then comparable ones of other vendors
 * in turn, then one of this machine. The same offers give the same chains, in whatever order they come.
 */
export function proposeChains(
  offers: Offers,
  agents: readonly Chainless[],
): Readonly<{ proposals: readonly Proposal[]; problems: readonly ProposalProblem[] }> {
  const able = ableOf(offers);
  const vendors = new Set(asConnected(offers.catalogue, able, null).map((model) => vendorOf(offers.catalogue, model)));
  const all = agents.map((wanted) => ({ ...wanted, models: chainOf(offers, able, wanted) }));
  // One model alone protects nothing.
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

/** Models an agent can work with: it cannot without tools, and what is being withdrawn would not last. */
function ableOf({ models, catalogue }: Offers): readonly ModelId[] {
  return [...new Set(models)].filter((model) => {
    const { tools, status } = factsIn(catalogue, model);
    return tools !== false && status !== 'deprecated' && status !== 'alpha';
  });
}

/** Models an agent with that primary could be given: able ones, and free ones that OpenCode brings along where those are used. */
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

/** Nobody has chosen the free models OpenCode brings along, unless they use one of them, or there is nothing else. */
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

/** The best next model of a chain; null when none may follow. */
function bestOf(draft: Draft, models: readonly ModelId[]): ModelId | null {
  const fitting = models.filter((model) => !draft.chosen.includes(model) && mayFollow(draft, model));
  const ranked = fitting.map((model) => ({ model, rank: rankOf(draft, model) }));
  return ranked.toSorted((one, other) => compareRanks(one.rank, other.rank))[0]?.model ?? null;
}

/** Whether a model may be proposed at the end of a chain: it must not surprise with its price, nor at once with its size. */
function mayFollow({ catalogue, chosen, isOneVendor }: Draft, model: ModelId): boolean {
  const [first] = chosen;
  if (first === undefined) return true;
  if (isOneVendor && vendorOf(catalogue, first) !== vendorOf(catalogue, model)) return false;
  const [lead, facts] = [factsIn(catalogue, first), factsIn(catalogue, model)];
  return priceRatio(lead, facts) <= PRICE_RATIO_MAX && !(chosen.length === 1 && isShrink(lead, facts));
}

/** What counts, the weightiest first; smaller is better. */
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
    // A vendor whose name says nothing is not the first to be trusted with a turn.
    Number(facts.vendor === undefined),
    chosen.filter((one) => providerOf(one) === providerOf(model)).length,
    // A vendor asked directly fails for its own reasons alone, one behind a router for those of both.
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

/** Days as numbers that fall as time goes by; what has no date is the oldest. */
const newestFirst = (released: string | undefined): number => -Number((released ?? '').replaceAll('-', '')) || 0;

const isShrink = (lead: OfferedFacts, { context }: OfferedFacts): boolean =>
  lead.context !== undefined && context !== undefined && context < lead.context * CONTEXT_SHARE_MIN;

/** How many times what the first model costs; 0 when one of the prices is not known. */
function priceRatio(lead: OfferedFacts, facts: OfferedFacts): number {
  const [base, price] = [priceOf(lead), priceOf(facts)];
  return base === null || price === null || base === 0 ? 0 : price / base;
}

/** Coding agents read some three times what they write. */
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
