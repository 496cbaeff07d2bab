import { MAX_COOLDOWN_MS } from '../base/config';

/**
 * Admission to make one call. A result counts only in the generation that admitted it, so a late answer from before a
 * trip can neither open nor close what came after; a probe's result counts only with the probe's own serial. That a
 * permit is used once is seen to by its holder: the engine drops an attempt with its first result.
 */
export type Permit = Readonly<{ generation: number; serial: number }>;

/** How long a probe may stay unanswered before its slot is free again, in ms. Source: docs/failures.md, health. */
export const PROBE_LEASE_MS = 600_000;

/** Trips beyond this no longer lengthen the open time. */
const GROWTH_TRIPS_MAX = 6;

export type BreakerState =
  | Closed
  | Readonly<{
      kind: 'open';
      generation: number;
      serial: number;
      until: number;
      trips: number;
      /** The other machine whose requests have opened it; absent for one that opened here. */
      machine?: string | undefined;
    }>
  | Readonly<{ kind: 'halfOpen'; generation: number; serial: number; probe: Probe | null; trips: number }>;
/** Always written field by field, and always all of them: admitting a call is several times as fast that way. */
type Closed = Readonly<{
  kind: 'closed';
  generation: number;
  serial: number;
  failures: readonly number[];
  trips: number;
  /** When it closed or last failed, in ms; undefined until it has tripped. */
  calmSince?: number | undefined;
}>;
type Probe = Readonly<{
  serial: number;
  since: number;
  /** The other machine that makes it; absent for one of this machine. */
  machine?: string | undefined;
}>;

export type BreakerConfig = Readonly<{
  /** Failures inside the window that open the circuit. */
  failureThreshold: number;
  /** A failure exactly this old has left the window; Infinity counts consecutive failures. */
  windowMs: number;
  cooldownMs: number;
  /** Each consecutive trip multiplies the open time by this. */
  growth: number;
  /** What growth stops at, in ms; 24 h where it is left out. A `cooldownMs` above it does not grow. */
  maxCooldownMs?: number | undefined;
  /** Whether a success forgets the counted failures: true where failures must be consecutive. */
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

/** Why a call was not admitted. While a probe is out, `backAt` is when its slot is free again at the latest. */
export type Refusal = Readonly<{ code: 'breaker.open' | 'breaker.probing'; backAt: number }>;

/** Whether a call would be admitted at `now`, without making it. */
export function refusalOf(state: BreakerState, now: number): Refusal | null {
  if (state.kind === 'open') return now < state.until ? { code: 'breaker.open', backAt: state.until } : null;
  if (state.kind !== 'halfOpen' || !state.probe) return null;
  const backAt = state.probe.since + PROBE_LEASE_MS;
  return now < backAt ? { code: 'breaker.probing', backAt } : null;
}

type Admission = Readonly<{ state: BreakerState; permit: Permit; isProbe: boolean }>;

/** Admits a call at `now` (ms), or says why not. An open circuit whose time has come admits exactly one probe. */
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

/** Records a failure that counts. Results of another generation are ignored. */
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

/** Trips that still lengthen the open time: each whole window without a failure forgives one. */
function calmed({ trips, calmSince }: Closed, now: number, windowMs: number): number {
  if (calmSince === undefined) return trips;
  // A clock that goes back must not add to them.
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

/** Records a success: a probe closes the circuit; in a closed one it changes nothing unless failures must be consecutive. */
export function recordSuccess(state: BreakerState, permit: Permit, config: BreakerConfig, now?: number): BreakerState {
  if (permit.generation !== state.generation) return state;
  if (state.kind === 'halfOpen' && state.probe?.serial === permit.serial) {
    // Where open times grow, one good probe does not forgive every trip before it: time does.
    return closedAfter(state, config.growth > 1 ? now : undefined);
  }
  return state.kind === 'closed' && config.successClears ? withFailures(state, NO_FAILURES) : state;
}

/** A closed circuit with nothing counted, which no earlier result moves; its trips are kept when it shall be calm since then. */
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

/** A closed circuit that counts these failures, of those it counted; itself when these are all. */
export function withFailures(state: Closed, failures: readonly number[]): Closed {
  if (failures.length === state.failures.length) return state;
  const { generation, serial, trips, calmSince } = state;
  return { kind: 'closed', generation, serial, failures, trips, calmSince };
}

/** Hands a permit back unused: the user stopped the call, so the model is neither better nor worse for it. */
export function release(state: BreakerState, permit: Permit): BreakerState {
  if (permit.generation !== state.generation || state.kind !== 'halfOpen') return state;
  if (state.probe?.serial !== permit.serial) return state;
  const { generation, serial, trips } = state;
  return { kind: 'halfOpen', generation, serial, probe: null, trips };
}

/** Failures that still count at `now`. */
export function countedFailures(state: BreakerState, now: number, windowMs: number): number {
  if (state.kind !== 'closed') return 0;
  let counted = 0;
  for (const at of state.failures) if (now - at < windowMs) counted++;
  return counted;
}
