import * as z from 'zod';
import { BUDGET_ACTIONS, BUDGET_PERIODS } from '../engine/names';

const WallMs = z.number();
const Dollars = z.number().nonnegative();
const Name = z.string().max(4_096).nullable();

/** One of the user's budgets in its present period, and the part that is spent. */
export const BudgetRow = z.object({
  id: z.string(),
  period: z.enum(BUDGET_PERIODS),
  action: z.enum(BUDGET_ACTIONS),
  /** Its provider, agent or folder; the global budget has null in all three. */
  provider: Name,
  agent: Name,
  directory: Name,
  /** The conversation that it counts. */
  session: Name,
  /** The part that other machines of a fleet have spent on the same account. */
  elsewhere: Dollars.optional(),
  /** Folder and time of the conversation's latest cost. */
  latest: z.object({ directory: z.string().max(4_096), at: WallMs }).optional(),
  limit: Dollars,
  spent: Dollars,
  pricedShare: z.number().min(0).max(1),
  /** Start of the next period; null for a conversation's budget. */
  endsAt: WallMs.nullable(),
  /** The user approved going beyond it. */
  isAllowed: z.boolean(),
});
export type BudgetRow = z.infer<typeof BudgetRow>;
