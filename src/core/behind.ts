import type { EngineState } from '../engine';

/**
 * A companion ignores a view of health that is older than its own latest events; those are on their way, and within this
 * time, in ms, it is told again after each of them.
 */
const BEHIND_MS = 1_000;

/** What companions mirror. */
const SYNCED = ['models', 'providers', 'manual', 'pins', 'pause'] as const;

/** Which companions have yet to hear of health: what their own events change they know already. */
export type Behind = Readonly<{
  /** Health may have changed, by what `source` said or by the app itself. */
  changed(before: EngineState, after: EngineState, source: string | null): void;
  /** All but `source` have to hear of it. */
  tell(source: string | null): void;
  add(instance: string): void;
  drop(instance: string): void;
  has(instance: string): boolean;
}>;

/** @param connected who can be told. */
export function createBehind(now: () => number, connected: () => Iterable<string>): Behind {
  const until = new Map<string, number>();
  const add = (instance: string): void => void until.set(instance, now() + BEHIND_MS);
  const tell = (source: string | null): void => {
    for (const instance of connected()) if (instance !== source) add(instance);
  };
  return {
    changed(before, after, source) {
      if (SYNCED.some((part) => before[part] !== after[part])) tell(source);
    },
    tell,
    add,
    drop: (instance) => void until.delete(instance),
    has: (instance) => (until.get(instance) ?? 0) > now(),
  };
}
