import type { Candidate } from './candidate';

export const TIERS = ['premium', 'standard', 'alternative', 'local'] as const;
export type Tier = (typeof TIERS)[number];

export const TIER_SIZES: Readonly<Record<Tier, number>> = { premium: 3, standard: 3, alternative: 3, local: 3 };

export const PLACE_CODES = [
  'score',
  'apart',
  'vendor',
  'region',
  'ends',
  'kept',
  'kept.last',
  /** The current primary, if no comparison is possible. */
  'primary',
  /** An unranked model of the present chain, or OpenCode's own primary. */
  'present',
  'bridge',
  'local',
] as const;
export type PlaceCode = (typeof PLACE_CODES)[number];

export type Placed = Readonly<{ model: string; tier: Tier; code: PlaceCode }>;

export type TierNote =
  | Readonly<{ code: 'tier.short'; tier: Tier; wanted: number; found: number }>
  /** Two neighbours share an account although there are several. */
  | Readonly<{ code: 'neighbours.share'; account: string; models: readonly [string, string] }>
  | Readonly<{ code: 'last.vendor'; vendor: string; model: string }>;

export type Worthy = Candidate & Readonly<{ worth: number | null }>;

export type TierQuestion = Readonly<{
  candidates: readonly Worthy[];
  present: readonly string[];
  /** OpenCode calls it first unless the chain names it later; null if unknown. */
  lead: string | null;
  /** Places from 1 among hosted models. */
  kept: ReadonlyMap<string, number>;
  /** Only the primary's vendor may follow; rules for other vendors are off. */
  isOneVendor: boolean;
  /** Relative to the primary's price; null is no limit. */
  maxPriceRatio: number | null;
}>;

export type TieredChain = Readonly<{ placed: readonly Placed[]; notes: readonly TierNote[] }>;

type Building = Readonly<{
  question: TierQuestion;
  byModel: ReadonlyMap<string, Worthy>;
  free: readonly Worthy[];
  keptAt: ReadonlyMap<number, string>;
  hasAccounts: boolean;
}>;

/**
 * Fills the tiers: the highest scores, then new vendors, then new vendors and regions, then local models. Fixed models
 * keep their places. An unranked model is neither added nor, for that reason alone, removed. Deterministic.
 */
export function tiersOf(question: TierQuestion): TieredChain {
  const building = buildingOf(question);
  const hosted = lastOfAnotherVendor(building, hostedTiers(building));
  const placed = [...hosted, ...localTier(question)];
  return { placed, notes: [...shortTiers(placed), ...notesOn(building, hosted)] };
}

function buildingOf(question: TierQuestion): Building {
  const { candidates, present, kept } = question;
  const byModel = new Map(candidates.map((candidate) => [candidate.model, candidate]));
  const hosted = candidates.filter(({ place }) => place === 'hosted');
  const keptAt = new Map<number, string>();
  for (const [model, position] of kept) if (byModel.get(model)?.place === 'hosted') keptAt.set(position, model);
  const [first] = present;
  // An unknown score does not count as worse.
  const leads = first === undefined ? undefined : byModel.get(first);
  if (leads?.place === 'hosted' && leads.worth === null && !kept.has(leads.model) && !keptAt.has(1))
    keptAt.set(1, leads.model);
  const held = new Set(keptAt.values());
  return {
    question,
    byModel,
    keptAt,
    free: hosted.filter(({ model }) => !held.has(model)),
    hasAccounts: new Set(hosted.map(({ account }) => account)).size > 1,
  };
}

function hostedTiers(building: Building): Placed[] {
  const placed: Placed[] = [];
  for (const tier of ['premium', 'standard', 'alternative'] as const) {
    for (let filled = 0; filled < TIER_SIZES[tier]; filled++) {
      const next = keptNext(building, placed) ?? pick(building, placed, tier);
      if (next === null) break;
      placed.push({ ...next, tier });
    }
  }
  return [...placed, ...leftOver(building, placed)];
}

function keptNext({ keptAt, question }: Building, placed: readonly Placed[]): Omit<Placed, 'tier'> | null {
  const model = keptAt.get(placed.length + 1);
  if (model === undefined || placed.some((one) => one.model === model)) return null;
  return { model, code: question.kept.has(model) ? 'kept' : 'primary' };
}

/**
 * Models fixed beyond the end, unranked present models, and OpenCode's own model, which OpenCode calls first unless
 * the chain names it.
 */
function leftOver({ keptAt, byModel, question }: Building, placed: readonly Placed[]): Placed[] {
  const isIn = (model: string): boolean => placed.some((one) => one.model === model);
  const fixed = [...keptAt].toSorted(([one], [other]) => one - other).map(([, model]) => model);
  const leads = (model: string): boolean => model === question.lead && !question.isOneVendor;
  const stays = question.present.filter((model) => {
    const candidate = byModel.get(model);
    return candidate?.place === 'hosted' && (candidate.worth === null || leads(model)) && !fixed.includes(model);
  });
  return [
    ...fixed.map((model) => ({ model, tier: 'alternative', code: 'kept.last' }) as const),
    ...stays.map((model) => ({ model, tier: 'alternative', code: 'present' }) as const),
  ].filter(({ model }) => !isIn(model));
}

