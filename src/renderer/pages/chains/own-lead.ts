import { createContext, useContext } from 'react';
import { isNamedIn } from '../../../contract/written-model';

/** Null if the file names it, and for the default chain. */
export const OwnLead = createContext<string | null>(null);

/** 1 if the primary precedes the list without being in it. */
export function useOffset(models: readonly string[]): number {
  const lead = useContext(OwnLead);
  return lead === null || models.length === 0 || isNamedIn(models, lead) ? 0 : 1;
}
