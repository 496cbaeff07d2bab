import { part } from './catalogue';

/** Amounts are formatted, such as "$5.12". */
export const budgetTexts = part('budget', {
  /** Begins with the amount; `whose` is empty, or from `whose` below. */
  spent: {
    day: (spent: string, limit: string, whose: string) => `${spent} of today’s ${limit}${whose} are spent`,
    week: (spent: string, limit: string, whose: string) => `${spent} of this week’s ${limit}${whose} are spent`,
    session: (spent: string, limit: string, whose: string) => `${spent} of this session’s ${limit}${whose} are spent`,
  },
  /** For a model whose price only the project states. */
  unpriced: (limit: string, whose: string) =>
    `only this project states the model’s price, so a budget of ${limit}${whose} cannot be checked`,
  title: 'Budgets',
  caption: 'in money, from OpenCode’s prices',
  periods: { day: 'today', week: 'this week', session: 'one session' },
  session: (folder: string, at: string) => `session in ${folder}, last ${at}`,
  /** `part` is the share of other machines of the team. */
  elsewhere: (amount: string, part: string) => `${amount}, ${part} of it on other machines`,
  amount: (spent: string, limit: string) => `${spent} of ${limit}`,
  does: {
    warn: 'notifies you when spent',
    degrade: 'uses cheaper models when spent',
    ask: 'asks you when spent and no other model can answer',
    stop: 'sends nothing more when spent',
  },
  allowed: 'continues, as you decided',
  anew: (at: string) => `resets ${at}`,
  /** For the budget of a provider, an agent or a project. */
  whose: (name: string) => ` for ${name}`,
});
