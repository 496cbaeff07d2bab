import type { Failure } from '../base/decision';
import type { HealthKey } from '../base/ids';
import { providerOf } from '../base/ids';
import { KIND_INFO } from '../base/kinds';
import { mapSome, remove, set } from '../base/table';
import { withFailures } from '../health/breaker';
import type { Health } from '../health/health';
import { isLocal, TOGETHER_MS } from '../health/outage';
import { keyIn } from '../state/books';
import { chainOf } from '../state/chain';
import { type Attempt, copyOf, type Draft, type Turn } from '../state/state';
import type { Work } from '../state/work';

/** The machine is offline while signs of it are no older, in ms. */
const OFFLINE_FRESH_MS = 90_000;

export function noteReached({ state, facts }: Work, { model, key = model }: Attempt): void {
  state.unreached = remove(state.unreached, providerOf(key));
  // A directory's own provider proves nothing for others.
  if (key !== model) return;
  if (state.offline) facts.push({ type: 'network.back', model });
  state.offline = null;
}

type Judged = Readonly<{ turn: Turn | undefined; failure: Failure }>;

/**
 * A failure is the machine's if all providers of the chain failed within two seconds, the turn already waits for the
 * network, or the machine slept. It then blames no model.
 */
export function judged(work: Work, attempt: Attempt, { turn, failure }: Judged): Judged {
  const { state, now, facts } = work;
  if (failure.kind !== 'network_transient') {
    if (failure.status !== null || failure.outputChars > 0) noteReached(work, attempt);
    return { turn, failure };
  }
  const { model, key = model, directory } = attempt;
  state.unreached = set(state.unreached, providerOf(key), now);
  if (state.resumedAt !== null && (attempt.at ?? now) < state.resumedAt) return { turn, failure: asLocal(failure) };
  const keys = (turn ? chainOf(state, turn) : [model]).map((each) => keyIn(state, directory, each));
  const isShared = key === model;
  const recent = isShared && state.offline && now - state.offline.at <= OFFLINE_FRESH_MS ? state.offline : null;
  if (!recent && turn?.offlineSince === undefined && !isLocal(state.unreached, keys.map(providerOf), now))
    return { turn, failure };
  if (isShared) {
    if (!recent) facts.push({ type: 'network.down', ...(turn ? { session: turn.session } : {}) });
    state.offline = { since: recent?.since ?? now, at: now };
  }
  unblame(state, keys, now);
  return { turn: turn && waiting(turn, now), failure: asLocal(failure) };
}

const asLocal = (failure: Failure): Failure => ({
  ...failure,
  ...KIND_INFO.local_network,
  kind: 'local_network',
});

/** Returns what the network cost the turn. */
function waiting(turn: Turn, now: number): Turn {
  const next = copyOf(turn);
  const lost = turn.tried.filter(({ kind }) => kind === 'network_transient');
  next.tried = turn.tried.filter(({ kind }) => kind !== 'network_transient');
  next.left = turn.left?.filter((left) => lost.every(({ model }) => model !== left));
  next.switches = Math.max(0, turn.switches - lost.length);
  next.offlineSince = turn.offlineSince ?? now;
  return next;
}

/** Undoes the last two seconds of a dead network in a chain's health. */
function unblame(state: Draft, keys: readonly HealthKey[], now: number): void {
  const isRecent = (at: number): boolean => now - at <= TOGETHER_MS;
  const rested = (health: Health): Health =>
    health.rest?.kind === 'network_transient' && isRecent(health.rest.since) ? { ...health, rest: null } : health;
  const providers = new Set(keys.map(providerOf));
  state.models = mapSome(state.models, (key) => keys.includes(key), rested);
  state.providers = mapSome(
    state.providers,
    (name) => providers.has(name),
    (health) => {
      const { breaker } = health;
      if (breaker.kind !== 'closed') return health;
      const older = withFailures(
        breaker,
        breaker.failures.filter((at) => !isRecent(at)),
      );
      return rested(older === breaker ? health : { ...health, breaker: older });
    },
  );
}
