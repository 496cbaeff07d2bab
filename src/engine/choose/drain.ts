import { type HealthKey, type ModelId, providerOf } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import { get } from '../base/table';
import type { DrainMode, HeadroomRules, Shortage } from '../base/window';
import { drainedBy, type Leaving } from '../headroom/drain';
import { keyBy } from '../state/books';
import { type EngineState, rootOf, standingOf, type Turn } from '../state/state';
import { kindOfShort, limitOf } from './headroom';

/** The plan whose work goes elsewhere, what its lead is away for, and until when, in engine ms. */
export type Away = Readonly<{ account: HealthKey; leaving: Leaving; kind: FailureKind; until: number }>;

/** A plan that the work of another one would use up, and what is to be done about it; after a no whether it would or not. */
export type Drain =
  | Readonly<{ mode: 'ask' | 'auto'; short: Shortage }>
  | Readonly<{ mode: 'never'; short: Shortage | null }>;

/** Where the answer about an account is kept that somebody gave in a conversation. */
export const drainKey = (state: EngineState, session: string, account: HealthKey): string =>
  `${rootOf(state, session)}|${account}`;

/** The plan of a turn's lead, where that is away; null where it is not, or nothing is known of its plan. */
export function awayFrom(state: EngineState, turn: Turn, now: number): Away | null {
  const scope = get(state.scopes, turn.directory);
  if (scope?.headroom?.act !== 'move') return null;
  const { lead: model } = turn;
  const key = keyBy(scope, model);
  const account = providerOf(key);
  const windows = get(state.windows, account);
  if (!windows) return null;
  const about = { account, leaving: { windows, model } };
  const { use, until, kind } = standingOf(state, key, now);
  if (use === 'out') return { ...about, kind: kind ?? 'unknown', until: until ?? Number.POSITIVE_INFINITY };
  const short = limitOf(state, turn, model, now);
  return short && { ...about, kind: kindOfShort(short), until: short.until ?? now };
}

/** What stands against a model of another plan; null where nothing does, or a person has agreed. */
export function drainOf(state: EngineState, turn: Turn, model: ModelId, { away, now }: Asked): Drain | null {
  const scope = get(state.scopes, turn.directory);
  const account = providerOf(keyBy(scope, model));
  const windows = account === away.account ? undefined : get(state.windows, account);
  if (!windows) return null;
  const answer = get(state.drains, drainKey(state, turn.session, account));
  const said = answer && now < answer.until ? answer.said : null;
  const short = drainedBy(windows, { model, leaving: away.leaving, now, forMs: away.until - now });
  if (said === 'no') return { short, mode: 'never' };
  if (!short || said === 'yes') return null;
  const mode = modeFor(scope?.headroom, away.kind);
  const isAsked = said !== 'silent' && (scope?.abilities?.includes('ask') ?? false);
  return { short, mode: mode === 'ask' && !isAsked ? 'auto' : mode };
}

type Asked = Readonly<{ away: Away; now: number }>;

function modeFor({ drain }: Pick<HeadroomRules, 'drain'> = {}, kind: FailureKind): DrainMode {
  return (typeof drain === 'object' ? drain[kind] : drain) ?? 'auto';
}
