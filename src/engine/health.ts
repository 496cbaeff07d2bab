import {
  admit as admitBreaker,
  type BreakerConfig,
  type BreakerState,
  countedFailures,
  initialBreaker,
  type Permit,
  recordFailure,
  recordSuccess,
  refusalOf,
  release,
} from './breaker';
import type { HealthNumbers } from './config';
import type { Failure } from './decision';
import type { FailureKind, ModelState } from './kinds';

/** The cooldown lane after a hit: unusable until `until`, then used last until `preferAt`. Engine ms. */
export type Limit = Readonly<{
  kind: FailureKind;
  until: number;
  preferAt: number;
  source: 'provider' | 'estimate';
  since: number;
}>;
/** Usable, but last. */
export type Rest = Readonly<{ kind: FailureKind; until: number; since: number }>;
/** Out until a person acts. */
export type Block = Readonly<{ kind: FailureKind; since: number }>;
export type LastFailure = Readonly<{ kind: FailureKind; status: number | null; message: string; at: number }>;

/** Health of one model, or of a provider where a failure speaks for all its models. */
export type Health = Readonly<{
  breaker: BreakerState;
  limit: Limit | null;
  rest: Rest | null;
  block: Block | null;
  last: LastFailure | null;
  calls: number;
  failed: number;
  /** Where it last failed: that directory's numbers apply to it. */
  directory: string | null;
}>;

export const initialHealth: Health = {
  breaker: initialBreaker,
  limit: null,
  rest: null,
  block: null,
  last: null,
  calls: 0,
  failed: 0,
  directory: null,
};

const modelLane = (numbers: HealthNumbers): BreakerConfig => ({ ...numbers.breaker, successClears: false });
/** Network failures must be consecutive: any answer proves that the way is open. */
const networkLane = (numbers: HealthNumbers): BreakerConfig => ({
  ...numbers.network,
  windowMs: Number.POSITIVE_INFINITY,
  growth: 1,
  successClears: true,
});

/** What a model shows and whether a turn may use it. */
export type Standing = Readonly<{
  state: ModelState;
  /** Stable dotted reason; null when ready or unseen. */
  code: string | null;
  /** `first`: usable now; `last`: usable when nothing else is; `out`: not usable. */
  use: 'first' | 'last' | 'out';
  /** Engine ms at which `state` ends by itself; null when no clock ends it. */
  until: number | null;
  source: 'provider' | 'estimate' | null;
  since: number | null;
  failures: number;
  kind: FailureKind | null;
}>;

/** One answer from all lanes of a model and its provider at `now`. */
export function standing(model: Health, provider: Health, now: number, numbers: HealthNumbers): Standing {
  const failures = countedFailures(model.breaker, now, numbers.breaker.windowMs);
  const block = provider.block ?? model.block;
  if (block) return out('blocked', `blocked.${block.kind}`, { ...block, until: null, source: null, failures });
  const limit = laterLimit(model.limit, provider.limit);
  if (limit && now < limit.until) return out('cooling', `limit.${limit.kind}`, { ...limit, failures });
  for (const [lane, name] of [
    [model.breaker, 'breaker'],
    [provider.breaker, 'network'],
  ] as const) {
    const refusal = refusalOf(lane, now);
    if (!refusal) continue;
    const state = refusal.code === 'breaker.probing' ? 'probing' : 'open';
    const code = refusal.code.replace('breaker', name);
    const kind = (name === 'network' ? provider.last : model.last)?.kind ?? null;
    return out(state, code, { until: refusal.backAt, source: 'estimate', since: null, failures, kind });
  }
  return usable(model, provider, now, failures);
}

type Why = Readonly<{
  until: number | null;
  source: 'provider' | 'estimate' | null;
  since: number | null;
  failures: number;
  kind: FailureKind | null;
}>;

function out(state: ModelState, code: string, why: Why): Standing {
  const { until, source, since, failures, kind } = why;
  return { state, code, use: 'out', until, source, since, failures, kind };
}

