import { type HealthKey, unbooked } from '../engine/names';
import type { ModelRow } from './snapshot';

/** A model's health as one directory has it: what is kept apart there, else what all directories share. */
export function rowIn(models: readonly ModelRow[], directory: string, model: string): ModelRow | undefined {
  const rows = models.filter((row) => unbooked(row.model) === model);
  return rows.find(({ apart }) => apart?.includes(directory)) ?? rows.find(({ apart }) => apart === undefined);
}

/** Whether what is known under a key is what a directory goes by for a model of its chains. */
export const isReadIn = (models: readonly ModelRow[], key: HealthKey, directory: string, model: string): boolean =>
  unbooked(key) === model && (rowIn(models, directory, model)?.model ?? model) === key;
