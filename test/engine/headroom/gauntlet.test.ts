import { describe, expect, it } from 'vitest';
import { type Played, playGauntlet } from './gauntlet';
import { bucketOf, type Provider, planOf, type Size } from './providers';

/** A sequence of numbers in [0, 1) that is the same each time. */
function numbers(seed: number): () => number {
  let at = seed;
  return () => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    return at / 2 ** 32;
  };
}

/** At most 1 % of each window. */
const sizeOf = (random: () => number): Size => {
  const input = 1_000 + Math.floor(random() * 6_000);
  const output = 100 + Math.floor(random() * 1_500);
  return { input, output, most: 2_000, share: 0.001 + random() * 0.009 };
};

/** Nothing is known of it, and it refuses nobody. */
const ample: Provider = {
  ...bucketOf('requests', 1_000_000),
  admit: () => ({ ok: true, windows: [] }),
};

const run = (act: 'move' | 'off', seed: number): Played =>
  playGauntlet({
    ...{ turns: 1_000, sessions: 8, random: numbers(seed), sizeOf },
    providers: {
      'plan/1': planOf(),
      'calls/1': bucketOf('requests', 110),
      'words/1': bucketOf('tokens', 900_000),
      'spare/1': ample,
    },
    rules: { act, moveAt: 0.97 },
    changes: { maxFallbackDepth: 10 },
  });

const SEEDS = [1, 2, 3, 4, 5];

describe('given three providers that count honestly, and 1,000 turns of eight sessions at once', () => {
  it.each(SEEDS)('when turns move before a limit, then no request of %i is refused', (seed) => {
    const { turns, refused, left } = run('move', seed);
    expect([turns, refused]).toEqual([1_000, 0]);
    expect(left).toHaveProperty('plan/1');
    expect(left).toHaveProperty('calls/1');
    for (const part of Object.values(left)) expect(part).toBeLessThan(0.03);
  });

  it.each(SEEDS)('when nothing is done about limits, then requests of %i are refused', (seed) => {
    const { refused, moved } = run('off', seed);
    expect(refused).toBeGreaterThan(0);
    expect(moved).toEqual({});
  });
});