function usable(model: Health, provider: Health, now: number, failures: number): Standing {
  const limit = laterLimit(model.limit, provider.limit);
  const rest = model.rest && now < model.rest.until ? model.rest : null;
  if (limit && now < limit.preferAt && !(rest && rest.until > limit.preferAt)) {
    const { kind, since, preferAt } = limit;
    return {
      state: 'resting',
      code: `rest.${kind}`,
      use: 'last',
      until: preferAt,
      source: 'estimate',
      since,
      failures,
      kind,
    };
  }
  if (rest) {
    const { kind, since, until } = rest;
    return { state: 'resting', code: `rest.${kind}`, use: 'last', until, source: 'estimate', since, failures, kind };
  }
  const state = failures > 0 ? 'degraded' : model.calls === 0 ? 'unseen' : 'ready';
  const code = failures > 0 ? 'breaker.counting' : null;
  const kind = failures > 0 ? (model.last?.kind ?? null) : null;
  return { state, code, use: 'first', until: null, source: null, since: null, failures, kind };
}

function laterLimit(a: Limit | null, b: Limit | null): Limit | null {
  if (!a || !b) return a ?? b;
  return a.until >= b.until ? a : b;
}

/**
 * When the clock alone makes a model first choice again, in engine ms: later than the end of a cooldown, which is followed
 * by a time of being used last. Null when it is first choice now, or when only a person or a probe's answer can tell.
 */
export function preferredAt(model: Health, provider: Health, now: number): number | null {
  if (model.block ?? provider.block) return null;
  const moments = [model.limit?.preferAt, provider.limit?.preferAt, model.rest?.until];
  for (const { breaker } of [model, provider]) if (breaker.kind === 'open') moments.push(breaker.until);
  const ahead = moments.filter((at) => at !== undefined && at > now) as number[];
  return ahead.length > 0 ? Math.max(...ahead) : null;
}

/** Permits of one call, in both lanes it passes. */
export type CallPermit = Readonly<{ model: Permit; provider: Permit }>;
export type Pair = Readonly<{ model: Health; provider: Health }>;

/** Takes the permits of a call that will be made. A call that other rules force through an open lane gets stale permits. */
export function admitCall(pair: Pair, now: number): Readonly<{ pair: Pair; permit: CallPermit }> {
  const model = admitOrPass(pair.model.breaker, now);
  const provider = admitOrPass(pair.provider.breaker, now);
  return {
    pair: {
      model: { ...pair.model, breaker: model.state, calls: pair.model.calls + 1 },
      provider: { ...pair.provider, breaker: provider.state, calls: pair.provider.calls + 1 },
    },
    permit: { model: model.permit, provider: provider.permit },
  };
}

/** Matches no generation, so its result moves no breaker. */
const NO_PERMIT: Permit = { generation: -1, serial: -1 };

function admitOrPass(state: BreakerState, now: number): Readonly<{ state: BreakerState; permit: Permit }> {
  const admission = admitBreaker(state, now);
  return 'permit' in admission ? admission : { state, permit: NO_PERMIT };
}

/** Records a failed call. `leaves` says whether the turn leaves the model for it, which makes the model rest. */
export function failCall(
  pair: Pair,
  call: Readonly<{
    permit: CallPermit;
    failure: Failure;
    now: number;
    numbers: HealthNumbers;
    directory: string;
    leaves: boolean;
  }>,
): Pair {
  const { failure, now, numbers, permit, directory } = call;
  const last = { kind: failure.kind, status: failure.status, message: failure.message, at: now };
  const freed = abortCall(pair, permit);
  const model: Health = { ...pair.model, last, failed: pair.model.failed + 1, directory };
  const provider: Health = failure.scope === 'provider' ? { ...pair.provider, last, directory } : pair.provider;
  const rest = call.leaves ? { kind: failure.kind, until: now + numbers.restMs, since: now } : model.rest;
  switch (failure.lane) {
    case 'neutral':
    case 'blocked':
    case 'cooldown': {
      const lanes = {
        model: { ...model, breaker: freed.model.breaker },
        provider: { ...provider, breaker: freed.provider.breaker },
      };
      return withoutCount(lanes, failure, now, numbers);
    }
    case 'network': {
      const breaker = recordFailure(provider.breaker, permit.provider, now, networkLane(numbers));
      return { model: { ...model, rest, breaker: freed.model.breaker }, provider: { ...provider, breaker } };
    }
    case 'breaker': {
      const breaker = recordFailure(model.breaker, permit.model, now, modelLane(numbers));
      return { model: { ...model, rest, breaker }, provider: reached(provider, permit, numbers) };
    }
  }
}

