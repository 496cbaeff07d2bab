import type { BudgetRow } from '../../contract/budget';
import type { Counted } from './ledger';

const SESSIONS_SHOWN = 5;

const part = ({ spent, limit }: Counted): number => spent / limit;

export function budgetRows(counted: readonly Counted[]): BudgetRow[] {
  const ofSessions = counted.filter(({ session }) => session !== null).toSorted((a, b) => part(b) - part(a));
  return [...counted.filter(({ session }) => session === null), ...ofSessions.slice(0, SESSIONS_SHOWN)].map(
    ({ maxPrice: _price, at, place, elsewhere, ...row }) => ({
      ...row,
      ...(elsewhere > 0 ? { elsewhere } : {}),
      ...(row.session === null || at === null || place === null ? {} : { latest: { directory: place, at } }),
    }),
  );
}
