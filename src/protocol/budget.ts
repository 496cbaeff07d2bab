import * as z from 'zod';
import { BUDGET_ACTIONS, BUDGET_PERIODS } from '../engine';
import { Ms } from './measures';
import { AgentName, Directory, Id, safeText } from './text';

/** Per message. */
export const BUDGETS_MAX = 300;
const Money = z.number().min(0).max(1e9);

const BudgetLevel = z.lazy(() =>
  z.object({
    id: safeText(9_000).min(1),
    period: z.enum(BUDGET_PERIODS),
    action: z.enum(BUDGET_ACTIONS),
    provider: safeText(200).nullable(),
    agent: AgentName.nullable(),
    directory: Directory.nullable(),
    session: Id.nullable(),
    limit: Money.positive(),
    spent: Money,
    maxPrice: Money.nullable(),
    endsInMs: Ms.nullable(),
    isAllowed: z.boolean(),
    allowsUnpriced: z.boolean().optional(),
  }),
);
export const BudgetLevels = z.lazy(() => z.array(BudgetLevel).max(BUDGETS_MAX));
