import { get, set } from '../base/table';
import { PROBE_LEASE_MS, refusalOf } from '../health/breaker';
import { admitCall } from '../health/health';
import { putAnew } from '../state/ask';
import type { EventOf } from '../state/events';
import { pairOf, putPair } from '../state/read';
import { shiftState } from '../state/shift';
import { copyOf, speakerKey } from '../state/state';
import { type Ignored, ignored, type Work } from '../state/work';

/** After sleep all ends come nearer, and an open question restarts. */
export function onWoken({ state, now, facts }: Work, { asleepMs }: EventOf<'host.resumed'>): undefined {
  Object.assign(state, shiftState(state, -Math.max(0, asleepMs)));
  state.resumedAt = now;
  state.questions = putAnew(state.questions, now);
  facts.push({ type: 'host.resumed', forMs: asleepMs });
}

export function onHostRetrying(work: Work, event: EventOf<'host.retrying'>): Ignored | undefined {
  const { state, now } = work;
  const turn = get(state.turns, event.turn);
  if (!turn) return ignored('turn.unknown', event.turn);
  const next = copyOf(turn);
  next.hostSince ??= get(state.speakers, speakerKey(turn.session, turn.agent))?.waits?.since ?? now;
  state.turns = set(state.turns, turn.turn, next);
}

/** Without a breaker to probe, every request may go. */
export function onLeaseRequested({ state, now, facts }: Work, { model, epoch }: EventOf<'lease.requested'>): undefined {
  const pair = pairOf(state, model);
  const isHealthy = pair.model.breaker.kind === 'closed' && pair.provider.breaker.kind === 'closed';
  const isRefused = refusalOf(pair.model.breaker, now) ?? refusalOf(pair.provider.breaker, now);
  facts.push({ type: 'lease.answered', model, epoch, isGranted: !isRefused, forMs: PROBE_LEASE_MS });
  if (isHealthy || isRefused) return;
  const admitted = admitCall(pair, now);
  putPair(state, model, admitted.pair);
  state.grants = set(state.grants, model, { epoch, permit: admitted.permit });
}
