import { describe, expect, it } from 'vitest';
import { shareUnchanged } from '../../src/renderer/app/share';

describe('given two pictures of the same thing', () => {
  it('when nothing differs, then the old one is kept whole', () => {
    const old = { rows: [{ a: 1, b: [null, 'x'] }], none: null };
    expect(shareUnchanged(old, structuredClone(old))).toBe(old);
  });

  it('when one row differs, then only it and what holds it are new', () => {
    const old = { rows: [{ a: 1 }, { a: 2 }], rest: { c: 3 } };
    const next = shareUnchanged(old, { rows: [{ a: 1 }, { a: 5 }], rest: { c: 3 } });
    expect(next).toEqual({ rows: [{ a: 1 }, { a: 5 }], rest: { c: 3 } });
    expect([next.rows[0] === old.rows[0], next.rows[1] === old.rows[1], next.rest === old.rest]).toEqual([
      ...[true, false, true],
    ]);
  });

  it.each([
    [{ a: 1, b: 2 }, { a: 1 }],
    [
      [1, 2, 3],
      [1, 2],
    ],
    [[], {}],
    [{ a: undefined }, {}],
    [null, { a: 1 }],
    [{ a: { b: 1 } }, { a: null }],
  ])('when %j becomes %j, then the new one is told as it is', (old, next) => {
    expect(shareUnchanged(old, next)).toStrictEqual(next);
  });
});
