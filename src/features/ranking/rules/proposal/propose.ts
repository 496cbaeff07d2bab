import type { BenchmarkId } from '../base/benchmarks';
import type { Role } from '../base/roles';
import type { Candidate } from '../chain/candidate';
import { coverageOf } from '../chain/coverage';
import { type RankedModel, type RankingRules, rankModels } from '../chain/rank';
import { tiersOf } from '../chain/tiers';
import type { ChainProposal, ModelRow } from './document';

export type ProposalQuestion = RankingRules &
  Readonly<{
    agent: string;
    role: Role;
    candidates: readonly Candidate[];
    present: readonly string[];
    /** OpenCode calls it first unless the chain names it later; null if unknown. */
    lead: string | null;
    /** From 1, among hosted models. */
    kept: ReadonlyMap<string, number>;
    isOneVendor: boolean;
    /** Relative to the first model's price; null is no limit. */
    maxPriceRatio: number | null;
    depth: number;
    starter: ChainProposal['starter'];
  }>;

export function proposalOf(question: ProposalQuestion): ChainProposal {
  const { agent, role, formula, isLive, present, lead, starter, depth, kept, isOneVendor, maxPriceRatio } = question;
  const ranked = rankModels(question.candidates, question);
  // Without any rank, propose the present chain.
  const isRankable = ranked.some(({ rank }) => rank !== null);
  const candidates = isRankable ? ranked : ranked.filter(({ isPresent }) => isPresent);
  const { placed, notes } = tiersOf({ candidates, present, lead, kept, isOneVendor, maxPriceRatio });
  const chain = placed.map(({ model }) => model);
  return {
    schema: 'chain-proposal/1',
    agent,
    role,
    formula: formula.text,
    isLive,
    starter,
    present: [...present],
    chain: placed.map(({ model, tier, code }) => ({ model, tier, code })),
    models: ranked.map(rowOf),
    coverage: writable(coverageOf(placed, ranked)),
    changes: changesBetween(present, chain),
    primary: primaryChange(present, chain),
    depth: { now: depth, needed: Math.max(0, chain.length - 1) },
    notes: notes.map((note) => ('models' in note ? { ...note, models: [...note.models] } : note)),
  };
}

const writable = ({ models, tiers, vendors, accounts, regions, withoutRegion }: ReturnType<typeof coverageOf>) => ({
  models,
  withoutRegion,
  tiers: [...tiers],
  vendors: [...vendors],
  accounts: [...accounts],
  regions: [...regions],
});

function changesBetween(present: readonly string[], chain: readonly string[]): ChainProposal['changes'] {
  const stayed = present.filter((model) => chain.includes(model));
  const order = chain.filter((model) => stayed.includes(model));
  return {
    added: chain.filter((model) => !present.includes(model)),
    removed: present.filter((model) => !chain.includes(model)),
    moved: stayed.flatMap((model, at) =>
      order[at] === model ? [] : [{ model, from: present.indexOf(model) + 1, to: chain.indexOf(model) + 1 }],
    ),
  };
}

function primaryChange([from = null]: readonly (string | null)[], [to]: readonly string[]): ChainProposal['primary'] {
  return to === undefined || to === from ? null : { from, to };
}

const DIGITS = 1e6;
const short = (share: number): number => Math.min(1, Math.max(0, Math.round(share * DIGITS) / DIGITS));
const orNull = (share: number | null): number | null => (share === null ? null : short(share));

function rowOf(ranked: RankedModel): ModelRow {
  const { model, vendor, account, region, place, record, isPresent, rank, unranked } = ranked;
  const { scored, worth, live, price, budget, estimated } = ranked;
  return {
    model,
    vendor,
    account,
    region,
    place,
    record,
    isPresent,
    rank,
    unranked,
    score: orNull(scored.score),
    worth: orNull(worth),
    known: short(scored.known),
    missing: [...scored.missing],
    estimated: [...estimated],
    parts: scored.parts.flatMap((part) => partOf(ranked, part)),
    live: live && { ...live, share: live.share && { ...live.share } },
    price: price && { ...price },
    budget: budget && { stage: budget.stage, multiplier: budget.multiplier, isOverCap: budget.isOverCap },
  };
}

type Part = Readonly<{ benchmark: BenchmarkId; normalized: number; weight: number; share: number }>;

function partOf({ values }: RankedModel, { benchmark, normalized, weight, share }: Part): ModelRow['parts'] {
  const given = values[benchmark];
  if (given === undefined) return [];
  const { value, unit, kind, origin, source, date } = given;
  return [
    {
      benchmark,
      value,
      unit,
      kind,
      origin,
      source,
      date,
      normalized: short(normalized),
      weight: short(weight),
      share: short(share),
    },
  ];
}
