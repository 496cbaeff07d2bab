import { withFailures } from './breaker';
import type { Failure, Note } from './decision';
import { type ModelId, providerOf } from './ids';
import { KIND_INFO } from './kinds';
import { isLocal, reachedAgain, unreached } from './outage';
import { type Attempt, chainOf, type EngineState, type Turn } from './state';
import { get, set } from './table';

/** A machine without a network stays so as long as signs of it are no older than this, in ms. */
const OFFLINE_FRESH_MS = 90_000;
/** Failures this close to the one that told are the network's as well, in ms. */
const TOGETHER_MS = 2_000;

export type Judged = Readonly<{ state: EngineState; turn: Turn | undefined; failure: Failure; notes: readonly Note[] }>;

/** A provider was heard, whatever it said: there is a network. */
export function heard(state: EngineState, model: ModelId): Readonly<{ state: EngineState; notes: readonly Note[] }> {
  const open = reachedAgain(state.unreached, providerOf(model));
  if (open === state.unreached && state.offline === null) return { state, notes: [] };
  const notes: readonly Note[] = state.offline ? [{ code: 'network.back', model }] : [];
  return { state: { ...state, unreached: open, offline: null }, notes };
}

/**
 * Whether a failure of the network speaks about a provider or about this machine: every provider of the chain within two
 * seconds, a turn that waits for the network already, or a request the machine slept over. Then nobody is blamed.
 */
export function judged(
  state: EngineState,
  attempt: Attempt,
  what: Readonly<{ turn: Turn | undefined; failure: Failure; now: number }>,
): Judged {
  const { turn, failure, now } = what;
  if (failure.kind !== 'network_transient') {
    const isAnswer = failure.status !== null || failure.outputChars > 0;
    return { ...(isAnswer ? heard(state, attempt.model) : { state, notes: [] }), turn, failure };
  }
  const marked = { ...state, unreached: unreached(state.unreached, providerOf(attempt.model), now) };
  if (state.resumedAt !== null && (attempt.at ?? now) < state.resumedAt)
    return { state: marked, turn, failure: asLocal(failure), notes: [] };
  const chain = turn ? chainOf(state, turn) : [attempt.model];
  const isKnown = state.offline !== null && now - state.offline.at <= OFFLINE_FRESH_MS;
  if (!isKnown && turn?.offlineSince === undefined && !isLocal(marked.unreached, chain.map(providerOf), now))
    return { state: marked, turn, failure, notes: [] };
  const offline = { since: isKnown ? (state.offline?.since ?? now) : now, at: now };
  const notes: readonly Note[] = isKnown ? [] : [{ code: 'network.down', ...(turn ? { session: turn.session } : {}) }];
  const cleared = unblamed({ ...marked, offline }, chain, now);
  return { state: cleared, turn: turn && waiting(turn, now), failure: asLocal(failure), notes };
}

const asLocal = (failure: Failure): Failure => ({
  ...failure,
  ...KIND_INFO.local_network,
  kind: 'local_network',
});

/** What the network took from a turn is given back: the models it tried, and the switches they cost. */
function waiting(turn: Turn, now: number): Turn {
  const tried = turn.tried.filter(({ kind }) => kind !== 'network_transient');
  const switches = Math.max(0, turn.switches - (turn.tried.length - tried.length));
  return { ...turn, tried, switches, offlineSince: turn.offlineSince ?? now };
}

/** Health without what the last two seconds of a dead network did to it. */
function unblamed(state: EngineState, chain: readonly ModelId[], now: number): EngineState {
  let { models, providers } = state;
  for (const model of chain) {
    const health = get(models, model);
    if (health?.rest?.kind === 'network_transient' && now - health.rest.since <= TOGETHER_MS)
      models = set(models, model, { ...health, rest: null });
    const name = providerOf(model);
    const provider = get(providers, name);
    if (provider?.breaker.kind !== 'closed') continue;
    const { breaker } = provider;
    const older = withFailures(
      breaker,
      breaker.failures.filter((at) => now - at > TOGETHER_MS),
    );
    if (older !== breaker) providers = set(providers, name, { ...provider, breaker: older });
  }
  return { ...state, models, providers };
}
