/**
 * Admission to make one call. A result counts only in the generation that admitted it, so a late answer from before a
 * trip can neither open nor close what came after; a probe's result counts only with the probe's own serial. That a
 * permit is used once is seen to by its holder: the engine drops an attempt with its first result.
 */
export type Permit = Readonly<{ generation: number; serial: number }>;

/** How long a probe may stay unanswered before its slot is free again, in ms. Source: engine specification, breaker lane. */
export const PROBE_LEASE_MS = 600_000;

/** Trips beyond this no longer lengthen the open time. */
const GROWTH_TRIPS_MAX = 6;

export type BreakerState =
  /** `calmSince`: when it closed or last failed, in ms; absent until it has tripped. */
  | Readonly<{
      kind: 'closed';
      generation: number;
      serial: number;
      failures: readonly number[];
      trips: number;
      calmSince?: number;
    }>
  | Readonly<{ kind: 'open'; generation: number; serial: number; until: number; trips: number }>
  | Readonly<{ kind: 'halfOpen'; generation: number; serial: number; probe: Probe | null; trips: number }>;
type Probe = Readonly<{ serial: number; since: number }>;

export type BreakerConfig = Readonly<{
  /** Failures inside the window that open the circuit. */
  failureThreshold: number;
  /** A failure exactly this old has left the window; Infinity counts consecutive failures. */
  windowMs: number;
  cooldownMs: number;
  /** Each consecutive trip multiplies the open time by this. */
  growth: number;
  /** Whether a success forgets the counted failures: true where failures must be consecutive. */
  successClears: boolean;
}>;

export const initialBreaker: BreakerState = { kind: 'closed', generation: 0, serial: 0, failures: [], trips: 0 };

/** Why a call was not admitted. `backAt` is null while a probe is out: nobody knows when it answers. */
export type Refusal = Readonly<{ code: 'breaker.open' | 'breaker.probing'; backAt: number | null }>;

/** Whether a call would be admitted at `now`, without making it. */
export function refusalOf(state: BreakerState, now: number): Refusal | null {
  if (state.kind === 'open') return now < state.until ? { code: 'breaker.open', backAt: state.until } : null;
  if (state.kind === 'halfOpen' && state.probe && now - state.probe.since < PROBE_LEASE_MS) {
    return { code: 'breaker.probing', backAt: null };
  }
  return null;
}

type Admission = Readonly<{ state: BreakerState; permit: Permit; isProbe: boolean }>;

/** Admits a call at `now` (ms), or says why not. An open circuit whose time has come admits exactly one probe. */
export function admit(state: BreakerState, now: number): Admission | Refusal {
  const refusal = refusalOf(state, now);
  if (refusal) return refusal;
  const serial = state.serial + 1;
  if (state.kind === 'closed') {
    return {
      state: { ...state, serial },
      permit: { generation: state.generation, serial },
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
  const failures = state.failures.filter((at) => now - at < config.windowMs);
  failures.push(now);
  const trips = calmed(state, now, config.windowMs);
  if (failures.length >= config.failureThreshold) return opened({ ...state, trips }, now, config);
  return { kind: 'closed', generation, serial, failures, trips, ...(trips > 0 ? { calmSince: now } : {}) };
}

/** Trips that still lengthen the open time: each whole window without a failure forgives one. */
function calmed(state: Extract<BreakerState, { kind: 'closed' }>, now: number, windowMs: number): number {
  if (state.calmSince === undefined) return state.trips;
  return Math.max(0, state.trips - Math.floor((now - state.calmSince) / windowMs));
}

function opened(state: BreakerState, now: number, config: BreakerConfig): BreakerState {
  const growth = config.growth ** Math.min(state.trips, GROWTH_TRIPS_MAX);
  return {
    kind: 'open',
    generation: state.generation + 1,
    serial: state.serial,
    until: now + config.cooldownMs * growth,
    trips: state.trips + 1,
  };
}

/** Records a success: a probe closes the circuit; in a closed one it changes nothing unless failures must be consecutive. */
export function recordSuccess(state: BreakerState, permit: Permit, config: BreakerConfig, now?: number): BreakerState {
  if (permit.generation !== state.generation) return state;
  const { serial } = state;
  if (state.kind === 'halfOpen' && state.probe?.serial === permit.serial) {
    const closed = { kind: 'closed', generation: state.generation + 1, serial, failures: [], trips: 0 } as const;
    // Where open times grow, one good probe does not forgive every trip before it: time does.
    return config.growth > 1 && now !== undefined ? { ...closed, trips: state.trips, calmSince: now } : closed;
  }
  if (state.kind === 'closed' && config.successClears && state.failures.length > 0) {
    return { ...state, failures: [] };
  }
  return state;
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
  return state.kind === 'closed' ? state.failures.filter((at) => now - at < windowMs).length : 0;
}