function pick(building: Building, placed: readonly Placed[], tier: Tier): Omit<Placed, 'tier'> | null {
  const { byModel, free, question } = building;
  const chain = placed.flatMap(({ model }) => byModel.get(model) ?? []);
  const [first] = chain;
  const left = free.filter(
    (one) =>
      !placed.some(({ model }) => model === one.model) && (first === undefined || mayFollow(question, first, one)),
  );
  const ranked = left.filter(({ worth }) => worth !== null);
  if (tier === 'premium' || question.isOneVendor) return asPlaced(building, chain, ranked, 'score');
  const vendors = new Set(chain.map(({ vendor }) => vendor));
  const fresh = ranked.filter(({ vendor }) => !vendors.has(vendor));
  if (tier === 'standard') return asPlaced(building, chain, fresh, 'vendor');
  const regions = new Set(chain.map(({ region }) => region));
  const afar = fresh.filter(({ region }) => region !== null && !regions.has(region));
  return (
    asPlaced(building, chain, afar, 'region') ??
    asPlaced(building, chain, fresh, 'vendor') ??
    presentUnranked(building, left)
  );
}

function mayFollow(
  { isOneVendor, maxPriceRatio }: TierQuestion,
  first: Candidate,
  { vendor, price }: Candidate,
): boolean {
  if (isOneVendor && vendor !== first.vendor) return false;
  if (maxPriceRatio === null || price === null || first.price === null) return true;
  return price.in <= maxPriceRatio * first.price.in && price.out <= maxPriceRatio * first.price.out;
}

function asPlaced(
  { hasAccounts }: Building,
  chain: readonly Worthy[],
  models: readonly Worthy[],
  code: PlaceCode,
): Omit<Placed, 'tier'> | null {
  const before = chain.at(-1);
  const [best] = models;
  if (best === undefined) return null;
  const apart = models.find(({ account }) => !hasAccounts || account !== before?.account) ?? best;
  return { model: apart.model, code: apart === best ? code : 'apart' };
}

function presentUnranked({ question }: Building, left: readonly Worthy[]): Omit<Placed, 'tier'> | null {
  const model = question.present.find((one) => left.some((free) => free.model === one && free.worth === null));
  return model === undefined ? null : { model, code: 'present' };
}

/** One vendor's outage must not stop both ends of the hosted chain. */
function lastOfAnotherVendor(building: Building, placed: readonly Placed[]): readonly Placed[] {
  if (building.question.isOneVendor || !sharesEnds(building, placed)) return placed;
  const fixed = new Set(building.keptAt.values());
  const last = placed.at(-1);
  for (let from = placed.length - 2; from > 0; from--) {
    const moving = placed[from];
    if (moving === undefined || last === undefined || fixed.has(moving.model) || fixed.has(last.model)) continue;
    const moved = [...placed.toSpliced(from, 1), { ...moving, tier: last.tier }];
    if (!sharesEnds(building, moved) && shared(building, moved).length <= shared(building, placed).length)
      return retiered(placed, moved, from);
  }
  return placed;
}

const BY_WORTH: readonly PlaceCode[] = ['score', 'apart', 'vendor', 'region'];

/** Moved models lose their reason by worth. */
const retiered = (before: readonly Placed[], after: readonly Placed[], from: number): readonly Placed[] =>
  after.map((placed, at) => ({
    model: placed.model,
    tier: before[at]?.tier ?? placed.tier,
    code: at < from || !BY_WORTH.includes(placed.code) ? placed.code : 'ends',
  }));

function sharesEnds({ byModel }: Building, placed: readonly Placed[]): boolean {
  const [first, last] = [placed[0], placed.at(-1)].map((one) => (one ? byModel.get(one.model)?.vendor : undefined));
  return placed.length > 1 && first === last;
}

type SharedAccount = Extract<TierNote, { code: 'neighbours.share' }>;

function shared({ byModel, hasAccounts }: Building, placed: readonly Placed[]): SharedAccount[] {
  if (!hasAccounts) return [];
  return placed.flatMap(({ model }, at): SharedAccount[] => {
    const next = placed[at + 1]?.model;
    const account = byModel.get(model)?.account;
    if (next === undefined || account === undefined || byModel.get(next)?.account !== account) return [];
    return [{ code: 'neighbours.share', account, models: [model, next] }];
  });
}

function notesOn(building: Building, hosted: readonly Placed[]): TierNote[] {
  if (building.question.isOneVendor) return [];
  const last = hosted.at(-1);
  const vendor = last ? building.byModel.get(last.model)?.vendor : undefined;
  const ends: TierNote[] =
    last !== undefined && vendor !== undefined && sharesEnds(building, hosted)
      ? [{ code: 'last.vendor', vendor, model: last.model }]
      : [];
  return [...shared(building, hosted), ...ends];
}

const shortTiers = (placed: readonly Placed[]): TierNote[] =>
  TIERS.flatMap((tier) => {
    const [wanted, found] = [tier === 'local' ? 1 : TIER_SIZES[tier], placed.filter((one) => one.tier === tier).length];
    return found < wanted ? [{ code: 'tier.short', tier, wanted, found } as const] : [];
  });

function localTier({ candidates, present }: TierQuestion): Placed[] {
  const bridge = candidates.filter(({ place }) => place === 'bridge');
  const local = candidates.filter(({ place }) => place === 'local');
  const own = present.filter((model) => local.some((one) => one.model === model));
  const others = local.map(({ model }) => model).filter((model) => !own.includes(model));
  const room = Math.max(0, TIER_SIZES.local - bridge.length - own.length);
  return [
    ...bridge.map(({ model }) => ({ model, tier: 'local', code: 'bridge' }) as const),
    ...[...own, ...others.slice(0, room)].map((model) => ({ model, tier: 'local', code: 'local' }) as const),
  ];
}
