import type { ModelId } from '../base/ids';
import type { HeadroomRules, Shortage, Spend, Window } from '../base/window';
import { owedOf, stepOf } from './keep';
import { counts, isEstimate, isPlan, type Level, levelAt } from './window';

/** One request that is under way, or about to leave. */
export type Asked = Readonly<{
  model: ModelId;
  spend: Spend | undefined;
  /** Its response has come: what was weighed when it was admitted is in what that says. */
  isSeen?: boolean;
}>;

/** What is asked of the windows of an account. */
export type Ahead = Readonly<{
  now: number;
  /** The request that is to leave. */
  next: Asked;
  /** Those of the same account that are under way. */
  others: readonly Asked[];
  rules: HeadroomRules;
  /** How full a plan may be at most for a turn to begin; null within a turn, which is finished as long as it fits. */
  most: number | null;
  /** Whether `most` is lower for what is kept for another agent. */
  isReserved: boolean;
}>;

/** The window that is in the way of a request: of several the one that ends last. Null where it fits, as far as anybody knows. */
export function shortageOf(windows: readonly Window[], ahead: Ahead): Shortage | null {
  let ruling: Shortage | null = null;
  for (const window of windows) {
    const short = shortIn(window, ahead);
    if (short && (ruling === null || endOf(short) > endOf(ruling))) ruling = short;
  }
  return ruling;
}

const endOf = ({ until }: Shortage): number => until ?? Number.NEGATIVE_INFINITY;

function shortIn(window: Window, ahead: Ahead): Shortage | null {
  const { now, next, rules, most } = ahead;
  if (!counts(window, next.model) || (isEstimate(window) && !rules.trustsEstimates)) return null;
  const level = levelAt(window, now);
  if (level === null || window.isShownOnly || !isBelieved(window, level, now)) return null;
  const { isRefusing, isOverdrawable, limit, unit, resetAt } = window;
  if (isRefusing && !isOverdrawable && window.refills === 'at_reset')
    return told(window, 'headroom.refused', { level, needs: null, until: resetAt });
  const spent = level.used;
  if (most !== null && isPlan(window) && spent >= most && (ahead.isReserved || !isOverdrawable))
    return told(window, ahead.isReserved && spent < rules.moveAt ? 'headroom.reserve' : 'headroom.plan', {
      level,
      needs: null,
      until: fallsBelow(window, level, { most, now }),
    });
  if (isOverdrawable) return null;
  const own = needOf(window, next);
  // What a whole window would not hold was reckoned wrong, or nobody could ever ask it.
  if (limit !== null && own > limit) return null;
  const taken = ahead.others.reduce((sum, other) => sum + pendingOf(window, other), 0);
  const alone = leftOf(window, level);
  const left = alone - taken - strayOf(window, ahead.others);
  if (own === 0 ? left > 0 : left >= own) return null;
  const code = unit === 'requests' ? 'headroom.requests' : limit === null ? 'headroom.plan' : 'headroom.tokens';
  // Where a plan would have room were nobody else under way, nobody can tell when they are through.
  const isOthers = window.refills === 'at_reset' && alone >= own && alone > 0;
  const until = isOthers ? null : fitsAt(window, now, own - left);
  return told(window, code, { level, needs: limit === null ? null : own, until });
}

/** What is left of a window, in its unit; of one whose share alone is known, as a part of it. */
function leftOf(window: Window, { used, remaining }: Level): number {
  const { limit } = window;
  if (limit === null) return 1 - used - owedOf(window);
  return (remaining ?? limit * (1 - used)) - owedOf(window) * limit;
}

/** How much is kept free for that, by what 60 runs each of 1, 2, 4 and 8 sessions at once came to. Source: docs/bench.md. */
const STRAY = 0.7;
const STRAY_ALONE = 0.5;

/**
 * How far what nobody has told of may be from its estimate: a part of the window, of which only the share is known. What many
 * requests take evens out, as the root of how many they are. With none under way the next one finds out alone.
 */
function strayOf(window: Window, others: readonly Asked[]): number {
  if (window.limit !== null) return 0;
  const { mean, most } = stepOf(window);
  const count = others.reduce((sum, { model }) => sum + (counts(window, model) ? 1 : 0), 0);
  const root = Math.sqrt(window.owed.length + count);
  return (most - mean) * (count === 0 ? Math.min(STRAY_ALONE, root) : root * STRAY);
}

