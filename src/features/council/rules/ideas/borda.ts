import type { IdeaId, MemberId } from '../base/types';
import type { Idea } from './ideas';

/** Who ranked which ideas how, the best first. */
export type Ballots = Readonly<Record<MemberId, readonly IdeaId[]>>;

/** How an idea came out. */
export type Counted = Readonly<{ points: number; firstPlaces: number }>;

/**
 * The Borda count: of n ideas the first of a ballot has n − 1 points, the next one less. Those that a ballot does not name are tied and share
 * what is left of its points, so that every ballot weighs the same however much of it is filled in.
 *
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

/** An idea, with how it came out. */
export type Ranked = Readonly<{ idea: Idea }> & Counted;

/** The best first: by points, then by first places, then by how many speak for it, then as it was posted. */
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

/** The same without the figures. */
export const byRank = (ideas: readonly Idea[], ballots: Ballots): readonly Idea[] =>
  ranked(ideas, ballots).map(({ idea }) => idea);

export const isRanked = (ballots: Ballots): boolean => Object.keys(ballots).length > 0;

const speakingFor = ({ supports, alsoBy }: Idea): number => new Set([...supports.map(({ by }) => by), ...alsoBy]).size;

/** Whose ideas have the most points together; ties by the order of `members`. Null where there is nobody. */
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
