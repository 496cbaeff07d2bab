import type { LimitCourse, LimitShares } from '../../contract/limit-course';
import type { AccountUse, LimitSample } from '../base/store-rows';
import { isSameWindow } from './limit-samples';

const POINTS = 96;
const AGENTS_SHOWN = 6;
const SESSIONS_SHOWN = 5;

/** Oldest first, Unix ms. `isWhole`: observed from its start. */
export type PastWindow = Readonly<{
  samples: readonly LimitSample[];
  beginsAt: number;
  endsAt: number;
  isWhole: boolean;
}>;

export function windowsIn(samples: readonly LimitSample[]): readonly PastWindow[] {
  const groups: LimitSample[][] = [];
  for (const sample of samples) {
    const before = groups.at(-1)?.at(-1);
    if (before && isSameWindow(before, sample)) groups.at(-1)?.push(sample);
    else groups.push([sample]);
  }
  return groups.flatMap((group, nth): PastWindow[] => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) return [];
    const begin = last.lengthMs === null ? first.at : last.resetAt - last.lengthMs;
    // A provider may start a window early.
    const next = groups[nth + 1]?.[0]?.at ?? Number.POSITIVE_INFINITY;
    const [beginsAt, endsAt] = [Math.min(begin, first.at), Math.min(last.resetAt, next)];
    return [{ samples: group, beginsAt, endsAt, isWhole: nth > 0 }];
  });
}

type Shared = Omit<LimitShares, 'sessions'> &
  Readonly<{ sessions: readonly Readonly<{ session: string; part: number }>[] }>;

/**
 * Divides each rise by the tokens used since the last sample; without any, it is use elsewhere. An estimate: no
 * provider reports what a request takes of a plan.
 */
export function sharesOf({ samples, beginsAt, isWhole }: PastWindow, uses: readonly AccountUse[]): Shared {
  const [agents, sessions] = [new Map<string, number>(), new Map<string, number>()];
  let [gained, elsewhere] = [0, 0];
  // The use before the very first sample is unknown.
  let before = isWhole ? { at: beginsAt, used: 0 } : { at: beginsAt, used: samples[0]?.used ?? 0 };
  let next = 0;
  for (const sample of samples) {
    const since: AccountUse[] = [];
    // A response reports the state at its start; its own use counts at its end.
    for (let use = uses[next]; use && use.at < sample.at; use = uses[++next]) since.push(use);
    const rise = Math.max(0, sample.used - before.used);
    const tokens = since.reduce((sum, use) => sum + use.tokens, 0);
    gained += rise;
    if (tokens === 0) elsewhere += rise;
    else
      for (const use of since) {
        const part = (rise * use.tokens) / tokens;
        agents.set(use.agent, (agents.get(use.agent) ?? 0) + part);
        sessions.set(use.session, (sessions.get(use.session) ?? 0) + part);
      }
    before = sample;
  }
  return {
    gained,
    elsewhere,
    agents: largest(agents, AGENTS_SHOWN).map(([agent, part]) => ({ agent, part })),
    sessions: largest(sessions, SESSIONS_SHOWN).map(([session, part]) => ({ session, part })),
  };
}

const largest = (parts: ReadonlyMap<string, number>, most: number): (readonly [name: string, part: number])[] =>
  [...parts]
    .filter(([, part]) => part > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, most);

export function pointsOf({ samples, beginsAt, endsAt }: PastWindow, now: number): LimitCourse['points'] {
  const until = Math.min(now, endsAt);
  const each = (endsAt - beginsAt) / POINTS;
  const points: LimitCourse['points'] = [];
  let [used, next]: [number | null, number] = [null, 0];
  for (let nth = 0; nth < POINTS && beginsAt + nth * each < until; nth++) {
    const at = Math.min(until, beginsAt + (nth + 1) * each);
    for (let sample = samples[next]; sample && sample.at <= at; sample = samples[++next]) used = sample.used;
    points.push({ at, used });
  }
  return points;
}
