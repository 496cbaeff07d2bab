import type { Candidate } from './candidate';
import type { Placed, Tier } from './tiers';

/** How widely a chain stands: what has to fail before nobody answers. */
export type Coverage = Readonly<{
  models: number;
  /** Tiers with a model, in order. */
  tiers: readonly Tier[];
  vendors: readonly string[];
  accounts: readonly string[];
  /** Regions that are known of its vendors. */
  regions: readonly string[];
  /** Models of vendors whose region nobody has looked up. */
  withoutRegion: number;
}>;

/** What a chain covers, each in the order in which it is asked; vendors and regions are those of its hosted models. */
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
