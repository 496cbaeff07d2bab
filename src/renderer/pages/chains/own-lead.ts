import { createContext, useContext } from 'react';
import { isNamedIn } from '../../../contract/written-model';

/** The primary of an agent as far as its file does not name it; null where a list begins with the primary, or is for all agents. */
export const OwnLead = createContext<string | null>(null);

/** Positions before the first one of a list: 1 where the primary leads without being in it, as on every other surface. */
export function useOffset(models: readonly string[]): number {
  const lead = useContext(OwnLead);
  return lead === null || models.length === 0 || isNamedIn(models, lead) ? 0 : 1;
}
