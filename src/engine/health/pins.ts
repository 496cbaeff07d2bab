import type { ModelId } from '../base/ids';
import { get, remove, set, type Table } from '../base/table';

export type Pin = Readonly<{ model: ModelId; until: number | null; by: string; since: number }>;
/** `until` null: until resumed. */
export type Pause = Readonly<{ until: number | null; by: string; since: number }>;

export const pinKey = (directory: string, agent: string): string => `${directory}|${agent}`;

/** Ends exactly at `until`. */
export const isInForce = (until: number | null, now: number): boolean => until === null || now < until;

/** Engine ms; null without end. */
export const endOf = (forMs: number | null, now: number): number | null => (forMs === null ? null : now + forMs);

export function pinOf(pins: Table<Pin>, directory: string, agent: string, now: number): Pin | null {
  const pin = get(pins, pinKey(directory, agent));
  return pin && isInForce(pin.until, now) ? pin : null;
}

export function pinned(
  pins: Table<Pin>,
  request: Readonly<{ directory: string; agent: string; model: ModelId | null; forMs: number | null; actor: string }>,
  now: number,
): Table<Pin> {
  const { directory, agent, model, forMs, actor } = request;
  const key = pinKey(directory, agent);
  if (model === null) return remove(pins, key);
  return set(pins, key, { model, until: endOf(forMs, now), by: actor, since: now });
}

export const isPaused = (pause: Pause | null, now: number): boolean => pause !== null && isInForce(pause.until, now);
