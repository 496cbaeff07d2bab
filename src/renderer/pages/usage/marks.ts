import type { UsageAnswer } from '../../../contract/usage';

export type MarkKind = 'switches' | 'resets';

/** Their glyphs around 0, 0, in a square of 10 px: an arrow that turns down, and a circle that begins anew. */
export const MARKS: Readonly<Record<MarkKind, string>> = {
  switches: 'M-4 -3.5h3.5q2.5 0 2.5 2.5v4M-0.8 1l2.8 2.8L4.8 1',
  resets: 'M3.6 -1.6A4 4 0 1 0 4 1M4.2 -4.2v3h-3',
};

export type Mark = Readonly<{ at: number; kinds: readonly MarkKind[] }>;

/** Points marked for their switches: more lines than these would hide what they stand beside. */
const SWITCHES_MAX = 5;

/** Points that people have reset models in, and those with the most switches. */
export function marksOf({ points }: UsageAnswer): readonly Mark[] {
  const busiest = points
    .map(({ switches }, at) => ({ at, switches: switches ?? 0 }))
    .filter(({ switches }) => switches > 0)
    .sort((a, b) => b.switches - a.switches || b.at - a.at)
    .slice(0, SWITCHES_MAX);
  const switched = new Set(busiest.map(({ at }) => at));
  return points.flatMap(({ resets }, at) => {
    const kinds = [
      ...(switched.has(at) ? (['switches'] as const) : []),
      ...((resets ?? 0) > 0 ? (['resets'] as const) : []),
    ];
    return kinds.length > 0 ? [{ at, kinds }] : [];
  });
}

/** Whether switches of some points are not marked, as others have more. */
export const areSomeLeft = ({ points }: UsageAnswer): boolean =>
  points.filter(({ switches }) => (switches ?? 0) > 0).length > SWITCHES_MAX;
