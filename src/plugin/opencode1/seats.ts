import { quietly } from '../base/quietly';
import type { Instance } from './memory/instance';

/** A participant's session of a council while this process plays it. */
export type Seat = {
  /** Keeps its tools to what it may read. @throws Error, which the participant reads. */
  readonly guard: (tool: string, args: Record<string, unknown>) => void;
  /** Called when somebody has deleted it: OpenCode goes on with it all the same. */
  lost: () => void;
  /** The run wants no answer of it any more, perhaps before it was asked. */
  isStopped?: boolean;
};

/** By session. */
export const seats = new Map<string, Seat>();

/** In `tool.execute.before`: keeps participants to what they may read. @throws Error, which they read. */
export function guardSeat(session: string, tool: string, args: unknown): void {
  if (typeof args === 'object' && args !== null) seats.get(session)?.guard(tool, args as Record<string, unknown>);
}

/** Hears of what OpenCode tells about sessions of participants alone. */
export function heedSeat({ client }: Instance, type: string, properties: unknown): void {
  const told = properties as { id?: unknown; sessionID?: unknown; info?: { id?: unknown } } | undefined;
  if (type === 'session.deleted') seats.get(String(told?.info?.id))?.lost();
  // It is asked past its rules, as one that calls the same thing over and over: nobody is there to answer.
  if (type === 'permission.asked' && seats.has(String(told?.sessionID)))
    void quietly(() =>
      client._client.post({ url: `/permission/${String(told?.id)}/reply`, body: { reply: 'reject' } }),
    );
}
