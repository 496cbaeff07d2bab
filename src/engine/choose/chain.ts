import { unfitFor } from '../base/catalogue';
import type { ScopeConfig } from '../base/config';
import type { Considered, Failure } from '../base/decision';
import { type ModelId, providerOf } from '../base/ids';
import { isOfAccount } from '../base/kinds';
import { get } from '../base/table';
import type { Shortage } from '../base/window';
import type { Standing } from '../health/standing';
import { keyBy } from '../state/books';
import { planIn } from '../state/chain';
import { standingOf } from '../state/read';
import type { EngineState, Turn } from '../state/state';
import { CHECKS, type Failed, type Finding, RANK, sharedFailures, type WalkContext } from './checks';
import { type Drain, drainsFor } from './drain';

export type Walk = Readonly<{
  chosen: Readonly<{ model: ModelId; position: number }> | null;
  /** If none is chosen: a model that the turn left and may use again. */
  again: Considered | null;
  trace: readonly Considered[];
  /** If none is available: the first that time brings back. */
  soonest: Readonly<{ model: ModelId; inMs: number }> | null;
  shorts: ReadonlyMap<ModelId, Shortage>;
  /** Plans that the work would use up within a day. */
  drains: ReadonlyMap<ModelId, Drain>;
}>;

type WalkQuery = Readonly<{
  now: number;
  tried: readonly Failed[];
  /** May affect all models of its provider. */
  failure?: Failure | undefined;
  from?: ModelId | undefined;
  turn?: Turn;
}>;

/** Chooses the available model with the lowest rank. */
export function walkChain(state: EngineState, chain: readonly ModelId[], query: WalkQuery): Walk {
  const { now, turn } = query;
  const scope = turn && get(state.scopes, turn.directory);
  const request = turn && { lead: turn.lead, needs: turn.needs, boundaries: scope ?? {} };
  const standings = chain.map((model) => standingOf(state, keyBy(scope, model), now));
  const context = contextOf(state, query, scope, sharedFailures(chain, standings, query.tried));
  const { shorts, drains } = context;
  let best = -1;
  let bestRank = RANK.budget + RANK.budget;
  const trace = chain.map((model, position): Considered => {
    const standing = standings[position] as Standing;
    const { until, state: shown } = standing;
    const unfit = request && unfitFor(model, request);
    const backInMs = until === null || unfit ? null : Math.max(0, until - now);
    const candidate = { model, standing, unfit, backInMs };
    let rank = 0;
    let reason: Finding | null = null;
    for (const check of CHECKS) {
      const finding = check(candidate, context);
      if (finding?.verdict)
        return {
          model,
          position,
          verdict: finding.verdict,
          code: finding.code,
          state: shown,
          backInMs: finding.backInMs,
        };
      if (!finding) continue;
      rank += finding.rank;
      reason = finding;
    }
    if (rank < bestRank) {
      best = position;
      bestRank = rank;
    }
    const { code, backInMs: backIn } = reason ?? LATER;
    return { model, position, verdict: 'skipped', code, state: shown, backInMs: backIn };
  });
  const found = trace[best];
  if (!found) return { chosen: null, again: null, trace, soonest: soonestOf(trace), shorts, drains };
  const { model, position, state: shown } = found;
  if (bestRank >= RANK.left && bestRank < RANK.budget)
    return { chosen: null, again: found, trace, soonest: null, shorts, drains };
  const isAlone = chain.length === 1 && turn !== undefined && !planIn(scope, turn.agent)?.chain.length;
  const code = CODES.find(([from]) => bestRank >= from)?.[1] ?? (isAlone ? 'chain.alone' : 'chain.first');
  trace[best] = { model, position, verdict: 'chosen', code, state: shown, backInMs: null };
  return { chosen: { model, position }, again: null, trace, soonest: null, shorts, drains };
}

const LATER = { code: 'chain.later', backInMs: null } as const;

function contextOf(
  state: EngineState,
  { now, tried, failure, from, turn }: WalkQuery,
  scope: ScopeConfig | undefined,
  failed: readonly Failed[],
): WalkContext {
  const hasLimits = state.money.length > 0 || scope?.headroom?.act === 'move';
  const isOfProvider = failure?.scope === 'provider' && from !== undefined;
  return {
    state,
    now,
    turn,
    session: turn && get(state.sessions, turn.session),
    tried,
    failed,
    failedProvider: isOfProvider ? { id: providerOf(from), isOfAll: !isOfAccount(failure.kind) } : null,
    drainOf: turn && hasLimits ? drainsFor(state, turn, now) : null,
    shorts: hasLimits ? new Map() : NONE,
    drains: hasLimits ? new Map() : NONE,
  };
}

const NONE = new Map<ModelId, never>();

const CODES = [
  [RANK.limit, 'chain.short'],
  [RANK.drain, 'chain.drain'],
  [RANK.resting, 'chain.last'],
] as const;

export const firstBack = (trace: readonly Considered[]): Considered | null =>
  trace.reduce<Considered | null>((best, entry) => {
    if (entry.backInMs === null || entry.state === 'degraded') return best;
    return best === null || entry.backInMs < (best.backInMs ?? 0) ? entry : best;
  }, null);

export function soonestOf(trace: readonly Considered[]): Walk['soonest'] {
  const first = firstBack(trace);
  return first && { model: first.model, inMs: first.backInMs ?? 0 };
}
