import { createContext, useContext } from 'react';
import type { ChainRow } from '../../contract';

/**
 * The model that leads an agent without being in the list of its file: OpenCode is set to it. Positions in the list then begin at 2,
 * as on every other surface. Null where the list begins with the primary.
 */
export const OwnLead = createContext<string | null>(null);

/** Positions before the first one of the list. */
export const useOffset = (): number => (useContext(OwnLead) === null ? 0 : 1);

/** Whether this lead stands before a list. A list for all agents has no single lead. */
export const ownLeadOf = ({ agent }: ChainRow, models: readonly string[], lead: string | null): string | null =>
  lead === null || agent === '*' || models.length === 0 || models.includes(lead) ? null : lead;
