import type { HealthNumbers } from '../base/config';
import type { Failure } from '../base/decision';
import type { FailureKind } from '../base/kinds';
import {
  admit as admitBreaker,
  type BreakerConfig,
  type BreakerState,
  closedAfter,
  initialBreaker,
  type Permit,
  recordFailure,
  recordSuccess,
  release,
} from './breaker';

/** Unavailable until `until`, last until `preferAt`. */
export type Limit = Readonly<{
  kind: FailureKind;
  until: number;
  preferAt: number;
  source: 'provider' | 'estimate';
  since: number;
  /** Limits in a row right after the provider's time, without a response. */
  returns?: number | undefined;
  /** The other machine that detected it. */
  machine?: string | undefined;
}>;
/** Available, but last. */
export type Rest = Readonly<{ kind: FailureKind; until: number; since: number; machine?: string | undefined }>;
/** Until the user acts. */
export type Block = Readonly<{ kind: FailureKind; since: number }>;
export type LastFailure = Readonly<{ kind: FailureKind; status: number | null; message: string; at: number }>;

/** Health of a model, or of a provider for all its models. */
export type Health = Readonly<{
  breaker: BreakerState;
  limit: Limit | null;
  rest: Rest | null;
  block: Block | null;
  last: LastFailure | null;
  /** Calls of a model; a provider counts none. */
  calls: number;
  failed: number;
  /** Directory of the last failure, whose numbers apply. */
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

const modelLane = ({ breaker }: HealthNumbers): BreakerConfig => ({
  failureThreshold: breaker.failureThreshold,
  windowMs: breaker.windowMs,
  cooldownMs: breaker.cooldownMs,
  growth: breaker.growth,
  maxCooldownMs: breaker.maxCooldownMs,
  successClears: false,
});
/** Any response proves that the network path works. */
const networkLane = ({ network }: HealthNumbers): BreakerConfig => ({
  failureThreshold: network.failureThreshold,
  windowMs: Number.POSITIVE_INFINITY,
  cooldownMs: network.cooldownMs,
  growth: 1,
  successClears: true,
});

export type CallPermit = Readonly<{ model: Permit; provider: Permit }>;
export type Pair = Readonly<{ model: Health; provider: Health }>;

/** A forced call through an open breaker gets stale permits; `isEarly` makes it the probe, before its time. */
export function admitCall(pair: Pair, now: number, isEarly = false): Readonly<{ pair: Pair; permit: CallPermit }> {
  const model = admitOrPass(isEarly ? due(pair.model.breaker, now) : pair.model.breaker, now);
  const way = pair.provider.breaker;
  // With a closed breaker, calls change nothing that all models share.
  const provider =
    way.kind === 'closed' ? { state: way, permit: permitOf(way) } : admitOrPass(isEarly ? due(way, now) : way, now);
  return {
    pair: { model: called(pair.model, model.state), provider: withBreaker(pair.provider, provider.state) },
    permit: { model: model.permit, provider: provider.permit },
  };
}

const permitOf = ({ generation, serial }: BreakerState): Permit => ({ generation, serial });

/** The failure of an early probe must not lengthen the open time. */
const due = (state: BreakerState, now: number): BreakerState =>
  state.kind === 'open' && state.until > now ? { ...state, until: now, trips: Math.max(0, state.trips - 1) } : state;

/** Runs for every request; a spread costs several times as much. */
function called(health: Health, breaker: BreakerState): Health {
  const { limit, rest, block, last, calls, failed, directory } = health;
  return { breaker, limit, rest, block, last, calls: calls + 1, failed, directory };
}

/** Matches no generation, so its result moves no breaker. */
const NO_PERMIT: Permit = { generation: -1, serial: -1 };

/** Late results of these lanes do not count either. */
export const lapsed = (
  { model, provider }: CallPermit,
  is: Readonly<Record<keyof CallPermit, boolean>>,
): CallPermit => ({
  model: is.model ? NO_PERMIT : model,
  provider: is.provider ? NO_PERMIT : provider,
});

function admitOrPass(state: BreakerState, now: number): Readonly<{ state: BreakerState; permit: Permit }> {
  const admission = admitBreaker(state, now);
  return 'permit' in admission ? admission : { state, permit: NO_PERMIT };
}

type FailedCall = Readonly<{
  permit: CallPermit;
  failure: Failure;
  now: number;
  numbers: HealthNumbers;
  directory: string;
  leaves: boolean;
  counts: boolean;
}>;

/** `leaves`: the turn leaves the model, which then rests; so does an unreachable provider. */
export function failCall(pair: Pair, call: FailedCall): Pair {
  const { permit, failure, now, numbers, directory } = call;
  const { kind, status, message, lane } = failure;
  const { model, provider } = pair;
  const isProviders = failure.scope === 'provider';
  const last = { kind, status, message, at: now };
  const rest = call.leaves ? { kind, until: now + numbers.restMs, since: now } : null;
  const way = wayAfter(provider.breaker, call);
  const restAfter = (old: Rest | null): Rest | null => (rest === null || isLater(old, now) ? old : rest);
  const open = isAnswer(failure) && !isLater(provider.rest, now) ? null : provider.rest;
  const providerRest = lane === 'network' ? restAfter(provider.rest) : open;
  return {
    model: {
      breaker:
        lane === 'breaker' && call.counts
          ? recordFailure(model.breaker, permit.model, now, modelLane(numbers))
          : release(model.breaker, permit.model),
      limit: isProviders ? model.limit : limitAfter(model.limit, call),
      rest: lane === 'breaker' || lane === 'network' ? restAfter(model.rest) : model.rest,
      block: isProviders ? model.block : blockAfter(model.block, call),
      last,
      calls: model.calls,
      failed: model.failed + 1,
      directory,
    },
    provider:
      !isProviders && way === provider.breaker && providerRest === provider.rest
        ? provider
        : {
            breaker: way,
            limit: isProviders ? limitAfter(provider.limit, call) : provider.limit,
            rest: providerRest,
            block: isProviders ? blockAfter(provider.block, call) : provider.block,
            last: isProviders ? last : provider.last,
            calls: provider.calls,
            failed: provider.failed,
            directory: isProviders ? directory : provider.directory,
          },
  };
}

/** Any response proves that the provider is reachable. */
function wayAfter(breaker: BreakerState, { permit, failure, now, numbers }: FailedCall): BreakerState {
  if (failure.lane === 'network') return recordFailure(breaker, permit.provider, now, networkLane(numbers));
  return isAnswer(failure)
    ? recordSuccess(breaker, permit.provider, networkLane(numbers))
    : release(breaker, permit.provider);
}

/** Without other signs of a response, these do not prove that the provider is reachable. */
export const SILENCE: readonly FailureKind[] = [
  'timeout',
  'network_transient',
  'network_permanent',
  'local_network',
  'unknown',
];

const isAnswer = ({ kind, status, outputChars }: Failure): boolean =>
  !SILENCE.includes(kind) || status !== null || outputChars > 0;

/** A process without an app reports events later, with their own times. */
const isLater = (found: Readonly<{ since: number }> | null, now: number): boolean =>
  found !== null && found.since > now;

const blockAfter = (old: Block | null, { failure, now }: FailedCall): Block | null =>
  failure.lane === 'blocked' && !isLater(old, now) ? { kind: failure.kind, since: now } : old;

/** A limit so soon after the provider's time is a return. Source: docs/failures.md, health. */
const RETURN_MS = 60_000;

/**
 * After the provider's time the model is first choice at once; without one our numbers apply. From the second return
 * on, cooldowns double up to our number.
 */
function limitAfter(old: Limit | null, { failure, now, numbers }: FailedCall): Limit | null {
  if (failure.lane !== 'cooldown') return old;
  const own = failure.kind === 'quota' ? numbers.quotaCooldownMs : numbers.cooldownMs;
  const hint = failure.hintMs ?? 0;
  const isGiven = hint > 0;
  const isAgain = isGiven && (old?.source === 'provider' || old?.returns !== undefined);
  const returns = old && isAgain && now >= old.until && now - old.until < RETURN_MS ? (old.returns ?? 0) + 1 : 0;
  const grown = Math.max(hint, Math.min(hint * 2 ** Math.max(0, returns - 1), own));
  const until = now + (isGiven ? grown : own);
  const since = Math.max(now, old?.since ?? now);
  // An earlier call's response must not shorten a limit. Of two provider times the later counts: each has its own
  // window.
  const isWord = old?.source === 'provider';
  const endsLater = old !== null && old.until > until;
  if (old && now < old.until && (isGiven ? isWord && endsLater : isWord || endsLater)) return { ...old, since };
  const preferAt = isGiven ? until : Math.max(until, now + numbers.retryOriginalAfterMs, old?.preferAt ?? 0);
  const source = grown === hint && isGiven ? 'provider' : 'estimate';
  return { kind: failure.kind, until, preferAt, source, since, ...(returns > 0 ? { returns } : {}) };
}

/**
 * Engine ms before which facts must be found for a call sent at `now` to disprove them: later ones may be found
 * meanwhile. A failure within the same ms counts as before, since a response is the better proof. A call reported late
 * disproves nothing found since.
 */
export function provesBefore({ model, provider }: Pair, now: number): number {
  let before = now;
  for (const { limit, rest, block } of [model, provider])
    for (const lane of [limit, rest, block])
      if (lane && lane.since >= before && lane.since < now + 1) before = lane.since + 1;
  return before;
}

type AnsweredCall = Readonly<{
  permit: CallPermit;
  numbers: HealthNumbers;
  now?: number;
  /** From {@link provesBefore}; absent: ends everything. */
  before?: number | undefined;
}>;

/** Ends older facts; a probe closes its breaker. */
export function succeedCall(
  pair: Pair,
  { permit, numbers, now, before = Number.POSITIVE_INFINITY }: AnsweredCall,
): Pair {
  const { model, provider } = pair;
  return {
    model: healed(model, recordSuccess(model.breaker, permit.model, modelLane(numbers), now), before),
    provider: healed(provider, recordSuccess(provider.breaker, permit.provider, networkLane(numbers)), before),
  };
}

function healed(health: Health, breaker: BreakerState, before: number): Health {
  const { last, calls, failed, directory } = health;
  const limit = after(before, health.limit);
  const rest = after(before, health.rest);
  const block = after(before, health.block);
  if (breaker === health.breaker && limit === health.limit && rest === health.rest && block === health.block)
    return health;
  return { breaker, limit, rest, block, last, calls, failed, directory };
}

const after = <Lane extends Readonly<{ since: number }>>(before: number, lane: Lane | null): Lane | null =>
  lane !== null && lane.since >= before ? lane : null;

export function abortCall(pair: Pair, permit: CallPermit): Pair {
  return {
    model: withBreaker(pair.model, release(pair.model.breaker, permit.model)),
    provider: withBreaker(pair.provider, release(pair.provider.breaker, permit.provider)),
  };
}

const withBreaker = (health: Health, breaker: BreakerState): Health =>
  breaker === health.breaker ? health : { ...health, breaker };

/** Clears all lanes; statistics stay. */
export function resetHealth(health: Health): Health {
  return { ...health, breaker: closedAfter(health.breaker), limit: null, rest: null, block: null };
}
