import type { ModelId } from '../base/ids';
import type { HeardWindow, SeenWindow, Step, Window, WindowSource } from '../base/window';
import { pacedBy } from './pace';
import { counts, isPast, levelAt } from './window';

/** Per account; more were never seen. */
export const WINDOWS_MAX = 40;
/** Providers round resets to seconds; closer ones are equal. */
const SAME_RESET_MS = 2_000;
/** Assumed and maximum use of one request, as a part of a window. */
const STEP_UNKNOWN = 0.01;
const STEP_MAX = 0.02;
/** Decay per request: of the maximum, and of the sum. */
const MOST_KEPT = 0.95;
const SUM_KEPT = 0.98;
const ROUGH = 0.001;
export const OWED_MAX = 100;

/** `sentAt` is null if unknown. */
type Heard = Readonly<{
  model: ModelId;
  now: number;
  sentAt: number | null;
  source?: WindowSource;
  machine?: string;
}>;

export function applyWindows(existing: readonly Window[], seen: readonly SeenWindow[], by: Heard): readonly Window[] {
  if (seen.length === 0) return existing;
  const next = existing.filter((window) => !isPast(window, by.now) || window.step !== null);
  for (const each of seen) {
    const model = each.of === 'model' ? by.model : null;
    const at = next.findIndex((window) => window.id === each.id && window.model === model);
    const old = next[at];
    const window = old ? renewed(old, each, by) : begun(each, by, null);
    if (at < 0) next.push(window);
    else next[at] = window;
  }
  if (next.length <= WINDOWS_MAX) return next;
  // Another machine's report never displaces a local one.
  const isOwn = ({ machine }: Window): number => (machine === undefined ? 1 : 0);
  return next.sort((a, b) => isOwn(b) - isOwn(a) || b.at - a.at).slice(0, WINDOWS_MAX);
}

/** Older reports change nothing. */
export function heardElsewhere(
  existing: readonly Window[],
  all: readonly HeardWindow[],
  now: number,
): readonly Window[] {
  return all.reduce((windows, { model, family, agoMs, sentAgoMs, machine, ...window }) => {
    const of = model !== null ? 'model' : family !== null ? { family } : 'account';
    const resetInMs = window.resetInMs === null ? null : window.resetInMs + agoMs;
    const by = { model: model ?? '', now: now - agoMs, sentAt: now - sentAgoMs, machine };
    return applyWindows(windows, [{ ...window, of, resetInMs }], by);
  }, existing);
}

/** Counted windows continue until their reset; unnamed ones end. */
export function recounted(existing: readonly Window[], seen: readonly SeenWindow[], now: number): readonly Window[] {
  const by = { model: '', now, sentAt: now, source: 'counted' } as const;
  return seen.map((each) => {
    const old = existing.find(({ id }) => id === each.id);
    return old && !isPast(old, now) ? renewed(old, each, by) : begun(each, by, null);
  });
}

/** Only the observed use per request carries over. */
function begun(seen: SeenWindow, by: Heard, old: Window | null): Window {
  const { model, now, sentAt, source = 'provider', machine } = by;
  return {
    id: seen.id,
    unit: seen.unit,
    lengthMs: seen.lengthMs,
    model: seen.of === 'model' ? model : null,
    family: typeof seen.of === 'object' ? seen.of.family.toLowerCase() : null,
    used: seen.used,
    limit: seen.limit,
    remaining: seen.remaining,
    resetAt: seen.resetInMs === null ? null : now + seen.resetInMs,
    refills: seen.refills,
    charges: seen.charges,
    source,
    isRuling: seen.isRuling ?? false,
    isRefusing: seen.isRefusing ?? false,
    isOverdrawable: seen.isOverdrawable ?? false,
    ...(seen.isShownOnly ? { isShownOnly: true } : {}),
    ...(machine === undefined ? {} : { machine }),
    at: now,
    asOf: sentAt ?? now,
    step: old?.step ?? null,
    owed: [],
    pace: null,
    passed: 0,
  };
}

/**
 * A response whose request left after the last response is newer; of concurrent ones the fuller counts, and a later
 * reset starts another window.
 */
