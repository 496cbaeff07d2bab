import { BUDGET_PERIODS } from '../../engine';
import type { BudgetPart, ConfigFile } from '../config';
import type { Budget } from './ledger';

/** Source: docs/configuration.md, budget. */
export const DEFAULT_BUDGET_ACTION = 'warn';

const EVERYBODYS = { provider: null, agent: null, directory: null } as const;

/** `home` replaces `~` at the start of a path. */
export function budgetsOf({ budget }: Pick<ConfigFile, 'budget'>, home: string): readonly Budget[] {
  if (budget === undefined) return [];
  const { providers = {}, agents = {}, projects = {} } = budget;
  const within = (part: BudgetPart, whose: Partial<Budget>): Budget[] =>
    BUDGET_PERIODS.flatMap((period) => {
      const limit = part[period];
      if (limit === undefined) return [];
      const action = part.action ?? budget.action ?? DEFAULT_BUDGET_ACTION;
      const maxPrice = part.maxPrice ?? budget.maxPrice ?? null;
      return [{ ...EVERYBODYS, ...whose, period, action, limit, maxPrice }];
    });
  return [
    ...within(budget, {}),
    ...Object.entries(providers).flatMap(([provider, part]) => within(part, { provider })),
    ...Object.entries(agents).flatMap(([agent, part]) => within(part, { agent })),
    ...Object.entries(projects).flatMap(([folder, part]) =>
      within(part, { directory: folder.replace(/^~(?=$|[\\/])/, () => home) }),
    ),
  ];
}
