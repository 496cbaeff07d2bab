import { describe, expect, it } from 'vitest';
import { emptyTable, entries, fromEntries, get, remove, set } from '../../../src/engine/base/table';

const thousand = fromEntries(Array.from({ length: 1_000 }, (_, index) => [`p/${index}`, index] as const));

describe('given a table of 1,000 models', () => {
  it('when each is looked up, then each has its own value', () => {
    expect(Array.from({ length: 1_000 }, (_, index) => get(thousand, `p/${index}`))).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index),
    );
  });

  it('when one is changed, then the old table still has the old value and 63 of 64 buckets are shared', () => {
    const changed = set(thousand, 'p/7', -1);
    const shared = changed.filter((bucket, slot) => bucket === thousand[slot]).length;
    expect([get(thousand, 'p/7'), get(changed, 'p/7'), shared]).toEqual([7, -1, 63]);
  });

  it('when one is removed, then the other 999 stay', () => {
    const less = remove(thousand, 'p/7');
    expect([get(less, 'p/7'), entries(less).length]).toEqual([undefined, 999]);
  });

  it('when an unknown one is removed, then it is the same table', () => {
    expect(remove(thousand, 'p/none')).toBe(thousand);
  });
});

describe('given names that objects already have', () => {
  it('when they are used as keys, then they are keys like any other', () => {
    const names = ['__proto__', 'constructor', 'toString', ''];
    const table = names.reduce((made, name, index) => set(made, name, index), emptyTable<number>());
    expect(names.map((name) => [get(emptyTable<number>(), name), get(table, name)])).toEqual([
      [undefined, 0],
      [undefined, 1],
      [undefined, 2],
      [undefined, 3],
    ]);
  });
});
