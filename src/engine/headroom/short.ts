import type { ModelId } from '../base/ids';
import type { HeadroomRules, Shortage, Spend, Window } from '../base/window';
import { owedOf, stepOf } from './keep';
import { counts, isEstimate, isPlan, type Level, levelAt } from './window';

export type Asked = Readonly<{
  model: ModelId;
  spend: Spend | undefined;
  /** Its response includes what admission counted. */
  isSeen?: boolean;
}>;

export type Ahead = Readonly<{
  now: number;
  next: Asked;
  others: readonly Asked[];
  rules: HeadroomRules;
  /** Level from which no turn may begin; null within a turn, which is finished if it fits. */
  most: number | null;
  isReserved: boolean;
}>;

/** The window that blocks a request, of several the one that ends last. */
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
    return shortageFrom(window, 'headroom.refused', { level, needs: null, until: resetAt });
  const spent = level.used;
  if (most !== null && isPlan(window) && spent >= most && (ahead.isReserved || !isOverdrawable))
    return shortageFrom(window, ahead.isReserved && spent < rules.moveAt ? 'headroom.reserve' : 'headroom.plan', {
      level,
      needs: null,
      until: fallsBelow(window, level, { most, now }),
    });
  if (isOverdrawable) return null;
  const own = needOf(window, next);
  // A wrong estimate, or nothing could ever be sent.
  if (limit !== null && own > limit) return null;
  const taken = ahead.others.reduce((sum, other) => sum + pendingOf(window, other), 0);
  const alone = leftOf(window, level);
  const left = alone - taken - strayOf(window, ahead.others);
  if (own === 0 ? left > 0 : left >= own) return null;
  const code = unit === 'requests' ? 'headroom.requests' : limit === null ? 'headroom.plan' : 'headroom.tokens';
  // Only requests in flight fill the plan: their end is unknown.
  const isOthers = window.refills === 'at_reset' && alone >= own && alone > 0;
  const until = isOthers ? null : fitsAt(window, now, own - left);
  return shortageFrom(window, code, { level, needs: limit === null ? null : own, until });
}

/** In the window's unit, or a part of it. */
function leftOf(window: Window, { used, remaining }: Level): number {
  const { limit } = window;
  if (limit === null) return 1 - used - owedOf(window);
  return (remaining ?? limit * (1 - used)) - owedOf(window) * limit;
}

/** From 60 runs each with 1, 2, 4 and 8 concurrent sessions. Source: docs/bench.md. */
const STRAY = 0.7;
const STRAY_ALONE = 0.5;

/**
 * Margin for unreported use, growing with the root of the number of requests; with none in flight, the next one
 * measures it.
 */
function strayOf(window: Window, others: readonly Asked[]): number {
  if (window.limit !== null) return 0;
  const { mean, most } = stepOf(window);
  const count = others.reduce((sum, { model }) => sum + (counts(window, model) ? 1 : 0), 0);
  const root = Math.sqrt(window.owed.length + count);
  return (most - mean) * (count === 0 ? Math.min(STRAY_ALONE, root) : root * STRAY);
}

/** 0 if unknown, so that only an empty window blocks. */
function needOf(window: Window, { spend }: Asked): number {
  const { unit, limit, charges } = window;
  if (limit === null) return stepOf(window).most;
  if (unit === 'requests') return 1;
  if (!spend || unit === 'share' || unit === 'credits') return 0;
  // Our own counts include cached input.
  const sent = charges === 'maximum' || isEstimate(window) ? spend.input : spend.fresh;
  const [input, output] = [sent, charges === 'maximum' ? spend.most : spend.output];
  if (unit === 'input_tokens') return input;
  return unit === 'output_tokens' ? output : input + output;
}

/** Use by a request in flight that its response does not include. */
function pendingOf(window: Window, other: Asked): number {
  if (!counts(window, other.model)) return 0;
  const { unit, limit, charges } = window;
  const isWeighed = limit !== null && (unit === 'requests' || charges === 'maximum' || unit === 'input_tokens');
  // Our count includes a request at its end.
  if (isWeighed && other.isSeen && !isEstimate(window)) return 0;
  if (limit === null) return stepOf(window).mean;
  const need = needOf(window, other);
  return need > limit ? 0 : need;
}

/** An unspent plan is trusted this long, in ms: it may have reset or changed, and one turn then measures it. */
const BELIEVED_MS = 21_600_000;

/** A spent plan is trusted until its end, our own counts always. */
const isBelieved = (window: Window, { used }: Level, now: number): boolean =>
  window.isRefusing || used >= 1 || isEstimate(window) || now - window.at < BELIEVED_MS;

/** Engine ms at which a turn may begin. */
function fallsBelow(
  { refills, resetAt }: Window,
  { used }: Level,
  { most, now }: Readonly<{ most: number; now: number }>,
): number | null {
  if (refills === 'at_reset' || resetAt === null || used <= 0) return resetAt;
  return now + Math.max(0, 1 - most / used) * (resetAt - now);
}

/** Engine ms at which `missing` more is available. */
function fitsAt({ refills, resetAt, limit, remaining, used, at }: Window, now: number, missing: number): number | null {
  if (resetAt === null || refills === 'at_reset' || resetAt <= at) return resetAt;
  const [all, left] = limit === null ? [1, 1 - used] : [limit, remaining ?? limit * (1 - used)];
  const perMs = (all - left) / (resetAt - at);
  return perMs > 0 ? Math.min(resetAt, now + missing / perMs) : resetAt;
}

type Told = Readonly<{ level: Level; needs: number | null; until: number | null }>;

export const shortageFrom = (window: Window, code: Shortage['code'], { level, needs, until }: Told): Shortage => ({
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
 * Engine ms at which all spent windows have reset. Evenly refilled ones are usable long before; for a quota only plans
 * count.
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
    // Overdrafts block nothing.
    if (isOverdrawable || isShownOnly || (isQuota && !isPlan(window)) || !counts(window, model)) continue;
    const isSpent = isRefusing || level.used >= 1 || level.remaining === 0;
    if (isSpent && (until === null || resetAt > until)) until = resetAt;
  }
  return until;
}
