import { describe, expect, it } from 'vitest';
import { isNightly } from '../../support/nightly';
import { playHonest } from './honest';

const SEEDS = isNightly ? [1, 2, 3, 4, 5] : [1, 2];
const SHARED_SEEDS = isNightly ? [1, 2] : [1];

describe('given three providers that count honestly, and 1,000 turns of eight sessions at once', () => {
  it.each(SEEDS)(
    'when turns move before a limit, then no request of run %i is refused, and less than 3 percent is left',
    (seed) => {
      const { turns, refused, left } = playHonest({ act: 'move', seed, sessions: 8 });
      expect([turns, refused]).toEqual([1_000, 0]);
      expect(left).toHaveProperty('plan/1');
      expect(left).toHaveProperty('calls/1');
      for (const part of Object.values(left)) expect(part).toBeLessThan(0.03);
    },
  );

  it.each(SEEDS)('when nothing is done about limits, then requests of run %i are refused', (seed) => {
    const { refused, moved } = playHonest({ act: 'off', seed, sessions: 8 });
    expect(refused).toBeGreaterThan(0);
    expect(moved).toEqual({});
  });
});

describe('given two processes on one account', () => {
  it.each(
    SHARED_SEEDS.flatMap(
      (seed) =>
        [
          ['app', seed],
          ['file', seed],
        ] as const,
    ),
  )('when they hear of each other by the %s, then no request of run %i is refused', (sharing, seed) => {
    const { refused, left } = playHonest({ act: 'move', seed, sessions: 4, hosts: 2, sharing, turns: 400 });
    expect([refused, (left['plan/1'] ?? 1) < 0.03]).toEqual([0, true]);
  });
});
