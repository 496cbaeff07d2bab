import { putAnew } from './ask';
import { PROBE_LEASE_MS, refusalOf } from './breaker';
import type { HostEvent } from './events';
import { admitCall } from './health';
import { ignored, type Outcome, silent } from './outcome';
import { shiftState } from './shift';
import { type EngineState, pairOf, withPair } from './state';
import { get, set } from './table';

/** Whether an event is the host's own. */
export const isOfHost = (event: Readonly<{ type: string }>): event is HostEvent =>
  event.type.startsWith('host.') || event.type.startsWith('lease.');

/** What happened to the host itself. */
export function onHost(state: EngineState, event: HostEvent, now: number): Outcome {
  switch (event.type) {
    case 'host.resumed':
      return resumed(state, event.asleepMs, now);
    case 'host.identified':
      return silent({ ...state, host: { epoch: event.epoch, needsLease: event.needsLease } });
    case 'host.retrying': {
      const turn = get(state.turns, event.turn);
      if (!turn) return ignored(state, 'turn.unknown', event.turn);
      return silent({ ...state, turns: set(state.turns, turn.turn, { ...turn, isHostRetrying: true }) });
    }
    case 'lease.granted':
      return silent({ ...state, leases: set(state.leases, event.model, now + event.forMs) });
    case 'lease.requested':
      return leased(state, event, now);
  }
}

/** Real time went by that the clock did not count: every end comes nearer, and an open question is put anew. */
function resumed(state: EngineState, asleepMs: number, now: number): Outcome {
  const slept = shiftState(state, -Math.max(0, asleepMs));
  const next = { ...slept, resumedAt: now, questions: putAnew(slept.questions, now) };
  return { state: next, decisions: [], facts: [], notes: [{ code: 'host.resumed', forMs: asleepMs }] };
}

/** Grants one probe to one life of one host; where nothing is to be probed, everybody may go. */
function leased(state: EngineState, event: Extract<HostEvent, { type: 'lease.requested' }>, now: number): Outcome {
  const { model, epoch } = event;
  const pair = pairOf(state, model);
  const isHealthy = pair.model.breaker.kind === 'closed' && pair.provider.breaker.kind === 'closed';
  const isRefused = refusalOf(pair.model.breaker, now) ?? refusalOf(pair.provider.breaker, now);
  const note = { code: 'lease.answered', model, actor: epoch, ok: !isRefused, forMs: PROBE_LEASE_MS };
  if (isHealthy || isRefused) return { state, decisions: [], facts: [], notes: [note] };
  const admitted = admitCall(pair, now);
  const granted = withPair(state, model, admitted.pair);
  const grants = set(state.grants, model, { epoch, permit: admitted.permit });
  return { state: { ...granted, grants }, decisions: [], facts: [], notes: [note] };
}
