import { unfitFor } from '../base/catalogue';
import type { Considered, Failure } from '../base/decision';
import { type ModelId, providerOf, unaccounted } from '../base/ids';
import { type FailureKind, isOfAccount } from '../base/kinds';
import { get } from '../base/table';
import type { Shortage } from '../base/window';
import type { Standing } from '../health/standing';
import { keyBy } from '../state/books';
import { planIn } from '../state/chain';
import { standingOf } from '../state/read';
import type { EngineState, Session, Turn } from '../state/state';
import { type Drain, drainsFor } from './drain';
import { refillMs, shortOf } from './headroom';
import { haltedBy } from './money';

export type Walk = Readonly<{
  chosen: Readonly<{ model: ModelId; position: number }> | null;
  /** A model that the turn has left before and could take again, when nobody is chosen. */
  again: Considered | null;
  trace: readonly Considered[];
  /** The first model back by the clock alone, when none is usable. */
  soonest: Readonly<{ model: ModelId; inMs: number }> | null;
  /** The limits that models would run into, whose requests are not sent before they have to be. */
  shorts: ReadonlyMap<ModelId, Shortage>;
  /** The plans that the work of the lead's would use up within a day, by the models that it would go to. */
  drains: ReadonlyMap<ModelId, Drain>;
}>;

type Failed = Readonly<{ model: ModelId; kind?: FailureKind | null }>;

type WalkQuery = Readonly<{
  now: number;
  tried: readonly Failed[];
  /** The failure of the model `from`, which may speak for all models of its provider. */
  failure?: Failure | undefined;
  from?: ModelId | undefined;
  /** Whose request it is: its needs and its lead's vendor and price set limits, and whom it has left comes last. */
  turn?: Turn;
}>;

/**
 * Walks a chain in order and chooses who speaks next.
 *
 * Skipped: models that failed in this turn, all models of a provider whose failure speaks for all of them, and models
 * whose health says out or that may not or cannot take the request. A resting model is chosen only when no other is
 * usable, one the turn has left before not at all. Every model gets its reason.
 */
export function walkChain(state: EngineState, chain: readonly ModelId[], query: WalkQuery): Walk {
  const { now, tried, failure, from, turn } = query;
  const scope = turn && get(state.scopes, turn.directory);
  const asked = turn && { lead: turn.lead, needs: turn.needs, boundaries: scope ?? {} };
  const hasLimits = state.money.length > 0 || scope?.headroom?.act === 'move';
  const deadProvider = failure?.scope === 'provider' && from ? providerOf(from) : null;
  const isOfAll = failure !== undefined && !isOfAccount(failure.kind);
  let best = -1;
  let bestRank = HALT + HALT;
  const shorts: Map<ModelId, Shortage> = hasLimits ? new Map() : NONE;
  const drains: Map<ModelId, Drain> = hasLimits ? new Map() : NONE;
  const drainAt = turn && hasLimits ? drainsFor(state, turn, now) : null;
  const session = turn && get(state.sessions, turn.session);
  const standings = chain.map((model) => standingOf(state, keyBy(scope, model), now));
  const failed = [...tried, ...outOf(chain, standings)].filter(({ kind }) => kind && !isOfAccount(kind));
  const trace = chain.map((model, position): Considered => {
    const { state: shown, use, until, code } = standings[position] as Standing;
    // Before its health: whoever is asked for being back soon has to be one that may be asked.
    const unfit = asked && unfitFor(model, asked);
    const backInMs = until === null || unfit ? null : Math.max(0, until - now);
    if (tried.some((entry) => entry.model === model))
      return { model, position, verdict: 'failed', code: 'chain.tried', state: shown, backInMs };
    if (failsAlike(model, failed))
      return { model, position, verdict: 'skipped', code: 'account.same', state: shown, backInMs };
    if (unfit) return { model, position, verdict: 'skipped', code: unfit, state: shown, backInMs };
    // Before its health as well: nobody waits for one that it is never to go to.
    const drain = drainAt?.(model);
    if (drain) drains.set(model, drain);
    if (drain?.mode === 'never')
      return { model, position, verdict: 'skipped', code: 'headroom.drain', state: shown, backInMs: null };
    if (use === 'out')
      return { model, position, verdict: 'skipped', code: code ?? 'model.out', state: shown, backInMs };
    if (deadProvider !== null && isDead(providerOf(model), deadProvider, isOfAll))
      return { model, position, verdict: 'skipped', code: 'provider.failed', state: shown, backInMs };
    const isRefuser = session?.refused?.includes(refusalOf(session, model)) ?? false;
    const isLeft = isRefuser || turn?.left?.includes(model);
    const near = turn && hasLimits ? shortOf(state, turn, model, now) : null;
    const short = turn && near && refillMs(near, turn, { state, model, now }) === null ? near : null;
    if (short) shorts.set(model, short);
    const isHalted = turn !== undefined && short?.unit === 'dollars' && haltedBy(state, turn, model, now) !== null;
    const rank =
      (use === 'first' ? 0 : 1) +
      (drain ? DRAIN : 0) +
      (short ? SHORT : 0) +
      (isLeft ? LEFT : 0) +
      (isHalted ? HALT : 0);
    if (rank < bestRank) {
      best = position;
      bestRank = rank;
    }
    if (short) {
      const backIn = short.until === null ? null : Math.max(0, short.until - now);
      return { model, position, verdict: 'skipped', code: short.code, state: shown, backInMs: backIn };
    }
    const left = isRefuser ? 'chain.refused' : isLeft ? 'chain.left' : null;
    const reason = left ?? (drain ? 'headroom.drain' : (code ?? 'chain.later'));
    return { model, position, verdict: 'skipped', code: reason, state: shown, backInMs: null };
  });
  const found = trace[best];
  if (!found) return { chosen: null, again: null, trace, soonest: soonestOf(trace), shorts, drains };
  const { model, position, state: shown } = found;
  if (bestRank >= LEFT && bestRank < HALT) return { chosen: null, again: found, trace, soonest: null, shorts, drains };
  const isAlone = chain.length === 1 && turn !== undefined && !planIn(scope, turn.agent)?.chain.length;
  const code = CODES.find(([from]) => bestRank >= from)?.[1] ?? (isAlone ? 'chain.alone' : 'chain.first');
  trace[best] = { model, position, verdict: 'chosen', code, state: shown, backInMs: null };
  return { chosen: { model, position }, again: null, trace, soonest: null, shorts, drains };
}

