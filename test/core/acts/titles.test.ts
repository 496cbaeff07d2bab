import { describe, expect, it } from 'vitest';
import { createTitles } from '../../../src/core/acts/titles';

const SHOP = '/home/ada/shop';
const CART = { directory: SHOP, titles: [{ session: 's1', title: 'Cart' }] };

describe('given titles that a companion tells', () => {
  it('when the files of the project have not been read yet, then none is shown until they allow it', () => {
    const titles = createTitles();
    expect([titles.told(CART), titles.of('s1'), titles.find('car')]).toEqual([false, null, []]);
    expect([titles.allow(SHOP, true), titles.of('s1'), titles.find('CAR')]).toEqual([true, 'Cart', ['s1']]);
  });

  it('when they forbid it, then what was known is forgotten, and what is told after is not taken', () => {
    const titles = createTitles();
    titles.allow(SHOP, true);
    expect([titles.told(CART), titles.told(CART)]).toEqual([true, false]);
    expect([titles.allow(SHOP, false), titles.of('s1')]).toEqual([true, null]);
    expect([titles.told(CART), titles.allow(SHOP, true), titles.of('s1')]).toEqual([false, false, null]);
  });

  it('when another project allows it, then that says nothing of this one', () => {
    const titles = createTitles();
    titles.allow('/home/ada/till', true);
    titles.told(CART);
    expect(titles.of('s1')).toBe(null);
  });

  it('when all that was recorded is deleted, then so are they', () => {
    const titles = createTitles();
    titles.allow(SHOP, true);
    titles.told(CART);
    titles.forget();
    expect(titles.of('s1')).toBe(null);
  });
});
