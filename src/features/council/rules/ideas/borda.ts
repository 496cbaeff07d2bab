import type { IdeaId, MemberId } from '../base/types';
import type { Idea } from './ideas';

export type Ballots = Readonly<Record<MemberId, readonly IdeaId[]>>;

export type Counted = Readonly<{ points: number; firstPlaces: number }>;

/**
 * The first of n ideas gets n − 1 points, the next one less. Missing ideas share the remaining points, so that all
 * ballots have equal weight.
 * Source: Borda, Mémoire sur les élections au scrutin, 1781.
 */
export function bordaCount(ids: readonly IdeaId[], ballots: Ballots): ReadonlyMap<IdeaId, Counted> {
  const counts = new Map<IdeaId, Counted>(ids.map((id) => [id, { points: 0, firstPlaces: 0 }]));
  const add = (id: IdeaId, points: number, isFirst: boolean): void => {
    const before = counts.get(id);
    if (before) counts.set(id, { points: before.points + points, firstPlaces: before.firstPlaces + (isFirst ? 1 : 0) });
  };
  for (const ballot of Object.values(ballots)) {
    const named = [...new Set(ballot)].filter((id) => counts.has(id));
    if (named.length === 0) continue;
    for (const [place, id] of named.entries()) add(id, ids.length - 1 - place, place === 0);
    const left = ids.filter((id) => !named.includes(id));
    for (const id of left) add(id, (left.length - 1) / 2, false);
  }
  return counts;
}

export type Ranked = Readonly<{ idea: Idea }> & Counted;

export function ranked(ideas: readonly Idea[], ballots: Ballots): readonly Ranked[] {
  const counts = bordaCount(
    ideas.map(({ id }) => id),
    ballots,
  );
  return ideas
    .map((idea): Ranked => ({ idea, ...(counts.get(idea.id) ?? { points: 0, firstPlaces: 0 }) }))
    .toSorted(
      (one, other) =>
        other.points - one.points ||
        other.firstPlaces - one.firstPlaces ||
        speakingFor(other.idea) - speakingFor(one.idea),
    );
}

export const byRank = (ideas: readonly Idea[], ballots: Ballots): readonly Idea[] =>
  ranked(ideas, ballots).map(({ idea }) => idea);

export const isRanked = (ballots: Ballots): boolean => Object.keys(ballots).length > 0;

const speakingFor = ({ supports, alsoBy }: Idea): number => new Set([...supports.map(({ by }) => by), ...alsoBy]).size;

export function bestRanked(ideas: readonly Idea[], ballots: Ballots, members: readonly MemberId[]): MemberId | null {
  const all = ranked(ideas, ballots);
  const pointsOf = (member: MemberId): number =>
    all
      .filter(({ idea }) => idea.by === member || idea.alsoBy.includes(member))
      .reduce((sum, { points }) => sum + points, 0);
  return members.reduce<MemberId | null>(
    (best, member) => (best === null || pointsOf(member) > pointsOf(best) ? member : best),
    null,
  );
}
