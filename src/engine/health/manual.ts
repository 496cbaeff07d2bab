import type { ModelId } from '../base/ids';
import { get, set, type Table } from '../base/table';
import { endOf, isInForce } from './pins';
import type { Standing } from './standing';

/** Set by the user or the flapping rule. */
export type Hold = Readonly<{
  state: 'open' | 'closed';
  /** Engine ms; null until ended by the user. */
  until: number | null;
  since: number;
  by: string;
}>;

export type Manual = Readonly<{
  /** The model is used again after the last release. */
  isolatedBy: readonly string[];
  hold: Hold | null;
}>;

export const FLAPPING = 'flapping';

const NOTHING: Manual = { isolatedBy: [], hold: null };

/** `state` null ends a hold; `forMs` null means without end. */
export type ManualAct = Readonly<
  { actor: string; now: number } & (
    | { type: 'health.isolated' | 'health.released' }
    | { type: 'health.held'; state: 'open' | 'closed' | null; forMs: number | null }
  )
>;

export function actOn(table: Table<Manual>, model: ModelId, act: ManualAct): Table<Manual> {
  const old = get(table, model) ?? NOTHING;
  const next = changed(old, act);
  return next === old ? table : set(table, model, next);
}

function changed(old: Manual, act: ManualAct): Manual {
  const { hold, isolatedBy } = old;
  const { actor: by, now: since } = act;
  switch (act.type) {
    case 'health.isolated':
      return { hold, isolatedBy: [...isolatedBy, by] };
    case 'health.released': {
      // The actor's own isolation, else the latest.
      const own = isolatedBy.lastIndexOf(by);
      const at = own < 0 ? isolatedBy.length - 1 : own;
      return at < 0 ? old : { hold, isolatedBy: isolatedBy.filter((_, index) => index !== at) };
    }
    case 'health.held': {
      const { state, forMs } = act;
      if (state !== null) return { isolatedBy, hold: { state, until: endOf(forMs, since), since, by } };
      return hold ? { isolatedBy, hold: null } : old;
    }
  }
}

export const isHeld = (hold: Hold | null, now: number): hold is Hold => hold !== null && isInForce(hold.until, now);

/** True if a user, not the flapping rule, excludes the model. */
export const isTakenOut = (manual: Manual | undefined, now: number): boolean =>
  manual !== undefined &&
  (manual.isolatedBy.length > 0 ||
    (isHeld(manual.hold, now) && manual.hold.state === 'open' && manual.hold.by !== FLAPPING));

/** `until` is the next call, perhaps after the hold. */
export function overruled(own: Standing, manual: Manual | undefined, now: number): Standing {
  if (!manual) return own;
  const { hold, isolatedBy } = manual;
  if (isolatedBy.length > 0) {
    return { ...own, state: 'held', code: 'held.isolated', use: 'out', until: null, source: null, since: null };
  }
  if (!isHeld(hold, now)) return own;
  const { until, since, by, state } = hold;
  if (state === 'closed')
    return { ...own, state: 'held', code: 'held.closed', use: 'first', until, source: null, since };
  const isLonger = own.use === 'out' && (own.until ?? Infinity) > (until ?? Infinity);
  const isFlapping = by === FLAPPING;
  // A longer reason replaces a flapping hold. A user's hold stays, with the later end.
  if (isFlapping && isLonger) return own;
  const code = isFlapping ? 'held.flapping' : 'held.open';
  const end = isLonger
    ? { until: own.until, source: own.source ?? 'estimate' }
    : { until, source: isFlapping ? ('estimate' as const) : null };
  return { ...own, state: 'held', code, use: 'out', ...end, since };
}

/** Engine ms; null without a timed hold. */
export function manualEnd(manual: Manual | undefined, now: number): number | null {
  return manual && isHeld(manual.hold, now) ? manual.hold.until : null;
}

/** Removes the flapping rule's hold; user holds stay. */
export const unflapped = (manual: Manual): Manual =>
  manual.hold?.by === FLAPPING ? { ...manual, hold: null } : manual;
