import { MAX_COOLDOWN_MS } from '../base/config';

/**
 * A result counts only in its permit's generation, so that a late one cannot move a newer state; a probe's only with
 * its serial. The engine uses a permit once: it drops an attempt with its first result.
 */
export type Permit = Readonly<{ generation: number; serial: number }>;

/** An unanswered probe then frees its slot. Source: docs/failures.md, health. */
export const PROBE_LEASE_MS = 600_000;

const GROWTH_TRIPS_MAX = 6;

export type BreakerState =
  | Closed
  | Readonly<{
      kind: 'open';
      generation: number;
      serial: number;
      until: number;
      trips: number;
      /** The other machine that opened it. */
      machine?: string | undefined;
    }>
  | Readonly<{ kind: 'halfOpen'; generation: number; serial: number; probe: Probe | null; trips: number }>;
/** Always written with all fields: admission is then several times as fast. */
type Closed = Readonly<{
  kind: 'closed';
  generation: number;
  serial: number;
  failures: readonly number[];
  trips: number;
  /** When it closed or last failed after a trip; if undefined, trips do not expire. */
  calmSince?: number | undefined;
}>;
type Probe = Readonly<{
  serial: number;
  since: number;
  /** The other machine that runs it. */
  machine?: string | undefined;
}>;

export type BreakerConfig = Readonly<{
  failureThreshold: number;
  /** Infinity counts consecutive failures. */
  windowMs: number;
  cooldownMs: number;
  /** Factor per consecutive trip. */
  growth: number;
  /** 24 h if absent; a longer `cooldownMs` does not grow. */
  maxCooldownMs?: number | undefined;
  /** For consecutive failures: a success clears them. */
  successClears: boolean;
}>;

const NO_FAILURES: readonly number[] = [];

export const initialBreaker: BreakerState = {
  kind: 'closed',
  generation: 0,
  serial: 0,
  failures: NO_FAILURES,
  trips: 0,
  calmSince: undefined,
};

/** During a probe, `backAt` is its latest end. */
export type Refusal = Readonly<{ code: 'breaker.open' | 'breaker.probing'; backAt: number }>;

export function refusalOf(state: BreakerState, now: number): Refusal | null {
  if (state.kind === 'open') return now < state.until ? { code: 'breaker.open', backAt: state.until } : null;
  if (state.kind !== 'halfOpen' || !state.probe) return null;
  const backAt = state.probe.since + PROBE_LEASE_MS;
  return now < backAt ? { code: 'breaker.probing', backAt } : null;
}

type Admission = Readonly<{ state: BreakerState; permit: Permit; isProbe: boolean }>;

/** An open breaker admits one probe after its time. */
export function admit(state: BreakerState, now: number): Admission | Refusal {
  const refusal = refusalOf(state, now);
  if (refusal) return refusal;
  const serial = state.serial + 1;
  if (state.kind === 'closed') {
    const { generation, failures, trips, calmSince } = state;
    return {
      state: { kind: 'closed', generation, serial, failures, trips, calmSince },
      permit: { generation, serial },
      isProbe: false,
    };
  }
  const generation = state.generation + 1;
  return {
    state: { kind: 'halfOpen', generation, serial, probe: { serial, since: now }, trips: state.trips },
    permit: { generation, serial },
    isProbe: true,
  };
}

export function recordFailure(state: BreakerState, permit: Permit, now: number, config: BreakerConfig): BreakerState {
  if (permit.generation !== state.generation || state.kind === 'open') return state;
  const { generation, serial } = state;
  if (state.kind === 'halfOpen') {
    return state.probe?.serial === permit.serial ? opened(state, now, config) : state;
  }
  const failures = state.failures.filter((at) => now - at < config.windowMs).concat(now);
  const trips = calmed(state, now, config.windowMs);
  if (failures.length >= config.failureThreshold) return opened({ generation, serial, trips }, now, config);
  return { kind: 'closed', generation, serial, failures, trips, calmSince: trips > 0 ? now : undefined };
}

/** Each whole window without a failure forgives one trip. */
function calmed({ trips, calmSince }: Closed, now: number, windowMs: number): number {
  if (calmSince === undefined) return trips;
  // A clock set back must not add trips.
  return Math.max(0, trips - Math.max(0, Math.floor((now - calmSince) / windowMs)));
}

function opened(
  { generation, serial, trips }: Pick<BreakerState, 'generation' | 'serial' | 'trips'>,
  now: number,
  { cooldownMs, growth, maxCooldownMs = MAX_COOLDOWN_MS }: BreakerConfig,
): BreakerState {
  const grown = cooldownMs * growth ** Math.min(trips, GROWTH_TRIPS_MAX);
  const until = now + Math.min(grown, Math.max(cooldownMs, maxCooldownMs));
  return { kind: 'open', generation: generation + 1, serial, until, trips: trips + 1 };
}

/** A success closes the breaker after a probe; a closed one changes only if failures must be consecutive. */
export function recordSuccess(state: BreakerState, permit: Permit, config: BreakerConfig, now?: number): BreakerState {
  if (permit.generation !== state.generation) return state;
  if (state.kind === 'halfOpen' && state.probe?.serial === permit.serial) {
    // Time forgives earlier trips, not one good probe.
    return closedAfter(state, config.growth > 1 ? now : undefined);
  }
  return state.kind === 'closed' && config.successClears ? withFailures(state, NO_FAILURES) : state;
}

/** With `calmSince` the trips stay. */
export function closedAfter({ generation, serial, trips }: BreakerState, calmSince?: number): Closed {
  return {
    kind: 'closed',
    generation: generation + 1,
    serial,
    failures: NO_FAILURES,
    trips: calmSince === undefined ? 0 : trips,
    calmSince,
  };
}

export function withFailures(state: Closed, failures: readonly number[]): Closed {
  if (failures.length === state.failures.length) return state;
  const { generation, serial, trips, calmSince } = state;
  return { kind: 'closed', generation, serial, failures, trips, calmSince };
}

/** A call stopped by the user proves nothing. */
export function release(state: BreakerState, permit: Permit): BreakerState {
  if (permit.generation !== state.generation || state.kind !== 'halfOpen') return state;
  if (state.probe?.serial !== permit.serial) return state;
  const { generation, serial, trips } = state;
  return { kind: 'halfOpen', generation, serial, probe: null, trips };
}

export function countedFailures(state: BreakerState, now: number, windowMs: number): number {
  if (state.kind !== 'closed') return 0;
  let counted = 0;
  for (const at of state.failures) if (now - at < windowMs) counted++;
  return counted;
}
