import type { ModelId } from './ids';
import type { Standing } from './standing';
import { get, set, type Table } from './table';

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

/** What a person does to a model. `forMs` null means until further notice. */
export type ManualAct =
  | Readonly<{ act: 'isolate' | 'release' }>
  | Readonly<{ act: 'hold'; state: 'open' | 'closed'; forMs: number | null }>
  | Readonly<{ act: 'unhold' }>;

/** The table after an act; the same table when it changes nothing. */
export function actOn(
  table: Table<Manual>,
  model: ModelId,
  act: ManualAct & Readonly<{ actor: string; now: number }>,
): Table<Manual> {
  const old = get(table, model) ?? NOTHING;
  const next = changed(old, act);
  return next === old ? table : set(table, model, next);
}

function changed(old: Manual, act: ManualAct & Readonly<{ actor: string; now: number }>): Manual {
  const { actor, now } = act;
  switch (act.act) {
    case 'isolate':
      return { ...old, isolatedBy: [...old.isolatedBy, actor] };
    case 'release': {
      // One release undoes one isolation: the actor's own, else the latest.
      const own = old.isolatedBy.lastIndexOf(actor);
      const at = own < 0 ? old.isolatedBy.length - 1 : own;
      return at < 0 ? old : { ...old, isolatedBy: old.isolatedBy.filter((_, index) => index !== at) };
    }
    case 'hold': {
      const until = act.forMs === null ? null : now + act.forMs;
      return { ...old, hold: { state: act.state, until, since: now, by: actor } };
    }
    case 'unhold':
      return old.hold ? { ...old, hold: null } : old;
  }
}

/** Whether a hold is in force; due **at** its end. */
const isHeld = (hold: Hold | null, now: number): hold is Hold =>
  hold !== null && (hold.until === null || now < hold.until);

/** What a model shows when people have a say in it. */
export function overruled(own: Standing, manual: Manual | undefined, now: number): Standing {
  if (!manual) return own;
  const { hold, isolatedBy } = manual;
  if (isolatedBy.length > 0) {
    return { ...own, state: 'held', code: 'held.isolated', use: 'out', until: null, source: null, since: null };
  }
  if (!isHeld(hold, now)) return own;
  const { until, since, by, state } = hold;
  const code = by === FLAPPING ? 'held.flapping' : `held.${state}`;
  return { ...own, state: 'held', code, use: state === 'open' ? 'out' : 'first', until, source: 'estimate', since };
}

/** When a hold of a model ends by itself, in engine ms; null when none does. */
export function manualEnd(manual: Manual | undefined, now: number): number | null {
  return manual && isHeld(manual.hold, now) ? manual.hold.until : null;
}

/** Moves every time in it by `deltaMs`. */
export function shiftManual({ isolatedBy, hold }: Manual, deltaMs: number): Manual {
  if (!hold) return { isolatedBy, hold };
  const until = hold.until === null ? null : hold.until + deltaMs;
  return { isolatedBy, hold: { ...hold, until, since: hold.since + deltaMs } };
}

/** Without a hold by the flapping rule: a person has had a look at the model. What people hold stays held. */
export const unflapped = (manual: Manual): Manual =>
  manual.hold?.by === FLAPPING ? { ...manual, hold: null } : manual;
