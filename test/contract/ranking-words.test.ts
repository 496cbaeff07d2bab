import { describe, expect, it } from 'vitest';
import { doubtPhrases, livePhrase, type RankedRow } from '../../src/contract';

const row = (change: Partial<RankedRow>): RankedRow => ({
  ...{ model: 'openai/gpt', vendor: 'openai', account: 'openai', region: 'US', place: 'hosted', record: null },
  ...{ isPresent: false, rank: null, unranked: null, score: null, worth: null, known: 1, missing: [], estimated: [] },
  ...{ parts: [], live: null, price: null, budget: null },
  ...change,
});
const live = (answered: number, n: number): RankedRow['live'] => ({
  ...{ n, answered, firstTokenP50Ms: null, costPerAnswer: null },
  share: { value: answered / n, lower: 0, upper: 1 },
});

describe('given shares that are nearly what they are not', () => {
  it('when 399 of 400 attempts were answered, then that is not all of them', () => {
    expect(livePhrase(row({ live: live(399, 400) }))).toBe('99 % answered, n 400');
    expect(livePhrase(row({ live: live(400, 400) }))).toBe('100 % answered, n 400');
  });

  it('when 49.8 % of the weights are known, then that is not said to be the 50 % that are needed', () => {
    expect(doubtPhrases(row({ unranked: 'values.few', known: 0.498 }))).toEqual([
      'not ranked: 49 % of the weights known, 50 % needed',
    ]);
  });
});
