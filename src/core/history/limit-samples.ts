import type { EngineState, Window } from '../../engine';
import { entries, isPlan } from '../../engine/tools';
import type { LimitSample } from '../base/store-rows';

const STEP = 0.005;
/** A part of the window's length, and a minimum in ms. */
const SAME_RESET = 0.01;
const SAME_RESET_MS = 60_000;

export const isSameWindow = (
  a: Pick<LimitSample, 'resetAt' | 'lengthMs'>,
  b: Pick<LimitSample, 'resetAt' | 'lengthMs'>,
): boolean => Math.abs(a.resetAt - b.resetAt) <= Math.max(SAME_RESET_MS, (b.lengthMs ?? 0) * SAME_RESET);

type Moment = Pick<EngineState, 'windows' | 'counted'> & Readonly<{ now: number; wallOf(engineMs: number): number }>;

export type LimitSampler = (moment: Moment) => readonly LimitSample[];

const NONE: readonly LimitSample[] = [];

export function createLimitSampler(): LimitSampler {
  let seen: Pick<EngineState, 'windows' | 'counted'> | null = null;
  const last = new Map<string, LimitSample>();
  const newIn = (account: string, window: Window, wallOf: Moment['wallOf']): LimitSample[] => {
    const sample = sampleOf(account, window, wallOf);
    const key = JSON.stringify([account, window.id, window.model]);
    const before = last.get(key);
    if (!sample || (before && isSameWindow(before, sample) && Math.abs(sample.used - before.used) < STEP)) return [];
    last.set(key, sample);
    return [sample];
  };
  return ({ windows, counted, now, wallOf }) => {
    if (windows === seen?.windows && counted === seen.counted) return NONE;
    const news = [windows === seen?.windows ? [] : windows, counted === seen?.counted ? [] : counted];
    seen = { windows, counted };
    // Older reports are already stored.
    return news
      .flatMap(entries)
      .flatMap(([account, list]) =>
        list.filter(({ at }) => at === now).flatMap((window) => newIn(account, window, wallOf)),
      );
  };
}

function sampleOf(account: string, window: Window, wallOf: Moment['wallOf']): LimitSample | null {
  const { id, model, at, used, resetAt, lengthMs, refills } = window;
  // A limit that refills continuously never starts a new window: its reset is when it is full.
  if (resetAt === null || refills !== 'at_reset' || !isPlan(window)) return null;
  return { account, window: id, model, at: wallOf(at), used, resetAt: wallOf(resetAt), lengthMs };
}
