import type { Candidate } from './candidate';
import type { Placed, Tier } from './tiers';

export type Coverage = Readonly<{
  models: number;
  tiers: readonly Tier[];
  vendors: readonly string[];
  accounts: readonly string[];
  regions: readonly string[];
  withoutRegion: number;
}>;

/** Vendors and regions count hosted models only. */
export function coverageOf(placed: readonly Placed[], candidates: readonly Candidate[]): Coverage {
  const byModel = new Map(candidates.map((candidate) => [candidate.model, candidate]));
  const chain = placed.flatMap(({ model }) => byModel.get(model) ?? []);
  const hosted = chain.filter(({ place }) => place === 'hosted');
  return {
    models: placed.length,
    tiers: [...new Set(placed.map(({ tier }) => tier))],
    vendors: [...new Set(hosted.map(({ vendor }) => vendor))],
    accounts: [...new Set(chain.map(({ account }) => account))],
    regions: [...new Set(hosted.flatMap(({ region }) => region ?? []))],
    withoutRegion: hosted.filter(({ region }) => region === null).length,
  };
}
