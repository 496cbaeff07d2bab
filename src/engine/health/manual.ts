import type { ModelId } from '../base/ids';
import { get, set, type Table } from '../base/table';
import { endOf, isInForce } from './pins';
import type { Standing } from './standing';

/** A state a person, or the flapping rule, keeps a model in. */
export type Hold = Readonly<{
  state: 'open' | 'closed';
  /** Engine ms; null until somebody ends it. */
  until: number | null;
  since: number;
  by: string;
}>;

/** What people have said of one model. `rev` grows with each change of what the model shows. */
export type Manual = Readonly<{
  /** Everybody who wants the model left alone; it is used again when the last one lets go. */
  isolatedBy: readonly string[];
  hold: Hold | null;
}>;

/** Who holds a model open because it changes its state all the time. */
export const FLAPPING = 'flapping';

const NOTHING: Manual = { isolatedBy: [], hold: null };

/** What a person does to a model: `state` null ends a hold, `forMs` null means until further notice. */
export type ManualAct = Readonly<
  { actor: string; now: number } & (
    | { type: 'health.isolated' | 'health.released' }
    | { type: 'health.held'; state: 'open' | 'closed' | null; forMs: number | null }
  )
>;

/** The table after an act; the same table when it changes nothing. */
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
      // One release undoes one isolation: the actor's own, else the latest.
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

/** Whether a hold is there and has not ended. */
export const isHeld = (hold: Hold | null, now: number): hold is Hold => hold !== null && isInForce(hold.until, now);

/** Whether a person, not the flapping rule, keeps a model from being asked. */
export const isTakenOut = (manual: Manual | undefined, now: number): boolean =>
  manual !== undefined &&
  (manual.isolatedBy.length > 0 ||
    (isHeld(manual.hold, now) && manual.hold.state === 'open' && manual.hold.by !== FLAPPING));

/** What a model shows when people have a say in it; `until` is when it is asked again, not the end of a hold alone. */
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
  // Out for longer than that rule holds it: why is the better news. A person's word stands, with the end of both.
  if (isFlapping && isLonger) return own;
  const code = isFlapping ? 'held.flapping' : 'held.open';
  const end = isLonger
    ? { until: own.until, source: own.source ?? 'estimate' }
    : { until, source: isFlapping ? ('estimate' as const) : null };
  return { ...own, state: 'held', code, use: 'out', ...end, since };
}

/** When a hold of a model ends by itself, in engine ms; null when none does. */
export function manualEnd(manual: Manual | undefined, now: number): number | null {
  return manual && isHeld(manual.hold, now) ? manual.hold.until : null;
}

/** Without a hold by the flapping rule: a person has had a look at the model. What people hold stays held. */
export const unflapped = (manual: Manual): Manual =>
  manual.hold?.by === FLAPPING ? { ...manual, hold: null } : manual;
