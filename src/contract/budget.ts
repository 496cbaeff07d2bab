import * as z from 'zod';
import { BUDGET_ACTIONS, BUDGET_PERIODS } from '../engine/names';

const WallMs = z.number();
const Dollars = z.number().nonnegative();
const Name = z.string().max(4_096).nullable();

/** A budget in its present period. */
export const BudgetRow = z.object({
  id: z.string(),
  period: z.enum(BUDGET_PERIODS),
  action: z.enum(BUDGET_ACTIONS),
  /** The scope; all null for the global budget. */
  provider: Name,
  agent: Name,
  directory: Name,
  session: Name,
  /** Spent by other fleet machines on the same account. */
  elsewhere: Dollars.optional(),
  /** The conversation's latest cost. */
  latest: z.object({ directory: z.string().max(4_096), at: WallMs }).optional(),
  limit: Dollars,
  spent: Dollars,
  pricedShare: z.number().min(0).max(1),
  /** Start of the next period; null for a conversation. */
  endsAt: WallMs.nullable(),
  /** The user approved exceeding it. */
  isAllowed: z.boolean(),
});
export type BudgetRow = z.infer<typeof BudgetRow>;