function renewed(old: Window, seen: SeenWindow, by: Heard): Window {
  const next = begun(seen, by, old);
  const level = levelAt(old, by.now);
  if (level === null) return next;
  // Another machine's older response counts only if it would still be fuller.
  if (by.machine !== undefined && by.now <= old.at && (levelAt(next, old.at)?.used ?? 0) <= old.used + ROUGH)
    return old;
  const isNewer = by.sentAt !== null && by.sentAt >= old.at;
  const apartMs = old.resetAt === null || next.resetAt === null ? 0 : next.resetAt - old.resetAt;
  // Relative resets are as uncertain as their response's travel time.
  const blurMs = SAME_RESET_MS + (isNewer || by.sentAt === null ? 0 : by.now - by.sentAt);
  const isSame = old.refills === 'evenly' ? seen.refills === 'evenly' : Math.abs(apartMs) <= blurMs;
  const isLess = isSame ? next.used <= level.used && !(next.isRefusing && !old.isRefusing) : apartMs < 0;
  if (!isNewer && isLess) {
    const asOf = Math.max(old.asOf, by.sentAt ?? old.asOf);
    return { ...old, asOf, at: isSame && next.used === level.used ? Math.max(old.at, by.now) : old.at };
  }
  // A rolling window has a new reset each time.
  const isRolling = next.used >= level.used && old.lengthMs !== null && Math.abs(apartMs) < old.lengthMs / 2;
  return isSame || isRolling ? { ...next, ...carried(old, next, by, level.used) } : next;
}

function carried(old: Window, next: Window, { now, machine }: Heard, level: number): Partial<Window> {
  const gain = next.used - level;
  const asOf = Math.max(old.asOf, next.asOf);
  // The response includes requests that ended before its request left.
  const owed = old.owed.filter(({ at }) => at > asOf);
  const paced = { gain, overMs: now - old.at, at: now };
  return {
    owed,
    asOf,
    passed: old.passed,
    at: Math.max(old.at, next.at),
    // Other machines' requests show nothing about local ones.
    step: machine === undefined ? steppedBy(old.step, gain, old.owed.length - owed.length) : old.step,
    pace: old.refills === 'evenly' ? null : pacedBy(old.pace, old.lengthMs, paced),
  };
}

function steppedBy(step: Step | null, gain: number, count: number): Step | null {
  if (count === 0 && gain <= 0) return step;
  const remainder = SUM_KEPT ** count;
  // Other clients used the rest.
  const taken = Math.min(STEP_MAX * Math.max(1, count), Math.max(0, gain));
  const each = taken / Math.max(1, count);
  return {
    sum: (step?.sum ?? 0) * remainder + taken,
    count: (step?.count ?? 0) * remainder + count,
    most: Math.max(each, (step?.most ?? 0) * MOST_KEPT),
  };
}

export function stepOf({ step }: Window): Readonly<{ mean: number; most: number }> {
  if (step === null) return { mean: STEP_UNKNOWN, most: STEP_UNKNOWN };
  const mean = step.count > 0 ? Math.min(STEP_MAX, step.sum / step.count) : step.most;
  return { mean, most: Math.max(mean, step.most) };
}

/** Local use that no response includes yet, as a part of the window. */
export function owedOf(window: Window): number {
  if (window.owed.length === 0) return 0;
  const { mean } = stepOf(window);
  return window.owed.reduce((sum, { part }) => sum + (part ?? mean), 0);
}

type Ended = Readonly<{ model: ModelId; now: number; outputTokens: number }>;

/** For requests whose response could not include their use. */
export function owing(existing: readonly Window[], { model, now, outputTokens }: Ended): readonly Window[] {
  if (!existing.some((window) => isOwed(window) && counts(window, model))) return existing;
  return existing.map((window) => {
    if (!isOwed(window) || !counts(window, model)) return window;
    const part = window.limit === null ? null : outputTokens / window.limit;
    return { ...window, owed: [...window.owed.slice(1 - OWED_MAX), { at: now, part }] };
  });
}

/** The response precedes the counting, as for a plan's share or output. */
const isOwed = ({ unit, limit, charges }: Window): boolean =>
  limit === null || (charges === 'used' && (unit === 'output_tokens' || unit === 'tokens'));
