import * as z from 'zod';
import { BUDGET_ACTIONS, BUDGET_PERIODS } from '../engine/names';

const WallMs = z.number();
const Dollars = z.number().nonnegative();
const Name = z.string().max(4_096).nullable();

export const BudgetRow = z.object({
  id: z.string(),
  period: z.enum(BUDGET_PERIODS),
  action: z.enum(BUDGET_ACTIONS),
  /** All null for the global budget. */
  provider: Name,
  agent: Name,
  directory: Name,
  session: Name,
  /** Spent by other fleet machines on the same account. */
  elsewhere: Dollars.optional(),
  latest: z.object({ directory: z.string().max(4_096), at: WallMs }).optional(),
  limit: Dollars,
  spent: Dollars,
  pricedShare: z.number().min(0).max(1),
  /** Null for a conversation's budget. */
  endsAt: WallMs.nullable(),
  isAllowed: z.boolean(),
});
export type BudgetRow = z.infer<typeof BudgetRow>;
