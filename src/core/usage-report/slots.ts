import type { ModelSlot } from '../base/store-rows';

/** Gives models their own numbers: those that are stored, else those of this life in the order in which they are met. */
export type Slots = (models: Iterable<string>) => ReadonlyMap<string, number>;

/** @param stored every model that was ever seen; null where nothing is stored. */
export function createSlots(stored: () => readonly ModelSlot[] | null): Slots {
  const met = new Map<string, number>();
  return (models) => {
    const known = stored();
    if (known) return new Map(known.map(({ model, slot }) => [model, slot]));
    for (const model of models) if (!met.has(model)) met.set(model, met.size);
    return met;
  };
}
