import { describe, expect, it } from 'vitest';
import type { ModelUsage } from '../../src/contract/snapshot';
import { costPhrase, tokenKinds, usagePhrase } from '../../src/wording/usage-words';

const NONE = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

const used = (change: Partial<ModelUsage>): ModelUsage => ({
  tokens: NONE,
  total: 1,
  internal: 0,
  cost: null,
  pricedShare: 0,
  ...change,
});

describe('given numbers of tokens', () => {
  it.each([
    [1, '1 token'],
    [950, '950 tokens'],
    [999, '999 tokens'],
    [1_000, '1k tokens'],
    [12_449, '12.4k tokens'],
    [999_999, '1M tokens'],
    [1_250_000, '1.3M tokens'],
    [3_000_000_000, '3G tokens'],
  ])('when %i are shown, then it reads %s', (total, words) => {
    expect(usagePhrase(used({ total }))).toBe(words);
  });

  it('when kinds are shown, then only those there are any of', () => {
    expect(tokenKinds(used({ tokens: { ...NONE, input: 800, reasoning: 100, cacheRead: 12_000 } }))).toBe(
      '800 input, 100 reasoning, 12k cache read',
    );
  });
});

describe('given money', () => {
  it.each([
    [null, 0, 'unpriced'],
    [0.004, 1, 'under $0.01'],
    [1.839, 1, '$1.84'],
    [1.839, 0.634, '$1.84, 63 % priced'],
    [1.839, 0.999, '$1.84, 99 % priced'],
    [1.839, 0.001, '$1.84, 1 % priced'],
  ])('when it is %s for a share of %s, then it reads %s', (cost, pricedShare, words) => {
    expect(costPhrase(used({ cost, pricedShare }))).toBe(words);
  });
});
