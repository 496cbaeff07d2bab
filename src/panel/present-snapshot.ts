import { answer, type PanelHost } from '../contract/contract';
import type { Snapshot } from '../contract/snapshot';
import type { Outcome } from '../node/base/failure';

/** Never throws. */
export async function seeSnapshot(host: PanelHost): Promise<Outcome<{ value: Snapshot }>> {
  const reply = await answer(host.handlers, 'snapshot.get', null);
  // `answer` validated the value against the contract.
  return reply.ok ? { ok: true, value: reply.value as Snapshot } : { ok: false, reason: reply.reason };
}

export async function presentSnapshot(host: PanelHost): Promise<Snapshot | null> {
  const seen = await seeSnapshot(host);
  return seen.ok ? seen.value : null;
}
