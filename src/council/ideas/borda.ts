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

/** The best first: by points, then by first places, then by how many speak for it, then as it was posted. */
export function byRank(ideas: readonly Idea[], ballots: Ballots): readonly Idea[] {
  const counts = bordaCount(
    ideas.map(({ id }) => id),
    ballots,
  );
  const of = ({ id }: Idea): Counted => counts.get(id) ?? { points: 0, firstPlaces: 0 };
  return ideas.toSorted(
    (one, other) =>
      of(other).points - of(one).points ||
      of(other).firstPlaces - of(one).firstPlaces ||
      speakingFor(other) - speakingFor(one),
  );
}

const speakingFor = ({ supports, alsoBy }: Idea): number => new Set([...supports.map(({ by }) => by), ...alsoBy]).size;

/** Whose ideas have the most points together; ties by the order of `members`. Null where there is nobody. */
export function bestRanked(ideas: readonly Idea[], ballots: Ballots, members: readonly MemberId[]): MemberId | null {
  const counts = bordaCount(
    ideas.map(({ id }) => id),
    ballots,
  );
  const pointsOf = (member: MemberId): number =>
    ideas
      .filter(({ by, alsoBy }) => by === member || alsoBy.includes(member))
      .reduce((sum, { id }) => sum + (counts.get(id)?.points ?? 0), 0);
  return members.reduce<MemberId | null>(
    (best, member) => (best === null || pointsOf(member) > pointsOf(best) ? member : best),
    null,
  );
}
