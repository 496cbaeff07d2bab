import { part } from './catalogue';

/** What may be spent, and has been. Amounts come as "$5.12". */
export const budgetTexts = part('budget', {
  /** How much of a budget is spent, as a part of a sentence that begins with the amount; `whose` is empty, or as below. */
  spent: {
    day: (spent: string, limit: string, whose: string) => `${spent} of today’s ${limit}${whose} are spent`,
    week: (spent: string, limit: string, whose: string) => `${spent} of this week’s ${limit}${whose} are spent`,
    session: (spent: string, limit: string, whose: string) => `${spent} of this session’s ${limit}${whose} are spent`,
  },
  /** It cannot be counted. */
  unpriced: (limit: string, whose: string) =>
    `only this project states the model’s price, so a budget of ${limit}${whose} cannot be checked`,
  title: 'Budgets',
  caption: 'in money, from OpenCode’s prices',
  periods: { day: 'today', week: 'this week', session: 'one session' },
  /** One of several, by where and when it last spent something. */
  session: (folder: string, at: string) => `session in ${folder}, last ${at}`,
  /** `part` is what other machines of the team have spent. */
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
  /** Of a budget that is not everybody's: of a provider, an agent or a project. */
  whose: (name: string) => ` for ${name}`,
});
