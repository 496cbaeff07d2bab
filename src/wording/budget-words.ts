import type { BudgetRow } from '../contract/budget';
import { budgetTexts } from '../texts';
import { moneyPhrase, pricedPhrase } from './usage-words';
import { folderName, when } from './wording';

/** The name of a budget: "today", "this week, anthropic", "session in shop, last 14:32". @param now wall clock in ms. */
export function budgetName({ period, provider, agent, directory, latest }: BudgetRow, now: number): string {
  const whose = provider ?? agent ?? (directory === null ? null : folderName(directory));
  const t = budgetTexts();
  const name = latest ? t.session(folderName(latest.directory), when(latest.at, now)) : t.periods[period];
  return whose === null ? name : `${name}, ${whose}`;
}

/** The spent amount, with the priced share and the cost of other machines: "$4.20 of $5.00, 63 % priced". */
export function budgetSpent({ spent, limit, pricedShare, elsewhere }: BudgetRow): string {
  const t = budgetTexts();
  const amount = t.amount(moneyPhrase(spent), moneyPhrase(limit));
  return pricedPhrase(elsewhere ? t.elsewhere(amount, moneyPhrase(elsewhere)) : amount, pricedShare);
}

/** The action of a budget and its reset. */
export function budgetCourse(row: BudgetRow, now: number): string {
  const t = budgetTexts();
  const isSpent = row.spent >= row.limit;
  const does = isSpent && row.isAllowed && row.action === 'ask' ? t.allowed : t.does[row.action];
  return [does, ...(row.endsAt === null ? [] : [t.anew(when(row.endsAt, now))])].join(', ');
}
