import { expect, it } from 'vitest';
import { playAnyRun } from './any-run';

it('ends or waits with a reason in any of 10,000 runs, whatever share of turns fails', () => {
  const ends = new Set<string>();
  for (let seed = 0; seed < 10_000; seed++) ends.add(playAnyRun(seed, seed % 10 === 0 ? 0.9 : 0.3));
  expect([...ends].toSorted()).toEqual(['finished', 'paused', 'paused_for_user', 'stopped']);
});
