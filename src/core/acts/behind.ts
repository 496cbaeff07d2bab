import type { TakenStep } from '../base/projection';

const SYNCED = ['models', 'providers', 'manual', 'pins', 'pause', 'windows'] as const;

/**
 * Tracks which companions need a health update; their own events do not count. A companion rejects a view older than
 * its latest events, and gets a new one after each of them until it has applied one.
 */
export type Behind = Readonly<{
  hear(taken: Pick<TakenStep, 'before' | 'after' | 'source'>): void;
  tell(source: string | null): void;
  add(instance: string): void;
  drop(instance: string): void;
  has(instance: string): boolean;
  /** Number of the companion's next view; 0 if it is up to date. */
  viewFor(instance: string): number;
  /** The companion stays behind if a newer view is due. */
  taken(instance: string, view: number): void;
}>;

export function createBehind(connected: () => Iterable<string>): Behind {
  const due = new Map<string, number>();
  let last = 0;
  const add = (instance: string): void => void due.set(instance, ++last);
  const tell = (source: string | null): void => {
    for (const instance of connected()) if (instance !== source) add(instance);
  };
  return {
    hear({ before, after, source }) {
      if (SYNCED.some((part) => before[part] !== after[part])) tell(source);
    },
    tell,
    add,
    drop: (instance) => void due.delete(instance),
    has: (instance) => due.has(instance),
    viewFor: (instance) => due.get(instance) ?? 0,
    taken(instance, view) {
      if (due.get(instance) === view) due.delete(instance);
    },
  };
}
