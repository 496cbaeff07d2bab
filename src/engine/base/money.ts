/** `session` includes sub-agents. */
export const BUDGET_PERIODS = ['day', 'week', 'session'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** The mildest first. `warn`: notify; `degrade`: use cheaper models; `ask`: request approval; `stop`: send nothing. */
export const BUDGET_ACTIONS = ['warn', 'degrade', 'ask', 'stop'] as const;
export type BudgetAction = (typeof BUDGET_ACTIONS)[number];

/** As counted by the host, in US dollars. */
export type BudgetLevel = Readonly<{
  /** Changes with each period. */
  id: string;
  period: BudgetPeriod;
  action: BudgetAction;
  /** Null matches all. `session` is a root session; in the period `session`, null means every uncounted one. */
  provider: string | null;
  agent: string | null;
  directory: string | null;
  session: string | null;
  limit: number;
  spent: number;
  /** Per million output tokens; null only requires less than the primary's. */
  maxPrice: number | null;
  /** Engine ms; null if none. */
  until: number | null;
  /** The user approved more spending. */
  isAllowed: boolean;
  allowsUnpriced?: boolean | undefined;
}>;

/** Id of the approval for unpriced models; it does not extend a budget. */
export const unpricedId = (id: BudgetLevel['id']): string => `${id} unpriced`;

export type CountedBudget = Omit<BudgetLevel, 'until'> & Readonly<{ endsInMs: number | null }>;
