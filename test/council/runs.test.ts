import { expect, it } from 'vitest';
import { PROCESS_IDS } from '../../src/features/council/rules/base/types';
import { runs } from '../support/runs';
import { playAnyRun } from './any-run';

it('ends or waits with a reason in any run, of 10,000 when all are played, whatever share of turns fails and whatever is played', () => {
  const ends = new Set<string>();
  for (let seed = 0; seed < runs(10_000); seed++)
    ends.add(playAnyRun(seed, seed % 10 === 0 ? 0.9 : 0.3, PROCESS_IDS[seed % PROCESS_IDS.length]));
  expect([...ends].toSorted()).toEqual(['finished', 'paused', 'paused_for_user', 'stopped']);
});
