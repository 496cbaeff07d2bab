import { type HealthKey, type ModelId, providerOf } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import { get } from '../base/table';
import type { DrainMode, HeadroomRules, Shortage } from '../base/window';
import { drainedBy, type Leaving } from '../headroom/drain';
import { keyBy } from '../state/books';
import { type EngineState, rootOf, standingOf, type Turn } from '../state/state';
import { kindOfShort, shortOf } from './headroom';

/** A lead that is away for less, in ms, is no plan whose work goes elsewhere. */
const AWAY_MS = 3_600_000;

/** The plan whose work goes elsewhere, and what its lead is away for. */
export type Away = Readonly<{ account: HealthKey; leaving: Leaving; kind: FailureKind }>;

/** A plan that the work of another one would use up within a day, and what is to be done about it. */
export type Drain = Readonly<{ short: Shortage; mode: DrainMode }>;

/** Where the answer about an account is kept that somebody gave in a conversation. */
export const drainKey = (state: EngineState, session: string, account: HealthKey): string =>
  `${rootOf(state, session)}|${account}`;

/** The plan of a turn's lead, where that is away for long; null where it is not, or nothing is known of it. */
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
  if (use === 'out')
    return isLong(until ?? Number.POSITIVE_INFINITY, now) ? { ...about, kind: kind ?? 'unknown' } : null;
  const short = shortOf(state, turn, model, now);
  return short && short.unit !== 'dollars' && isLong(short.until ?? now, now)
    ? { ...about, kind: kindOfShort(short) }
    : null;
}

const isLong = (until: number, now: number): boolean => until - now >= AWAY_MS;

/** What stands against a model of another plan; null where nothing does, or a person has agreed. */
export function drainOf(state: EngineState, turn: Turn, model: ModelId, { away, now }: Asked): Drain | null {
  const scope = get(state.scopes, turn.directory);
  const account = providerOf(keyBy(scope, model));
  const windows = account === away.account ? undefined : get(state.windows, account);
  const short = windows ? drainedBy(windows, { model, leaving: away.leaving, now }) : null;
  if (!short) return null;
  const answer = get(state.drains, drainKey(state, turn.session, account));
  const said = answer && now < answer.until ? answer.said : null;
  if (said === 'yes') return null;
  if (said === 'no') return { short, mode: 'never' };
  const mode = modeFor(scope?.headroom, away.kind);
  const isAsked = mode === 'ask' && said === null && (scope?.abilities?.includes('ask') ?? false);
  return { short, mode: mode === 'ask' && !isAsked ? 'auto' : mode };
}

type Asked = Readonly<{ away: Away; now: number }>;

function modeFor({ drain }: Pick<HeadroomRules, 'drain'> = {}, kind: FailureKind): DrainMode {
  return (typeof drain === 'object' ? drain[kind] : drain) ?? 'auto';
}
