import { type ModelId, nameOf } from '../base/ids';
import type { Window } from '../base/window';

/** How long what a window without a reset says is believed, in ms, where nobody says how long it is. */
const BELIEVED_MS = 300_000;
/** Nothing a provider says is believed beyond that, in ms; without a reset not beyond an hour. */
const BELIEVED_MOST_MS = 31 * 86_400_000;
const WITHOUT_RESET_MOST_MS = 3_600_000;
/**
 * How long what another machine has found out is believed, in ms from when that was: what lasts longer is then looked at once, and
 * whoever does so tells the others anew.
 */
export const BELIEVED_ELSEWHERE_MS = 86_400_000;
/** Windows of at least this length are a plan's: whoever has spent one waits long. */
const PLAN_MIN_MS = 3_600_000;

/** Whether nothing is known of it any more: it has begun anew, or was heard of too long ago. */
export const isPast = ({ resetAt, at, lengthMs, machine }: Window, now: number): boolean =>
  (machine !== undefined && now - at >= BELIEVED_ELSEWHERE_MS) ||
  (resetAt === null
    ? now - at >= Math.min(WITHOUT_RESET_MOST_MS, lengthMs ?? BELIEVED_MS)
    : now >= resetAt || now - at >= BELIEVED_MOST_MS);

/** Whether it is one that is spent over hours, and not refilled within minutes. */
export const isPlan = ({ unit, lengthMs }: Pick<Window, 'unit' | 'lengthMs'>): boolean =>
  lengthMs === null ? unit === 'share' || unit === 'credits' : lengthMs >= PLAN_MIN_MS;

const DAY_MS = 86_400_000;
/** Whether a length is that of a month: they are not all alike. */
export const isMonth = (ms: number): boolean => ms >= 28 * DAY_MS && ms <= 31 * DAY_MS;

/** Whether nobody but ourselves says how full it is. */
export const isEstimate = ({ source }: Pick<Window, 'source'>): boolean => source !== 'provider';

/** How full it is. */
export type Level = Readonly<{ used: number; remaining: number | null }>;

/**
 * How full it is at `now`, by what was last heard of it; null where nothing is known any more: never 0 by guess. What we count
 * ourselves is empty once it has begun anew.
 */
export function levelAt(window: Window, now: number): Level | null {
  const { used, limit, remaining, refills, resetAt, at } = window;
  if (isPast(window, now)) return isEstimate(window) ? { used: 0, remaining: limit } : null;
  if (refills === 'at_reset' || resetAt === null || resetAt <= at) return { used, remaining };
  const back = Math.min(1, Math.max(0, (now - at) / (resetAt - at)));
  const left = remaining === null || limit === null ? remaining : remaining + (limit - remaining) * back;
  return { used: used * (1 - back), remaining: left };
}

/** Whether a window counts what a model is asked. */
export function counts({ model: own, family }: Pick<Window, 'model' | 'family'>, model: ModelId): boolean {
  if (own !== null) return own === model;
  return family === null || hasPart(nameOf(model).toLowerCase(), family);
}

function hasPart(name: string, text: string): boolean {
  for (let at = name.indexOf(text); at >= 0; at = name.indexOf(text, at + 1))
    if (!isLetter(name[at - 1]) && !isLetter(name[at + text.length])) return true;
  return false;
}

const isLetter = (sign: string | undefined): boolean => sign !== undefined && sign >= 'a' && sign <= 'z';
