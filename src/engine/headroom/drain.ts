import type { ModelId } from '../base/ids';
import type { Shortage, Window } from '../base/window';
import { paceIn } from './pace';
import { shortageFrom } from './short';
import { counts, isPlan, levelAt } from './window';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Longest age of an idle plan's pace, in ms: work is likely the same the next day. */
const WORK_MS = DAY_MS;

/** The plan whose work moves elsewhere. */
export type Leaving = Readonly<{ windows: readonly Window[]; model: ModelId }>;

/**
 * The plan that moved work would use up first within `forMs` (at most a day) and before its reset, at the moved rate
 * or its own faster pace. Windows shorter than a day recover within it.
 */
export function drainedBy(
  windows: readonly Window[],
  { model, leaving, now, forMs }: Readonly<{ model: ModelId; leaving: Leaving; now: number; forMs: number }>,
): Shortage | null {
  const perHour = requestsPerHour(leaving, now);
  if (perHour === null) return null;
  let ruling: Shortage | null = null;
  for (const window of windows) {
    const short = counts(window, model) ? emptied(window, { requests: perHour, now, forMs }) : null;
    if (short && (short.fullInMs ?? 0) < (ruling?.fullInMs ?? Number.POSITIVE_INFINITY)) ruling = short;
  }
  return ruling;
}

type Load = Readonly<{ requests: number; now: number; forMs: number }>;

function emptied(window: Window, { requests, now, forMs }: Load): Shortage | null {
  const { lengthMs, resetAt, source, refills, isOverdrawable, isShownOnly = false } = window;
  if (lengthMs === null || lengthMs < DAY_MS || resetAt === null || refills !== 'at_reset') return null;
  if (source !== 'provider' || isOverdrawable || isShownOnly) return null;
  const level = levelAt(window, now);
  const perHour = Math.max(paceIn(window, now) ?? 0, requests * (takenBy(window) ?? 0));
  if (level === null || level.used >= 1 || !(perHour > 0)) return null;
  const fullInMs = ((1 - level.used) / perHour) * HOUR_MS;
  if (fullInMs >= Math.min(DAY_MS, forMs, resetAt - now)) return null;
  return { ...shortageFrom(window, 'headroom.drain', { level, needs: null, until: resetAt }), fullInMs };
}

function requestsPerHour({ windows, model }: Leaving, now: number): number | null {
  let most: number | null = null;
  for (const window of windows) {
    if (!isPlan(window) || window.source !== 'provider' || window.isShownOnly || !counts(window, model)) continue;
    const [perHour, each] = [paceIn(window, now, WORK_MS), takenBy(window)];
    if (perHour !== null && each !== null) most = Math.max(most ?? 0, perHour / each);
  }
  return most;
}

const takenBy = ({ step }: Window): number | null =>
  step && step.count > 0 && step.sum > 0 ? step.sum / step.count : null;
