import { describe, expect, it } from 'vitest';
import { createReservedBook } from '../../../src/core/budget/reserved';
import type { ReservedLine, SpentLine } from '../../../src/core/budget/spent';

const spent: SpentLine = {
  ...{ at: 5, for: 'turn', provider: 'a', agent: 'build', directory: '/p', session: 's', tokens: 10, cost: 1 },
};
const reserved = (id: string): ReservedLine => ({
  ...{ at: 1, reserved: id, by: '7-x', asker: 's', turn: 't', model: 'a/m', estimate: spent },
});
const openIn = (book: ReturnType<typeof createReservedBook>) => book.open().map((line) => line.reserved);

describe('given reservations of requests', () => {
  it('when one is settled by its usage and one without, then neither is open, and the usage alone counts', () => {
    const book = createReservedBook();
    const counts = [reserved('one'), reserved('two'), reserved('three')].map(book.add);
    expect(counts).toEqual([false, false, false]);
    expect([book.add({ ...spent, settles: 'one' }), book.add({ at: 6, settled: 'two' })]).toEqual([true, false]);
    expect(openIn(book)).toEqual(['three']);
  });

  it('when two processes settle the same one, then its usage counts once', () => {
    const book = createReservedBook();
    book.add(reserved('one'));
    expect([1, 2].map(() => book.add({ ...spent, settles: 'one' }))).toEqual([true, false]);
  });

  it('when the line that settles is read first, then the reservation is not open', () => {
    const book = createReservedBook();
    book.add({ ...spent, settles: 'one' });
    book.add(reserved('one'));
    expect(openIn(book)).toEqual([]);
  });

  it('when a line settles nothing, then it counts each time', () => {
    const book = createReservedBook();
    expect([book.add(spent), book.add(spent)]).toEqual([true, true]);
  });
});
