import type { UsageAnswer } from '../../../contract/usage';

export type MarkKind = 'switches' | 'resets';

/** Centred on 0, 0; 10 px wide. */
export const MARKS: Readonly<Record<MarkKind, string>> = {
  switches: 'M-4 -3.5h3.5q2.5 0 2.5 2.5v4M-0.8 1l2.8 2.8L4.8 1',
  resets: 'M3.6 -1.6A4 4 0 1 0 4 1M4.2 -4.2v3h-3',
};

export type Mark = Readonly<{ at: number; kinds: readonly MarkKind[] }>;

/** More marks would hide the chart. */
const SWITCHES_MAX = 5;

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

export const areSomeLeft = ({ points }: UsageAnswer): boolean =>
  points.filter(({ switches }) => (switches ?? 0) > 0).length > SWITCHES_MAX;
