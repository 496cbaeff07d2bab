import type { HealthKey, ModelId } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import { get } from '../base/table';
import type { DrainMode, HeadroomRules, Shortage } from '../base/window';
import { drainedBy, type Leaving } from '../headroom/drain';
import { accountFor } from '../state/books';
import { rootOf, standingIn } from '../state/read';
import type { Drained, EngineState, Turn } from '../state/state';
import { kindOfShort, limitOf } from './headroom';

/** `until` is engine ms. */
type Away = Readonly<{ account: HealthKey; leaving: Leaving; kind: FailureKind; until: number }>;

/** A plan that other work would use up. `short` is undefined if the user declined and its numbers are unknown. */
export type Drain = Readonly<{ mode: DrainMode; short: Shortage | undefined }>;

type Place = Pick<Turn, 'session' | 'directory'>;

export const drainKey = (state: EngineState, place: Place, model: ModelId): string =>
  `${rootOf(state, place.session)}|${accountFor(state, place.directory, model)}`;

export function saidOf(state: EngineState, place: Place, model: ModelId, now: number): Drained['said'] | null {
  const answer = get(state.drains, drainKey(state, place, model));
  return answer && now < answer.until ? answer.said : null;
}

/** The check returns null if the plan suffices or the user approved. */
export function drainsFor(state: EngineState, turn: Turn, now: number): (model: ModelId) => Drain | null {
  let away: Away | null | undefined;
  return (model) => {
    away = away === undefined ? awayFrom(state, turn, now) : away;
    return away && drainOf(state, turn, model, { away, now });
  };
}

function awayFrom(state: EngineState, turn: Turn, now: number): Away | null {
  if (get(state.scopes, turn.directory)?.headroom?.act !== 'move') return null;
  const { lead: model } = turn;
  const account = accountFor(state, turn.directory, model);
  const windows = get(state.windows, account);
  if (!windows) return null;
  const about = { account, leaving: { windows, model } };
  const { use, until, kind } = standingIn(state, turn.directory, model, now);
  if (use === 'out') return { ...about, kind: kind ?? 'unknown', until: until ?? Number.POSITIVE_INFINITY };
  const short = limitOf(state, turn, model, now);
  return short && { ...about, kind: kindOfShort(short), until: short.until ?? now };
}

type Asked = Readonly<{ away: Away; now: number }>;

function drainOf(state: EngineState, turn: Turn, model: ModelId, { away, now }: Asked): Drain | null {
  const account = accountFor(state, turn.directory, model);
  const windows = account === away.account ? undefined : get(state.windows, account);
  if (!windows) return null;
  const consent = saidOf(state, turn, model, now);
  const short = drainedBy(windows, { model, leaving: away.leaving, now, forMs: away.until - now }) ?? undefined;
  if (consent === 'no') return { short, mode: 'never' };
  if (!short || consent === 'yes') return null;
  const { headroom, abilities = [] } = get(state.scopes, turn.directory) ?? {};
  const mode = modeFor(headroom, away.kind);
  const isAsked = consent !== 'silent' && abilities.includes('ask');
  return { short, mode: mode === 'ask' && !isAsked ? 'auto' : mode };
}

function modeFor({ drain }: Pick<HeadroomRules, 'drain'> = {}, kind: FailureKind): DrainMode {
  return (typeof drain === 'object' ? drain[kind] : drain) ?? 'auto';
}
