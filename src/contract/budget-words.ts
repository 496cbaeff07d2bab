import { budgetTexts } from '../texts';
import type { BudgetRow } from './budget';
import { moneyPhrase, pricedPhrase } from './usage-words';
import { folderName, when } from './wording';

/** "day", "week, anthropic", "session, shop": what a budget is called. */
export function budgetName({ period, provider, agent, directory }: BudgetRow): string {
  const whose = provider ?? agent ?? (directory === null ? null : folderName(directory));
  const name = budgetTexts().periods[period];
  return whose === null ? name : `${name}, ${whose}`;
}

/** "$4.20 of $5.00, 63 % priced": how much of it is spent; the part without a price is said. */
export const budgetSpent = ({ spent, limit, pricedShare }: BudgetRow): string =>
  pricedPhrase(budgetTexts().amount(moneyPhrase(spent), moneyPhrase(limit)), pricedShare);

/** "asks you when it is spent", "goes on, as you said; anew Sat 00:00": what happens, and when it begins anew. */
export function budgetCourse(row: BudgetRow, now: number): string {
  const said = budgetTexts();
  const isSpent = row.spent >= row.limit;
  const does = isSpent && row.isAllowed && row.action === 'ask' ? said.allowed : said.does[row.action];
  return [does, ...(row.endsAt === null ? [] : [said.anew(when(row.endsAt, now))])].join(', ');
}
