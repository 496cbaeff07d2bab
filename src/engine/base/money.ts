/** What a budget is for: a calendar day or week of the user, or one conversation with its sub-agents. */
export const BUDGET_PERIODS = ['day', 'week', 'session'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/**
 * What happens when it is spent, the mildest first. `warn`: it is told; `degrade`: models that cost less answer; `ask`: a person
 * is asked before anything more is spent; `stop`: no request is sent.
 */
export const BUDGET_ACTIONS = ['warn', 'degrade', 'ask', 'stop'] as const;
export type BudgetAction = (typeof BUDGET_ACTIONS)[number];

/** One budget, and what has been spent of it, as its host has counted. Amounts are US dollars. */
export type BudgetLevel = Readonly<{
  /** Names the budget in this period of it: the next day has another one. */
  id: string;
  period: BudgetPeriod;
  action: BudgetAction;
  /**
   * Whose spending counts; null is everybody's. `session` is that of the conversation a person began; with the period of the same name
   * null stands for every one of which nothing is counted yet.
   */
  provider: string | null;
  agent: string | null;
  directory: string | null;
  session: string | null;
  limit: number;
  spent: number;
  /** With `degrade`: what a million tokens of answer may cost; null where it is enough to cost less than the lead. */
  maxPrice: number | null;
  /** Engine ms at which it begins anew; null for one that does not. */
  until: number | null;
  /** A person has said to go on. */
  isAllowed: boolean;
  /** A person has said to ask models whose price nobody knows, too; left out where nobody has. */
  allowsUnpriced?: boolean | undefined;
}>;

/** Names a budget where a yes is one to models whose price nobody knows: what is spent may not go on for it. */
export const unpricedId = (id: BudgetLevel['id']): string => `${id} unpriced`;

/** The same as a host tells of it: `endsInMs` is ms until it begins anew; null for one that does not. */
export type CountedBudget = Omit<BudgetLevel, 'until'> & Readonly<{ endsInMs: number | null }>;
