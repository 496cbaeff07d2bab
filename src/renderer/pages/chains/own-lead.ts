import { createContext, useContext } from 'react';
import { isNamedIn } from '../../../contract/written-model';

/** The primary, if the file does not name it; null for the default chain, too. */
export const OwnLead = createContext<string | null>(null);

/** 1 if the primary precedes the list, as on every other surface. */
export function useOffset(models: readonly string[]): number {
  const lead = useContext(OwnLead);
  return lead === null || models.length === 0 || isNamedIn(models, lead) ? 0 : 1;
}
