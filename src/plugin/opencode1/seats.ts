import { quietly } from '../base/quietly';
import type { Instance } from './memory/instance';

export type Seat = {
  /** @throws an error that the participant reads. */
  readonly guard: (tool: string, args: Record<string, unknown>) => void;
  /** The session was deleted; OpenCode continues it nevertheless. */
  lost: () => void;
  /** The run needs no answer any more, perhaps before the request. */
  isStopped?: boolean;
};

export const seats = new Map<string, Seat>();

export function guardSeat(session: string, tool: string, args: unknown): void {
  if (typeof args === 'object' && args !== null) seats.get(session)?.guard(tool, args as Record<string, unknown>);
}

export function heedSeat({ client }: Instance, type: string, properties: unknown): void {
  const payload = properties as { id?: unknown; sessionID?: unknown; info?: { id?: unknown } } | undefined;
  if (type === 'session.deleted') seats.get(String(payload?.info?.id))?.lost();
  // OpenCode asks despite the rules, as for repeated calls, and no user is there to answer.
  if (type === 'permission.asked' && seats.has(String(payload?.sessionID)))
    void quietly(() =>
      client._client.post({ url: `/permission/${String(payload?.id)}/reply`, body: { reply: 'reject' } }),
    );
}
