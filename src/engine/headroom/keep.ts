import type { ModelId } from '../base/ids';
import type { HeardWindow, SeenWindow, Step, Window, WindowSource } from '../base/window';
import { pacedBy } from './pace';
import { counts, isPast, levelAt } from './window';

/** Windows that are kept of one account; more were never seen. */
export const WINDOWS_MAX = 40;
/** Resets that are no further apart are the same one: providers round them to seconds. */
const SAME_RESET_MS = 2_000;
/** What one request is taken for where none has been seen to take anything, and at most: a part of a window. */
const STEP_UNKNOWN = 0.01;
const STEP_MAX = 0.02;
/** How much of what older requests took stays with each newer one: of the largest, and of the sum. */
const MOST_KEPT = 0.95;
const SUM_KEPT = 0.98;
/** Levels that differ by less, a part of a window, are the same one. */
const ROUGH = 0.001;
/** Ended requests that are remembered until a response tells of them. */
export const OWED_MAX = 100;

/** How a response came by: when, and when its request left; null where that is not known. */
type Heard = Readonly<{
  model: ModelId;
  now: number;
  sentAt: number | null;
  source?: WindowSource;
  /** Another machine that heard it. */
  machine?: string;
}>;

/** The windows of an account after one of its responses. */
export function heard(known: readonly Window[], seen: readonly SeenWindow[], by: Heard): readonly Window[] {
  if (seen.length === 0) return known;
  const next = known.filter((window) => !isPast(window, by.now) || window.step !== null);
  for (const each of seen) {
    const model = each.of === 'model' ? by.model : null;
    const at = next.findIndex((window) => window.id === each.id && window.model === model);
    const old = next[at];
    const window = old ? renewed(old, each, by) : begun(each, by, null);
    if (at < 0) next.push(window);
    else next[at] = window;
  }
  if (next.length <= WINDOWS_MAX) return next;
  // The newest stay; what another machine says takes the place of nothing that was heard here.
  const isOwn = ({ machine }: Window): number => (machine === undefined ? 1 : 0);
  return next.sort((a, b) => isOwn(b) - isOwn(a) || b.at - a.at).slice(0, WINDOWS_MAX);
}

/** The windows of an account after another machine has said what a response told it. What is older than what is known changes nothing. */
export function heardElsewhere(known: readonly Window[], all: readonly HeardWindow[], now: number): readonly Window[] {
  return all.reduce((windows, { model, family, agoMs, sentAgoMs, machine, ...window }) => {
    const of = model !== null ? 'model' : family !== null ? { family } : 'account';
    const resetInMs = window.resetInMs === null ? null : window.resetInMs + agoMs;
    const by = { model: model ?? '', now: now - agoMs, sentAt: now - sentAgoMs, machine };
    return heard(windows, [{ ...window, of, resetInMs }], by);
  }, known);
}

/** The windows of an account as they were counted: each goes on until it begins anew, and those not named are gone. */
export function recounted(known: readonly Window[], seen: readonly SeenWindow[], now: number): readonly Window[] {
  const by = { model: '', now, sentAt: now, source: 'counted' } as const;
  return seen.map((each) => {
    const old = known.find(({ id }) => id === each.id);
    return old && !isPast(old, now) ? renewed(old, each, by) : begun(each, by, null);
  });
}

/** A window of which nothing older counts; what its requests take stays known. */
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
 * A window that was known before. What a request says that left after the last word came is newer, whatever it is; of two
 * that were under way together the fuller one counts within one window, and a later reset is another window.
 */
