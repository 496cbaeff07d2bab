import { expect, it } from 'vitest';
import { playAnyRun } from './any-run';

it('ends or waits with a reason, skips no stage and asks nobody twice at once, in any of 400 runs in which 30 % of turns fail', () => {
  const ends = new Map<string, number>();
  for (let seed = 0; seed < 400; seed++) {
    const end = playAnyRun(seed);
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  // Each way to end is met.
  expect([...ends.keys()].toSorted()).toEqual(['finished', 'paused', 'paused_for_user', 'stopped']);
});