/** Lanes that do not count failures: a block, a limit, or nothing, on the model or on its provider. */
function withoutCount(pair: Pair, failure: Failure, now: number, numbers: HealthNumbers): Pair {
  if (failure.lane === 'neutral') return pair;
  const change = (health: Health): Health =>
    failure.lane === 'blocked'
      ? { ...health, block: { kind: failure.kind, since: now } }
      : { ...health, limit: limitAfter(health.limit, failure, now, numbers) };
  return failure.scope === 'provider'
    ? { model: pair.model, provider: change(pair.provider) }
    : { model: change(pair.model), provider: pair.provider };
}

/** A later hint never shortens a limit. After a hint longer than `retryOriginalAfterMs` the model is ready at its end. */
function limitAfter(old: Limit | null, failure: Failure, now: number, numbers: HealthNumbers): Limit {
  const own = failure.kind === 'quota' ? numbers.quotaCooldownMs : numbers.cooldownMs;
  const hint = failure.hintMs ?? 0;
  const isProviders = failure.kind === 'quota' ? failure.hintMs !== null : hint >= own;
  const until = now + (failure.kind === 'quota' && failure.hintMs !== null ? hint : Math.max(hint, own));
  if (old && old.until > until) return old;
  const preferAt = Math.max(until, now + numbers.retryOriginalAfterMs);
  return { kind: failure.kind, until, preferAt, source: isProviders ? 'provider' : 'estimate', since: now };
}

/** The provider answered, whatever it said: the way to it is open. */
function reached(provider: Health, permit: CallPermit, numbers: HealthNumbers): Health {
  const breaker = recordSuccess(provider.breaker, permit.provider, networkLane(numbers));
  return breaker === provider.breaker ? provider : { ...provider, breaker };
}

/** Records an answered call: limits, rests and blocks end early, a probe closes its breaker. */
export function succeedCall(pair: Pair, permit: CallPermit, numbers: HealthNumbers): Pair {
  const breaker = recordSuccess(pair.model.breaker, permit.model, modelLane(numbers));
  return {
    model: { ...pair.model, breaker, limit: null, rest: null, block: null },
    provider: { ...reached(pair.provider, permit, numbers), limit: null, block: null },
  };
}

/** The user stopped the call: nobody is blamed. */
export function abortCall(pair: Pair, permit: CallPermit): Pair {
  return {
    model: { ...pair.model, breaker: release(pair.model.breaker, permit.model) },
    provider: { ...pair.provider, breaker: release(pair.provider.breaker, permit.provider) },
  };
}

/** Health with every lane cleared by a person; what was counted for statistics stays. */
export function resetHealth(health: Health): Health {
  const breaker: BreakerState = {
    kind: 'closed',
    generation: health.breaker.generation + 1,
    serial: health.breaker.serial,
    failures: [],
    trips: 0,
  };
  return { ...health, breaker, limit: null, rest: null, block: null };
}

/** Moves every time in it by `deltaMs`: how health travels between hosts whose clocks differ. */
export function shiftHealth(health: Health, deltaMs: number): Health {
  const { limit, rest, block, last } = health;
  return {
    ...health,
    breaker: shiftBreaker(health.breaker, deltaMs),
    limit: limit && {
      ...limit,
      until: limit.until + deltaMs,
      preferAt: limit.preferAt + deltaMs,
      since: limit.since + deltaMs,
    },
    rest: rest && { ...rest, until: rest.until + deltaMs, since: rest.since + deltaMs },
    block: block && { ...block, since: block.since + deltaMs },
    last: last && { ...last, at: last.at + deltaMs },
  };
}

function shiftBreaker(state: BreakerState, deltaMs: number): BreakerState {
  switch (state.kind) {
    case 'closed':
      return { ...state, failures: state.failures.map((at) => at + deltaMs) };
    case 'open':
      return { ...state, until: state.until + deltaMs };
    case 'halfOpen':
      return state.probe ? { ...state, probe: { ...state.probe, since: state.probe.since + deltaMs } } : state;
  }
}

/** The next moment, after `now`, at which this health changes by itself; null when never. */
export function nextChange(health: Health, now: number): number | null {
  const moments = [health.limit?.until, health.limit?.preferAt, health.rest?.until];
  if (health.breaker.kind === 'open') moments.push(health.breaker.until);
  const ahead = moments.filter((at) => at !== undefined && at > now) as number[];
  return ahead.length > 0 ? Math.min(...ahead) : null;
}
