import type { SeenEnd } from '../core/fleet/exchange';
import { stateHome } from '../node/base/state-home';
import type { AccountBooks } from '../node/data/account-books';
import { findFleet } from '../node/fleet/find';
import { type KeptFleet, keepFleet } from '../node/fleet/keep-fleet';
import { openFleetMoney } from '../node/fleet/money';
import { isUnread } from '../node/fleet/settings';
import type { Brain } from './brain';

/** This process in the fleet of its machine: by itself while no app is there, which speaks for all of them. */
export type CompanionFleet = Readonly<{
  join(): void;
  resume(): void;
  /** What the user has chosen may be another. */
  refresh: KeptFleet['refresh'];
  /** A request is about to leave to an account that this machine may never have asked. */
  meet: KeptFleet['meet'];
  /** Whether this process may make the one probe of a model. */
  lease: KeptFleet['lease'];
  /** This process may end now. */
  flush: KeptFleet['flush'];
}>;

/**
 * Joins the fleet that this machine is in. Without one, a small file is read now and then, and that is all.
 *
 * @param onEnded hears what other machines have seen end.
 */
export function joinAsCompanion(
  brain: Brain,
  books: Promise<AccountBooks>,
  version: string,
  onEnded?: (all: readonly SeenEnd[]) => void,
): CompanionFleet {
  const home = stateHome();
  let hasApp = false;
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
        const found = await findFleet(home, process.env, version);
        const accounts = await books;
        if (!isUnread(found)) accounts.nameBy(found.kind === 'ready' ? found.marks : null);
        // An app speaks for all processes of this machine.
        return hasApp ? { kind: 'elsewhere' } : found;
      },
      // That somebody joins is seen with the next message.
      looksOn: false,
      accounts: async () => (await books).forFleet(),
    },
  );
  brain.onStep((_, { type }) => {
    if (type !== 'fleet.heard') fleet.look();
  });
  void fleet.reread();
  brain.borrowFrom(fleet.lease);
  return {
    join() {
      hasApp = true;
      void fleet.reread();
    },
    resume() {
      hasApp = false;
      void fleet.reread();
    },
    ...{ refresh: fleet.refresh, meet: fleet.meet, lease: fleet.lease, flush: fleet.flush },
  };
}
