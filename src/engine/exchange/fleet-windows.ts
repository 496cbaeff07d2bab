import { type HealthKey, nameOf } from '../base/ids';
import { get } from '../base/table';
import type { HeardWindow, Window } from '../base/window';
import { BELIEVED_ELSEWHERE_MS, isPast } from '../headroom/window';
import { unbooked } from '../state/books';
import type { EngineState } from '../state/state';

/** Times are whole ms of the fleet's clock. */
export type SaidWindow = Pick<
  Window,
  | ('id' | 'unit' | 'lengthMs' | 'family' | 'used' | 'limit' | 'remaining' | 'resetAt' | 'refills' | 'charges')
  | ('isRuling' | 'isRefusing' | 'isOverdrawable' | 'isShownOnly' | 'at' | 'asOf')
> &
  Readonly<{
    /** Null if several models share the limit. */
    name: string | null;
  }>;

/** Machines estimate the fleet's time. */
export const AHEAD_MAX_MS = 5_000;
/** Smaller changes within that time are not reported again. */
const SAME_USED = 0.005;
const SAME_RESET_MS = 2_000;
const SAID_AGAIN_MS = 30_000;
/** No limit lasts longer. Source: `HINT_MAX_MS`. */
const RESET_MAX_MS = 31 * 86_400_000;
/** From here every change is reported at once. */
const NEARLY_FULL = 0.9;

export const windowKey = ({ id, name }: Pick<SaidWindow, 'id' | 'name'>): string => `${id}\n${name ?? ''}`;

/**
 * Current windows from responses to this machine.
 * @param before a report that barely changed stays identical.
 * @param now engine ms.
 * @param offsetMs the fleet's time minus engine time.
 */
export function ownWindows(
  { windows }: EngineState,
  account: HealthKey,
  before: readonly SaidWindow[],
  { now, offsetMs }: Readonly<{ now: number; offsetMs: number }>,
): readonly SaidWindow[] {
  const existing = new Map(before.map((each) => [windowKey(each), each]));
  return (get(windows, account) ?? [])
    .filter((window) => window.machine === undefined && window.source === 'provider' && !isPast(window, now))
    .map((window) => {
      const entry = saidOf(window, offsetMs);
      const old = existing.get(windowKey(entry));
      return old && isAlike(old, entry) ? old : entry;
    })
    .sort((one, other) => (windowKey(one) < windowKey(other) ? -1 : 1));
}

function saidOf(window: Window, offsetMs: number): SaidWindow {
  const { model, resetAt, at, asOf, isShownOnly } = window;
  const { id, unit, lengthMs, family, used, limit, remaining, refills, charges } = window;
  const { isRuling, isRefusing, isOverdrawable } = window;
  const wall = (moment: number): number => Math.round(moment + offsetMs);
  return {
    id,
    unit,
    lengthMs,
    family,
    used,
    limit,
    remaining,
    refills,
    charges,
    isRuling,
    isRefusing,
    isOverdrawable,
    ...(isShownOnly ? { isShownOnly } : {}),
    name: model === null ? null : nameOf(model),
    resetAt: resetAt === null ? null : wall(resetAt),
    at: wall(at),
    asOf: wall(asOf),
  };
}

function isAlike(old: SaidWindow, next: SaidWindow): boolean {
  const apart = old.resetAt === null || next.resetAt === null ? 0 : Math.abs(old.resetAt - next.resetAt);
  return (
    next.at - old.at < SAID_AGAIN_MS &&
    Math.abs(next.used - old.used) < SAME_USED &&
    (old.resetAt === null) === (next.resetAt === null) &&
    apart <= SAME_RESET_MS &&
    old.isRefusing === next.isRefusing &&
    old.isRuling === next.isRuling
  );
}

export const isPressing = ({ windows }: EngineState, account: HealthKey): boolean =>
  (get(windows, account) ?? []).some(
    ({ used, isRefusing, machine }) => machine === undefined && (isRefusing || used >= NEARLY_FULL),
  );

/** In ms of the fleet's clock. */
export const windowEnd = ({ resetAt, at }: Pick<SaidWindow, 'resetAt' | 'at'>): number =>
  Math.min(resetAt ?? Number.POSITIVE_INFINITY, at + BELIEVED_ELSEWHERE_MS);

/** Keeps plausible and current windows. @param now ms of the fleet's clock. */
export function heardWindows(
  account: HealthKey,
  machine: string,
  reported: readonly SaidWindow[],
  now: number,
): readonly HeardWindow[] {
  return reported.flatMap(({ name, resetAt, at, asOf, ...window }): HeardWindow[] => {
    const isAhead = at > now + AHEAD_MAX_MS || asOf > at || (resetAt ?? now) > now + RESET_MAX_MS;
    if (isAhead || now >= windowEnd({ resetAt, at })) return [];
    const { isRuling, isRefusing, isOverdrawable, isShownOnly, ...rest } = window;
    return [
      {
        ...rest,
        machine,
        model: name === null ? null : `${unbooked(account)}/${name}`,
        agoMs: Math.max(0, now - at),
        sentAgoMs: Math.max(0, now - asOf),
        resetInMs: resetAt === null ? null : resetAt - now,
        ...(isRuling ? { isRuling } : {}),
        ...(isRefusing ? { isRefusing } : {}),
        ...(isOverdrawable ? { isOverdrawable } : {}),
        ...(isShownOnly ? { isShownOnly } : {}),
      },
    ];
  });
}
