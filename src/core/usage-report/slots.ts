import type { ModelSlot } from '../base/store-rows';

/** Stored numbers, else in the order of first use in this run. */
export type Slots = (models: Iterable<string>) => ReadonlyMap<string, number>;

/** @param stored null without a store. */
export function createSlots(stored: () => readonly ModelSlot[] | null): Slots {
  const met = new Map<string, number>();
  return (models) => {
    const storedSlots = stored();
    if (storedSlots) return new Map(storedSlots.map(({ model, slot }) => [model, slot]));
    for (const model of models) if (!met.has(model)) met.set(model, met.size);
    return met;
  };
}
