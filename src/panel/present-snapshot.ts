import { answer, type PanelHost, type Snapshot } from '../contract';

/** The host's snapshot now; null while the host cannot tell. Never throws. */
export async function presentSnapshot(host: PanelHost): Promise<Snapshot | null> {
  const reply = await answer(host.handlers, 'snapshot.get', null);
  // `answer` has checked the value against the contract.
  return reply.ok ? (reply.value as Snapshot) : null;
}
