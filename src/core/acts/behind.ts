import type { TakenStep } from '../base/projection';

const SYNCED = ['models', 'providers', 'manual', 'pins', 'pause', 'windows'] as const;

/**
 * Which companions have yet to hear of health: what their own events change they know already. A companion refuses a view
 * that is older than its own latest events; it is behind, and told again after each of them, until it has taken one in.
 */
export type Behind = Readonly<{
  /** Health may have changed, by what `source` said or by the app itself. */
  hear(taken: Pick<TakenStep, 'before' | 'after' | 'source'>): void;
  /** All but `source` have to hear of it. */
  tell(source: string | null): void;
  add(instance: string): void;
  drop(instance: string): void;
  has(instance: string): boolean;
  /** The number of the view that a companion is to hear next; 0 for one that is not behind. */
  viewFor(instance: string): number;
  /** A companion has taken a view in: with a newer one due it is still behind. */
  taken(instance: string, view: number): void;
}>;

/** @param connected who can be told. */
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