/** Use of a window by a request, in its unit; 0 if unknown, so that only an empty window stops it. */
function needOf(window: Window, { spend }: Asked): number {
  const { unit, limit, charges } = window;
  if (limit === null) return stepOf(window).most;
  if (unit === 'requests') return 1;
  if (!spend || unit === 'share' || unit === 'credits') return 0;
  // What we count ourselves counts what came out of a cache as well.
  const sent = charges === 'maximum' || isEstimate(window) ? spend.input : spend.fresh;
  const [input, output] = [sent, charges === 'maximum' ? spend.most : spend.output];
  if (unit === 'input_tokens') return input;
  return unit === 'output_tokens' ? output : input + output;
}

/** What a request that is under way takes beyond what its response has told of. */
function pendingOf(window: Window, other: Asked): number {
  if (!counts(window, other.model)) return 0;
  const { unit, limit, charges } = window;
  const isWeighed = limit !== null && (unit === 'requests' || charges === 'maximum' || unit === 'input_tokens');
  // What we count ourselves is counted when its request has ended.
  if (isWeighed && other.isSeen && !isEstimate(window)) return 0;
  if (limit === null) return stepOf(window).mean;
  const need = needOf(window, other);
  // What a whole window would not hold was reckoned wrong.
  return need > limit ? 0 : need;
}

/** How long a plan that is not spent is believed to be as full as it was, in ms: then one turn finds out. It may have begun anew early, or have been changed. */
const BELIEVED_MS = 21_600_000;

/** True if the report of a window still counts: of a spent one until its end, of a nearly spent one for some hours. Our own counts always do. */
const isBelieved = (window: Window, { used }: Level, now: number): boolean =>
  window.isRefusing || used >= 1 || isEstimate(window) || now - window.at < BELIEVED_MS;

/** When a window is less full than a turn may begin with, in engine ms; null where nobody can tell. */
function fallsBelow(
  { refills, resetAt }: Window,
  { used }: Level,
  { most, now }: Readonly<{ most: number; now: number }>,
): number | null {
  if (refills === 'at_reset' || resetAt === null || used <= 0) return resetAt;
  return now + Math.max(0, 1 - most / used) * (resetAt - now);
}

/** When so much more is there, in engine ms; null where nobody can tell. */
function fitsAt({ refills, resetAt, limit, remaining, used, at }: Window, now: number, missing: number): number | null {
  if (resetAt === null || refills === 'at_reset' || resetAt <= at) return resetAt;
  const [all, left] = limit === null ? [1, 1 - used] : [limit, remaining ?? limit * (1 - used)];
  const perMs = (all - left) / (resetAt - at);
  return perMs > 0 ? Math.min(resetAt, now + missing / perMs) : resetAt;
}

type Told = Readonly<{ level: Level; needs: number | null; until: number | null }>;

/** What there is to say of a window that stands in the way. */
export const told = (window: Window, code: Shortage['code'], { level, needs, until }: Told): Shortage => ({
  code,
  window: window.id,
  unit: window.unit,
  lengthMs: window.lengthMs,
  used: level.used,
  limit: window.limit,
  remaining: level.remaining,
  needs,
  until,
  ...(isEstimate(window) ? { isEstimate: true } : {}),
});

/**
 * When the windows that are spent are back, in engine ms: the last of them. Null where none is, or none says when. What refills all
 * the time is back long before it is full; a quota is a plan's.
 */
export function spentUntil(
  windows: readonly Window[],
  { model, now, isQuota }: Readonly<{ model: ModelId; now: number; isQuota: boolean }>,
): number | null {
  let until: number | null = null;
  for (const window of windows) {
    const level = levelAt(window, now);
    const { resetAt, refills, isRefusing, isOverdrawable, isShownOnly } = window;
    if (level === null || resetAt === null || refills !== 'at_reset') continue;
    // What a provider goes on beyond is in nobody's way.
    if (isOverdrawable || isShownOnly || (isQuota && !isPlan(window)) || !counts(window, model)) continue;
    const isSpent = isRefusing || level.used >= 1 || level.remaining === 0;
    if (isSpent && (until === null || resetAt > until)) until = resetAt;
  }
  return until;
}
