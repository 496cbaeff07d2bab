import type { HealthNumbers } from '../base/config';
import { type FailureKind, KIND_INFO, type ModelState } from '../base/kinds';
import { type BreakerState, countedFailures, PROBE_LEASE_MS, refusalOf } from './breaker';
import type { Health, Limit, Pair, Rest } from './health';

export type Standing = Readonly<{
  state: ModelState;
  /** Null if ready or unseen. */
  code: string | null;
  /** `last`: only if no other model is available. */
  use: 'first' | 'last' | 'out';
  /** Next call or end of the state, engine ms; null if time alone does not help. */
  until: number | null;
  source: 'provider' | 'estimate' | null;
  since: number | null;
  failures: number;
  kind: FailureKind | null;
}>;

const isFree = ({ breaker, limit, rest, block }: Health): boolean =>
  breaker.kind === 'closed' && breaker.failures.length === 0 && limit === null && rest === null && block === null;

export const isClear = ({ model, provider }: Pair): boolean => isFree(model) && isFree(provider);

export function standing(model: Health, provider: Health, now: number, numbers: HealthNumbers): Standing {
  const failures = countedFailures(model.breaker, now, numbers.breaker.windowMs);
  const block = provider.block ?? model.block;
  if (block) {
    const { kind, since } = block;
    return out('blocked', `blocked.${kind}`, { until: null, source: null, since, failures, kind });
  }
  // The lane that ends last decides.
  const limit = limited(laterLimit(model.limit, provider.limit, 'until'), now, failures);
  const breaker = laterOut(limit, refused(model, 'breaker', now, failures));
  return laterOut(breaker, refused(provider, 'network', now, failures)) ?? usable(model, provider, now, failures);
}

const laterOut = (one: Standing | null, other: Standing | null): Standing | null =>
  one && other ? ((other.until ?? 0) > (one.until ?? 0) ? other : one) : (one ?? other);

function limited(limit: Limit | null, now: number, failures: number): Standing | null {
  if (limit === null || now >= limit.until) return null;
  const { kind, until, source, since } = limit;
  return out('cooling', `limit.${kind}`, { until, source, since, failures, kind });
}

function refused(
  { breaker, last }: Health,
  lane: 'breaker' | 'network',
  now: number,
  failures: number,
): Standing | null {
  const refusal = refusalOf(breaker, now);
  if (!refusal) return null;
  const isProbing = refusal.code === 'breaker.probing';
  // A later failure may have another lane.
  const kind = kindIn(lane, last) ?? 'unknown';
  const why = { until: refusal.backAt, source: 'estimate', since: null, failures, kind } as const;
  return out(isProbing ? 'probing' : 'open', `${lane}.${isProbing ? 'probing' : 'open'}`, why);
}

function out(state: ModelState, code: string, why: Omit<Standing, 'state' | 'code' | 'use'>): Standing {
  const { until, source, since, failures, kind } = why;
  return { state, code, use: 'out', until, source, since, failures, kind };
}

function usable(model: Health, provider: Health, now: number, failures: number): Standing {
  const limit = laterLimit(model.limit, provider.limit, 'preferAt');
  const rest = restAt(model, now);
  const isLimited = limit !== null && now < limit.preferAt;
  if (isLimited && !(rest && rest.until > limit.preferAt)) return resting(limit, limit.preferAt, failures);
  if (rest) return resting(rest, rest.until, failures);
  const state = failures > 0 ? 'degraded' : model.calls === 0 ? 'unseen' : 'ready';
  // The provider's other models keep their state but rank last.
  const away = restAt(provider, now);
  if (away) return timeless(state, `rest.${away.kind}`, 'last', { failures, kind: away.kind });
  if (failures === 0) return timeless(state, null, 'first', { failures, kind: null });
  return timeless(state, 'breaker.counting', 'first', { failures, kind: kindIn('breaker', model.last) });
}

const kindIn = (lane: 'breaker' | 'network', last: Health['last']): FailureKind | null =>
  last && KIND_INFO[last.kind].lane === lane ? last.kind : null;

/** Computed several times per request. */
const timeless = (
  state: ModelState,
  code: string | null,
  use: Standing['use'],
  { failures, kind }: Pick<Standing, 'failures' | 'kind'>,
): Standing => ({ state, code, use, until: null, source: null, since: null, failures, kind });

export const READY = timeless('ready', null, 'first', { failures: 0, kind: null });
export const UNSEEN: Standing = { ...READY, state: 'unseen' };

const restAt = ({ rest }: Health, now: number): Rest | null => (rest && now < rest.until ? rest : null);

function resting({ kind, since }: Limit | Rest, until: number, failures: number): Standing {
  return { state: 'resting', code: `rest.${kind}`, use: 'last', until, source: 'estimate', since, failures, kind };
}

function laterLimit(a: Limit | null, b: Limit | null, by: 'until' | 'preferAt'): Limit | null {
  if (!a || !b) return a ?? b;
  return a[by] >= b[by] ? a : b;
}

/**
 * Engine ms at which time alone makes the model first choice, after cooldown and rest; null if the user or a probe
 * must act.
 */
export function preferredAt(model: Health, provider: Health, now: number): number | null {
  if (model.block ?? provider.block) return null;
  const moments = [model.limit?.preferAt, provider.limit?.preferAt, model.rest?.until, provider.rest?.until];
  for (const { breaker } of [model, provider]) if (breaker.kind === 'open') moments.push(breaker.until);
  const ahead = moments.filter((at) => at !== undefined && at > now) as number[];
  return ahead.length > 0 ? Math.max(...ahead) : null;
}

/** Null without a change by time. @param windowMs the breaker's window. */
export function nextChange({ model, provider }: Pair, now: number, windowMs: number): number | null {
  let soonest = Number.POSITIVE_INFINITY;
  const consider = (at: number | undefined): void => {
    if (at !== undefined && at > now && at < soonest) soonest = at;
  };
  for (const { limit, rest, breaker } of [model, provider]) {
    consider(limit?.until);
    consider(limit?.preferAt);
    consider(rest?.until);
    consider(endOf(breaker));
  }
  if (model.breaker.kind === 'closed') for (const at of model.breaker.failures) consider(at + windowMs);
  return Number.isFinite(soonest) ? soonest : null;
}

function endOf(breaker: BreakerState): number | undefined {
  switch (breaker.kind) {
    case 'closed':
      return undefined;
    case 'open':
      return breaker.until;
    case 'halfOpen':
      return breaker.probe ? breaker.probe.since + PROBE_LEASE_MS : undefined;
  }
}
