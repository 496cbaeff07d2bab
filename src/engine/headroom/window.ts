import { type ModelId, nameOf } from '../base/ids';
import type { Window } from '../base/window';

/** Trusted age of a window without reset or length, in ms. */
const BELIEVED_MS = 300_000;
/** Trusted age in general, and without a reset, in ms. */
const BELIEVED_MOST_MS = 31 * 86_400_000;
const WITHOUT_RESET_MOST_MS = 3_600_000;
/** Trusted age of another machine's findings, in ms. Longer limits are then tested, and the result is shared. */
export const BELIEVED_ELSEWHERE_MS = 86_400_000;
/** Windows of this length belong to a plan, whose recovery takes long. */
const PLAN_MIN_MS = 3_600_000;

/** True if it has reset, or was reported too long ago. */
export const isPast = ({ resetAt, at, lengthMs, machine }: Window, now: number): boolean =>
  (machine !== undefined && now - at >= BELIEVED_ELSEWHERE_MS) ||
  (resetAt === null
    ? now - at >= Math.min(WITHOUT_RESET_MOST_MS, lengthMs ?? BELIEVED_MS)
    : now >= resetAt || now - at >= BELIEVED_MOST_MS);

/** Not refilled within minutes. */
export const isPlan = ({ unit, lengthMs }: Pick<Window, 'unit' | 'lengthMs'>): boolean =>
  lengthMs === null ? unit === 'share' || unit === 'credits' : lengthMs >= PLAN_MIN_MS;

const DAY_MS = 86_400_000;
export const isMonth = (ms: number): boolean => ms >= 28 * DAY_MS && ms <= 31 * DAY_MS;

export const isEstimate = ({ source }: Pick<Window, 'source'>): boolean => source !== 'provider';

export type Level = Readonly<{ used: number; remaining: number | null }>;

/** Null if the report has expired, never a guessed 0; our own count is 0 after a reset. */
export function levelAt(window: Window, now: number): Level | null {
  const { used, limit, remaining, refills, resetAt, at } = window;
  if (isPast(window, now)) return isEstimate(window) ? { used: 0, remaining: limit } : null;
  if (refills === 'at_reset' || resetAt === null || resetAt <= at) return { used, remaining };
  const back = Math.min(1, Math.max(0, (now - at) / (resetAt - at)));
  const left = remaining === null || limit === null ? remaining : remaining + (limit - remaining) * back;
  return { used: used * (1 - back), remaining: left };
}

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
