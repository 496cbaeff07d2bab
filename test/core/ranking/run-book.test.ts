import { describe, expect, it } from 'vitest';
import { createRunBook } from '../../../src/features/ranking/core/run-book';
import { KEPT_MAX } from '../../../src/features/ranking/rules/kept/change';
import { newRun } from '../../../src/features/ranking/rules/run/run';
import { memoryBook } from '../../support/ranking-port';

const runOf = (startedAt: number) =>
  newRun({ id: `r${startedAt}`, agent: 'build', role: 'builder', startedAt, isLive: false, wants: [] });

describe('given as many runs as are kept', () => {
  it('when one more begins, then the one that was begun first makes room, and one that goes on needs none', () => {
    const book = memoryBook();
    const runs = createRunBook(book, () => () => undefined);
    for (let at = 1; at <= KEPT_MAX.run; at++) runs.keep(`${at}/build`, runOf(at));
    runs.keep('9/build', runOf(9));
    expect(book.read().runs.size).toBe(KEPT_MAX.run);
    runs.keep('new/build', runOf(5000));
    expect(book.read().runs.size).toBe(KEPT_MAX.run);
    expect([runs.of('1/build'), runs.of('2/build')?.id, runs.of('new/build')?.id]).toEqual([null, 'r2', 'r5000']);
  });
});
