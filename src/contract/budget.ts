import * as z from 'zod';
import { BUDGET_ACTIONS, BUDGET_PERIODS } from '../engine/names';

const WallMs = z.number();
const Dollars = z.number().nonnegative();
const Name = z.string().max(4_096).nullable();

/** One budget of the user's in its present period, and how much of it is spent. */
export const BudgetRow = z.object({
  id: z.string(),
  period: z.enum(BUDGET_PERIODS),
  action: z.enum(BUDGET_ACTIONS),
  /** Whose it is: a provider's, an agent's or that of a folder, of all three null everybody's. */
  provider: Name,
  agent: Name,
  directory: Name,
  /** The conversation it is counted for. */
  session: Name,
  /** The part of what is spent that other machines of a fleet have spent on the same account. */
  elsewhere: Dollars.optional(),
  /** Of a conversation: in which folder, and when, it last spent something. */
  latest: z.object({ directory: z.string().max(4_096), at: WallMs }).optional(),
  limit: Dollars,
  spent: Dollars,
  pricedShare: z.number().min(0).max(1),
  /** When it begins anew; null for that of a conversation. */
  endsAt: WallMs.nullable(),
  /** A person has said to go on beyond it. */
  isAllowed: z.boolean(),
});
export type BudgetRow = z.infer<typeof BudgetRow>;
