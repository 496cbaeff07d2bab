import type { Handlers } from '../../contract/contract';
import { type RankQuery, rankingQueries } from '../../features/ranking/contract/ranking';

type RankingClock = Readonly<{
  /** Unix ms. */
  wall(): number;
  schedule(delayMs: number, callback: () => void): () => void;
}>;

export type RankingPort = (clock: RankingClock) => Pick<Handlers, RankQuery>;

export const noRankings: RankingPort = () => {
  const refuse = (): never => {
    throw new Error('This Understudy cannot rank models.');
  };
  // TypeScript cannot tie a looped name to its handler; the contract checks both ends.
  return Object.fromEntries(Object.keys(rankingQueries).map((name) => [name, refuse])) as unknown as Pick<
    Handlers,
    RankQuery
  >;
};
