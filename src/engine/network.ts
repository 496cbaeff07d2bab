import { withFailures } from './breaker';
import type { Failure } from './decision';
import { type ModelId, providerOf } from './ids';
import { KIND_INFO } from './kinds';
import { isLocal, reachedAgain, unreached } from './outage';
import { type Attempt, chainOf, copyOf, type Draft, type Turn } from './state';
import { get, set } from './table';
import type { Work } from './work';

/** A machine without a network stays so as long as signs of it are no older than this, in ms. */
const OFFLINE_FRESH_MS = 90_000;
/** Failures this close to the one that told are the network's as well, in ms. */
const TOGETHER_MS = 2_000;

/** A provider was heard, whatever it said: there is a network. */
export function heard({ state, notes }: Work, model: ModelId): void {
  if (state.offline) notes.push({ code: 'network.back', model });
  state.offline = null;
  state.unreached = reachedAgain(state.unreached, providerOf(model));
}

type Judged = Readonly<{ turn: Turn | undefined; failure: Failure }>;

/**
 * Whether a failure of the network speaks about a provider or about this machine: every provider of the chain within two
 * seconds, a turn that waits for the network already, or a request the machine slept over. Then nobody is blamed.
 */
export function judged(work: Work, attempt: Attempt, { turn, failure }: Judged): Judged {
  const { state, now, notes } = work;
  if (failure.kind !== 'network_transient') {
    if (failure.status !== null || failure.outputChars > 0) heard(work, attempt.model);
    return { turn, failure };
  }
  state.unreached = unreached(state.unreached, providerOf(attempt.model), now);
  if (state.resumedAt !== null && (attempt.at ?? now) < state.resumedAt) return { turn, failure: asLocal(failure) };
  const chain = turn ? chainOf(state, turn) : [attempt.model];
  const known = state.offline && now - state.offline.at <= OFFLINE_FRESH_MS ? state.offline : null;
  if (!known && turn?.offlineSince === undefined && !isLocal(state.unreached, chain.map(providerOf), now))
    return { turn, failure };
  if (!known) notes.push({ code: 'network.down', ...(turn ? { session: turn.session } : {}) });
  state.offline = { since: known?.since ?? now, at: now };
  unblame(state, chain, now);
  return { turn: turn && waiting(turn, now), failure: asLocal(failure) };
}

const asLocal = (failure: Failure): Failure => ({
  ...failure,
  ...KIND_INFO.local_network,
  kind: 'local_network',
});

/** What the network took from a turn is given back: the models it tried, and the switches they cost. */
function waiting(turn: Turn, now: number): Turn {
  const next = copyOf(turn);
  next.tried = turn.tried.filter(({ kind }) => kind !== 'network_transient');
  next.switches = Math.max(0, turn.switches - (turn.tried.length - next.tried.length));
  next.offlineSince = turn.offlineSince ?? now;
  return next;
}

/** Takes back what the last two seconds of a dead network did to the health of a chain. */
function unblame(state: Draft, chain: readonly ModelId[], now: number): void {
  for (const model of chain) {
    const health = get(state.models, model);
    if (health?.rest?.kind === 'network_transient' && now - health.rest.since <= TOGETHER_MS)
      state.models = set(state.models, model, { ...health, rest: null });
    const name = providerOf(model);
    const provider = get(state.providers, name);
    if (provider?.breaker.kind !== 'closed') continue;
    const { breaker } = provider;
    const older = withFailures(
      breaker,
      breaker.failures.filter((at) => now - at > TOGETHER_MS),
    );
    if (older !== breaker) state.providers = set(state.providers, name, { ...provider, breaker: older });
  }
}