function renewed(old: Window, seen: SeenWindow, by: Heard): Window {
  const next = begun(seen, by, old);
  const level = levelAt(old, by.now);
  if (level === null) return next;
  // Another machine's word of a response that came no later says nothing new, unless it would still be fuller by then.
  if (by.machine !== undefined && by.now <= old.at && (levelAt(next, old.at)?.used ?? 0) <= old.used + ROUGH)
    return old;
  const isNewer = by.sentAt !== null && by.sentAt >= old.at;
  const apartMs = old.resetAt === null || next.resetAt === null ? 0 : next.resetAt - old.resetAt;
  // A reset that is said as a time to go is as uncertain as its response was long on its way.
  const blurMs = SAME_RESET_MS + (isNewer || by.sentAt === null ? 0 : by.now - by.sentAt);
  const isSame = old.refills === 'evenly' ? seen.refills === 'evenly' : Math.abs(apartMs) <= blurMs;
  const isLess = isSame ? next.used <= level.used && !(next.isRefusing && !old.isRefusing) : apartMs < 0;
  if (!isNewer && isLess) {
    const asOf = Math.max(old.asOf, by.sentAt ?? old.asOf);
    return { ...old, asOf, at: isSame && next.used === level.used ? Math.max(old.at, by.now) : old.at };
  }
  // A window that rolls on tells another reset each time.
  const isRolling = next.used >= level.used && old.lengthMs !== null && Math.abs(apartMs) < old.lengthMs / 2;
  return isSame || isRolling ? { ...next, ...carried(old, next, by, level.used) } : next;
}

/** What goes on within one window: what requests take of it, what is still to be told of, how fast it goes. */
function carried(old: Window, next: Window, { now, machine }: Heard, level: number): Partial<Window> {
  const gain = next.used - level;
  const asOf = Math.max(old.asOf, next.asOf);
  // What had ended when the request left whose response this is, that one tells of.
  const owed = old.owed.filter(({ at }) => at > asOf);
  const paced = { gain, overMs: now - old.at, at: now };
  return {
    owed,
    asOf,
    passed: old.passed,
    at: Math.max(old.at, next.at),
    // What requests of another machine took says nothing of ours.
    step: machine === undefined ? steppedBy(old.step, gain, old.owed.length - owed.length) : old.step,
    pace: old.refills === 'evenly' ? null : pacedBy(old.pace, old.lengthMs, paced),
  };
}

/** What requests are seen to take, after `count` more of them have taken `gain`. */
function steppedBy(step: Step | null, gain: number, count: number): Step | null {
  if (count === 0 && gain <= 0) return step;
  const kept = SUM_KEPT ** count;
  // More than that in one go was used by somebody else.
  const taken = Math.min(STEP_MAX * Math.max(1, count), Math.max(0, gain));
  const each = taken / Math.max(1, count);
  return {
    sum: (step?.sum ?? 0) * kept + taken,
    count: (step?.count ?? 0) * kept + count,
    most: Math.max(each, (step?.most ?? 0) * MOST_KEPT),
  };
}

/** What one request takes of a window, by what others were seen to take: on the average, and at most. */
export function stepOf({ step }: Window): Readonly<{ mean: number; most: number }> {
  if (step === null) return { mean: STEP_UNKNOWN, most: STEP_UNKNOWN };
  const mean = step.count > 0 ? Math.min(STEP_MAX, step.sum / step.count) : step.most;
  return { mean, most: Math.max(mean, step.most) };
}

/** What our requests have taken of a window that no response has told of yet: a part of it. */
export function owedOf(window: Window): number {
  if (window.owed.length === 0) return 0;
  const { mean } = stepOf(window);
  return window.owed.reduce((sum, { part }) => sum + (part ?? mean), 0);
}

type Ended = Readonly<{ model: ModelId; now: number; outputTokens: number }>;

/** The windows of an account after one of its requests has ended whose response cannot have told what it took. */
export function owing(known: readonly Window[], { model, now, outputTokens }: Ended): readonly Window[] {
  if (!known.some((window) => isOwed(window) && counts(window, model))) return known;
  return known.map((window) => {
    if (!isOwed(window) || !counts(window, model)) return window;
    const part = window.limit === null ? null : outputTokens / window.limit;
    return { ...window, owed: [...window.owed.slice(1 - OWED_MAX), { at: now, part }] };
  });
}

/** True if a response comes before its use is counted, as of a plan's share or of output. */
const isOwed = ({ unit, limit, charges }: Window): boolean =>
  limit === null || (charges === 'used' && (unit === 'output_tokens' || unit === 'tokens'));
