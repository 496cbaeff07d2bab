import { useRef } from 'react';
import { useCoreNow, usePanel } from './panel';
import { coreNow } from './store';

/** In ms: faster changes cannot be read or clicked. */
const RESORT_MS = 2_000;

type Order = Readonly<{ keys: readonly string[]; takenAt: number }>;

export function useSteadyOrder<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  isHeld: () => boolean = () => false,
): readonly T[] {
  const { store } = usePanel();
  const last = useRef<Order>({ keys: [], takenAt: Number.NEGATIVE_INFINITY });
  const now = coreNow(store.getState());
  const { keys, takenAt } = last.current;
  const wanted = rows.map(keyOf);
  const isNew = wanted.some((key, index) => key !== keys[index]);
  const held = isHeld();
  const isEarly = Math.abs(now - takenAt) < RESORT_MS;
  const isKept = isNew && keys.length > 0 && (held || isEarly);
  // Applies the new order later, even without further changes.
  useCoreNow(isKept && !held ? takenAt + 2 * RESORT_MS : undefined, RESORT_MS);
  if (!isKept) {
    if (isNew) last.current = { keys: wanted, takenAt: keys.length === 0 ? Number.NEGATIVE_INFINITY : now };
    return rows;
  }
  const places = new Map(keys.map((key, index) => [key, index]));
  const placeOf = (row: T) => places.get(keyOf(row)) ?? keys.length;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}
