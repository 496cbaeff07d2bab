import type { BudgetRow } from '../contract/budget';
import { budgetTexts } from '../texts';
import { moneyPhrase, pricedPhrase } from './usage-words';
import { folderName, when } from './wording';

/** "today", "this week, anthropic", "session in shop, last 14:32": what a budget is called. @param now wall clock in ms. */
export function budgetName({ period, provider, agent, directory, latest }: BudgetRow, now: number): string {
  const whose = provider ?? agent ?? (directory === null ? null : folderName(directory));
  const said = budgetTexts();
  const name = latest ? said.session(folderName(latest.directory), when(latest.at, now)) : said.periods[period];
  return whose === null ? name : `${name}, ${whose}`;
}

/** "$4.20 of $5.00, 63 % priced": how much of it is spent; the part without a price is said, and what other machines have spent. */
export function budgetSpent({ spent, limit, pricedShare, elsewhere }: BudgetRow): string {
  const said = budgetTexts();
  const amount = said.amount(moneyPhrase(spent), moneyPhrase(limit));
  return pricedPhrase(elsewhere ? said.elsewhere(amount, moneyPhrase(elsewhere)) : amount, pricedShare);
}

/** "asks you when it is spent", "goes on, as you said; anew Sat 00:00": what happens, and when it begins anew. */
export function budgetCourse(row: BudgetRow, now: number): string {
  const said = budgetTexts();
  const isSpent = row.spent >= row.limit;
  const does = isSpent && row.isAllowed && row.action === 'ask' ? said.allowed : said.does[row.action];
  return [does, ...(row.endsAt === null ? [] : [said.anew(when(row.endsAt, now))])].join(', ');
}
