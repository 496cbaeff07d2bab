import { describe, expect, it } from 'vitest';
import { playHonest } from '../engine/headroom/honest';
import type { Sharing } from '../engine/headroom/hosts';

/** Two processes take several times as long to play. */
const runsOf = (hosts: number): number => (hosts > 1 ? 20 : 60);
const MINUTES = 60_000;

type Case = readonly [sessions: number, hosts: number, sharing: Sharing, refusedMost: number];

/**
 * Runs of 1,000 turns each over providers that count honestly. What it came to stands in docs/bench.md. Two dozen sessions at
 * once are more than anybody promises anything for: what they take together is an estimate until the next response.
 */
const CASES: readonly Case[] = [
  [1, 1, 'nothing', 0],
  [2, 1, 'nothing', 0],
  [4, 1, 'nothing', 0],
  [8, 1, 'nothing', 0],
  [2, 2, 'app', 0],
  [4, 2, 'app', 0],
  [2, 2, 'file', 0],
  [4, 2, 'file', 0],
  [24, 1, 'nothing', 6],
];

describe('given providers that count honestly', () => {
  it.each(CASES)(
    'when %i sessions of %i processes ask them at once, and hear by: %s, then at most %i runs meet a refusal',
    (sessions, hosts, sharing, most) => {
      const played = Array.from({ length: runsOf(hosts) }, (_, at) =>
        playHonest({ act: 'move', seed: (at + 1) * 7919, sessions, hosts, sharing }),
      );
      const off = playHonest({ act: 'off', seed: 7919, sessions, hosts, sharing });
      const lefts = played.map(({ left }) => Math.max(...Object.values(left)));
      const refusals = played.filter(({ refused }) => refused > 0).length;
      console.log(
        [
          `${sessions} sessions, ${hosts} processes (${sharing}): ${refusals} of ${played.length} runs with a refusal`,
          `left at most ${(100 * Math.max(...lefts)).toFixed(1)} %, over 3 % in ${lefts.filter((left) => left >= 0.03).length}`,
          `${played.reduce((sum, { requests }) => sum + requests, 0)} requests, ${played.reduce((sum, { refused }) => sum + refused, 0)} refused`,
          `${off.refused} of ${off.requests} refused with "off"`,
        ].join('; '),
      );
      expect(refusals).toBeLessThanOrEqual(most);
    },
    10 * MINUTES,
  );
});