/** Walks without limits add nothing. */
const NONE = new Map<ModelId, never>();

/** How a session remembers that a model refused what the one that answered last had written. */
export const refusalOf = ({ answered = '' }: Session, model: ModelId): string => `${answered}|${model}`;

/** Whether a failure of a provider is that of another one: of every account of it where it is not the account's. */
const isDead = (provider: string, dead: string, isOfAll: boolean): boolean =>
  provider === dead || (isOfAll && unaccounted(provider) === unaccounted(dead));

function outOf(chain: readonly ModelId[], standings: readonly Standing[]): readonly Failed[] {
  const failed: Failed[] = [];
  for (const [at, { use, kind }] of standings.entries())
    if (use === 'out') failed.push({ model: chain[at] ?? '', kind });
  return failed;
}

/** Whether another account has a failure of this model that is not of the account alone. */
const failsAlike = (model: ModelId, failed: readonly Failed[]): boolean =>
  failed.some((entry) => entry.model !== model && unaccounted(entry.model) === unaccounted(model));

/** Added to the rank of a model whose plan would be used up within a day: 0 is a usable model, 1 a resting one. */
const DRAIN = 2;
/** Added to that of one that would run into a limit. */
const SHORT = 4;
/** Added to that of one that the turn has left. */
const LEFT = 8;
/** Added to that of one whose request a budget would end, or have a person asked about. */
const HALT = 16;
/** Why a model is chosen, by the least rank that it is the reason of. */
const CODES = [
  [SHORT, 'chain.short'],
  [DRAIN, 'chain.drain'],
  [1, 'chain.last'],
] as const;

/** The entry that the clock brings back first; of two, the first one. */
export const firstBack = (trace: readonly Considered[]): Considered | null =>
  trace.reduce<Considered | null>((best, entry) => {
    if (entry.backInMs === null || entry.state === 'degraded') return best;
    return best === null || entry.backInMs < (best.backInMs ?? 0) ? entry : best;
  }, null);

/** The model that the clock brings back first. */
export function soonestOf(trace: readonly Considered[]): Walk['soonest'] {
  const first = firstBack(trace);
  return first && { model: first.model, inMs: first.backInMs ?? 0 };
}
