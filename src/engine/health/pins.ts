import type { ModelId } from '../base/ids';
import { get, remove, set, type Table } from '../base/table';

/** An agent that shall speak through one model for a while. */
export type Pin = Readonly<{ model: ModelId; until: number | null; by: string; since: number }>;
/** No model is changed until then; null until somebody resumes. Engine ms. */
export type Pause = Readonly<{ until: number | null; by: string; since: number }>;

/** Key of a pin: one agent of one directory. */
export const pinKey = (directory: string, agent: string): string => `${directory}|${agent}`;

/** Whether what ends at `until` still lasts; it ends **at** its time. */
export const isInForce = (until: number | null, now: number): boolean => until === null || now < until;

/** When what lasts for `forMs` ends, in engine ms; null when only a person ends it. */
export const endOf = (forMs: number | null, now: number): number | null => (forMs === null ? null : now + forMs);

/** The pin of an agent that is in force at `now`; it ends **at** its time. */
export function pinOf(pins: Table<Pin>, directory: string, agent: string, now: number): Pin | null {
  const pin = get(pins, pinKey(directory, agent));
  return pin && isInForce(pin.until, now) ? pin : null;
}

/** Pins with one more, or without one (`model` null). */
export function pinned(
  pins: Table<Pin>,
  asked: Readonly<{ directory: string; agent: string; model: ModelId | null; forMs: number | null; actor: string }>,
  now: number,
): Table<Pin> {
  const { directory, agent, model, forMs, actor } = asked;
  const key = pinKey(directory, agent);
  if (model === null) return remove(pins, key);
  return set(pins, key, { model, until: endOf(forMs, now), by: actor, since: now });
}

/** Whether switching is paused at `now`. */
export const isPaused = (pause: Pause | null, now: number): boolean => pause !== null && isInForce(pause.until, now);
