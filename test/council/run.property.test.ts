import { expect, it } from 'vitest';
import { playAnyRun } from './any-run';

it.each([
  ['CODE_REVIEW', 400],
  ['STANDARD', 200],
  ['DEEP', 200],
] as const)(
  '%s ends or waits with a reason, skips no stage and asks nobody twice at once, in any of %i runs in which 30 %% of turns fail',
  (process, count) => {
    const ends = new Map<string, number>();
    for (let seed = 0; seed < count; seed++) {
      const end = playAnyRun(seed, 0.3, process);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    // Each way to end is met.
    expect([...ends.keys()].toSorted()).toEqual(['finished', 'paused', 'paused_for_user', 'stopped']);
  },
);
