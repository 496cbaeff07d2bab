import { describe, expect, it } from 'vitest';
import type { BudgetRow } from '../../../src/contract/budget';
import { createLedger } from '../../../src/core/budget/ledger';
import { budgetRows } from '../../../src/core/budget/rows';
import { budgetName } from '../../../src/wording/budget-words';

const NOW = new Date(2026, 10, 27, 15, 0).getTime();
const HOUR = 3_600_000;

describe('given budgets of conversations', () => {
  it('when several have spent something, then each is told from the other by its folder and its last hour, the fullest first', () => {
    const ledger = createLedger();
    const step = (session: string, directory: string, at: number, cost: number) =>
      ledger.add({ at, for: 'turn', provider: 'a', agent: 'build', directory, session, tokens: 9, cost });
    step('s1', '/home/ada/shop', NOW - 2 * HOUR, 0.5);
    step('s1', '/home/ada/shop', NOW - HOUR, 0.25);
    step('s2', '/home/ada/blog', NOW - 3 * HOUR, 1.5);
    const budget = { provider: null, agent: null, directory: null, limit: 2, maxPrice: null, action: 'warn' } as const;
    const counted = ledger.count(
      [
        { ...budget, period: 'session' },
        { ...budget, period: 'day' },
      ],
      NOW,
      { offsetAt: () => 0 },
    );
    const names = (rows: readonly BudgetRow[]) => rows.map((row) => [budgetName(row, NOW), row.spent]);
    expect(names(budgetRows(counted))).toEqual([
      ['today', 2.25],
      ['session in blog, last 12:00', 1.5],
      ['session in shop, last 14:00', 0.75],
    ]);
  });
});
