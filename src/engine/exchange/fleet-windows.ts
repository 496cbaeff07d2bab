import { type HealthKey, nameOf } from '../base/ids';
import { get } from '../base/table';
import type { HeardWindow, Window } from '../base/window';
import { BELIEVED_ELSEWHERE_MS, isPast } from '../headroom/window';
import { unbooked } from '../state/books';
import type { EngineState } from '../state/state';

/** What one machine says of a limit of an account; every time is in whole ms of the fleet's clock. */
export type SaidWindow = Pick<
  Window,
  | ('id' | 'unit' | 'lengthMs' | 'family' | 'used' | 'limit' | 'remaining' | 'resetAt' | 'refills' | 'charges')
  | ('isRuling' | 'isRefusing' | 'isOverdrawable' | 'isShownOnly' | 'at' | 'asOf')
> &
  Readonly<{
    /** The one model it is of, behind its provider; null where several share it. */
    name: string | null;
  }>;

/** How far the clock of a word may be ahead: its machine has reckoned the fleet's time. */
export const AHEAD_MAX_MS = 5_000;
/** What fills up by less within that time is not said again. */
const SAME_USED = 0.005;
const SAME_RESET_MS = 2_000;
const SAID_AGAIN_MS = 30_000;
/** Nobody sells a limit that lasts longer. Source: `HINT_MAX_MS`. */
const RESET_MAX_MS = 31 * 86_400_000;
/** From so full on each change is news, and is not held back. */
const NEARLY_FULL = 0.9;

/** Names a window within its account. */
export const windowKey = ({ id, name }: Pick<SaidWindow, 'id' | 'name'>): string => `${id}\n${name ?? ''}`;

/**
 * How full the limits of an account are, as far as responses to this machine have told so and that still counts.
 *
 * @param before what was said last: where it is as good as the same, it stays.
 * @param now engine ms. @param offsetMs the fleet's time minus engine time.
 */
export function ownWindows(
  { windows }: EngineState,
  account: HealthKey,
  before: readonly SaidWindow[],
  { now, offsetMs }: Readonly<{ now: number; offsetMs: number }>,
): readonly SaidWindow[] {
  const known = new Map(before.map((each) => [windowKey(each), each]));
  return (get(windows, account) ?? [])
    .filter((window) => window.machine === undefined && window.source === 'provider' && !isPast(window, now))
    .map((window) => {
      const said = saidOf(window, offsetMs);
      const old = known.get(windowKey(said));
      return old && isAlike(old, said) ? old : said;
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

/** Whether the limits of an account have come so near that others should know at once. */
export const isPressing = ({ windows }: EngineState, account: HealthKey): boolean =>
  (get(windows, account) ?? []).some(
    ({ used, isRefusing, machine }) => machine === undefined && (isRefusing || used >= NEARLY_FULL),
  );

/** When a word on a limit counts no more, in ms of the fleet's clock. */
export const windowEnd = ({ resetAt, at }: Pick<SaidWindow, 'resetAt' | 'at'>): number =>
  Math.min(resetAt ?? Number.POSITIVE_INFINITY, at + BELIEVED_ELSEWHERE_MS);

/**
 * What another machine says of the limits of an account, as far as it is believed of any machine.
 *
 * @param now ms of the fleet's clock.
 */
export function heardWindows(
  account: HealthKey,
  machine: string,
  said: readonly SaidWindow[],
  now: number,
): readonly HeardWindow[] {
  return said.flatMap(({ name, resetAt, at, asOf, ...window }): HeardWindow[] => {
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
