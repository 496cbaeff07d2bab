import { describe, expect, it } from 'vitest';
import { LIMIT_FIELDS, limitChanges, withTyped } from '../../src/contract/limit-draft';
import { DEFAULT_BUDGET_ACTION } from '../../src/core/budget/budgets';
import { HEADROOM_DEFAULTS } from '../../src/core/config/schema';

describe('given an amount that somebody types', () => {
  it.each([
    ['5', 5],
    ['1000', 1_000],
    ['2.5', 2.5],
    ['2,50', 2.5],
    // A thousand to some, one to others: said to be no number.
    ['1,000', '1,000'],
    ['1.000', '1.000'],
    ['1.000,50', '1.000,50'],
    ['1e3', '1e3'],
    ['-5', '-5'],
    ['five', 'five'],
  ])('when it is %s, then %s is asked for', (text, value) => {
    expect(limitChanges(withTyped({}, 'budget.day', text, ''))).toEqual([
      { type: 'set', path: ['budget', 'day'], value },
    ]);
  });

  it('when it is left empty, then the file is to say nothing of it', () => {
    expect(limitChanges(withTyped({}, 'budget.day', ' ', '5'))).toEqual([{ type: 'unset', path: ['budget', 'day'] }]);
  });
});

describe('given that no file says anything', () => {
  it('when the view shows what is done, then that is what the core does', () => {
    const { act, moveAt } = HEADROOM_DEFAULTS;
    const shown = (['headroom.act', 'headroom.moveAt', 'budget.action'] as const).map(
      (field) => LIMIT_FIELDS[field].standard,
    );
    expect(shown).toEqual([act, String(moveAt), DEFAULT_BUDGET_ACTION]);
  });
});
