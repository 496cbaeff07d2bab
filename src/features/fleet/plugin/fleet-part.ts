import type { AccountBooks } from '../../../node/data/account-books';
import type { Brain } from '../../../plugin/base/brain';
import type { SeenEnd } from '../core/exchange';
import { type KeptFleet, keepFleet } from '../node/keep-fleet';
import { openFleetMoney } from '../node/money';
import { isUnread, readFleet } from '../node/settings';

export type FleetParts = Readonly<{
  brain: Brain;
  books: Promise<AccountBooks>;
  version: string;
  onEnded?(all: readonly SeenEnd[]): void;
  warn(message: string): void;
}>;

/** Loaded once the preferences may name a fleet. */
export function openCompanionFleet(
  home: string,
  { brain, books, version, onEnded }: FleetParts,
  hasApp: () => boolean,
): KeptFleet {
  const fleet = keepFleet(
    {
      state: brain.state,
      now: brain.now,
      tell: brain.act,
      random: Math.random,
      ...(onEnded ? { ended: onEnded } : {}),
      money: openFleetMoney(home),
    },
    {
      async find() {
        const found = await readFleet(home, process.env, version);
        const accounts = await books;
        if (!isUnread(found)) accounts.nameBy(found.kind === 'ready' ? found.marks : null);
        return hasApp() ? { kind: 'elsewhere' } : found;
      },
      // The next message detects a new fleet.
      looksOn: false,
      accounts: async () => (await books).forFleet(),
    },
  );
  brain.onStep((_, { type }) => {
    if (type !== 'fleet.heard') fleet.look();
  });
  return fleet;
}
