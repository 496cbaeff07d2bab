import { type Played, playGauntlet } from './gauntlet';
import type { Sharing } from './hosts';
import { bucketOf, type Provider, planOf, type Size } from './providers';
import { numbers } from './seen';

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

type Honest = Readonly<{
  act: 'move' | 'off';
  seed: number;
  sessions: number;
  turns?: number;
  hosts?: number;
  sharing?: Sharing;
}>;

/** Turns of several sessions at once over a plan of five hours, requests a minute and tokens a minute, and one that is ample. */
export const playHonest = ({ act, seed, sessions, turns = 1_000, ...spread }: Honest): Played =>
  playGauntlet({
    ...{ turns, sessions, random: numbers(seed), sizeOf, ...spread },
    providers: {
      'plan/1': planOf(),
      'calls/1': bucketOf('requests', 110),
      'words/1': bucketOf('tokens', 900_000),
      'spare/1': ample,
    },
    rules: { act, moveAt: 0.97 },
    changes: { maxFallbackDepth: 10 },
  });
