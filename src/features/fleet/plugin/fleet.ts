import { stateHome } from '../../../node/base/state-home';
import { loadPart } from '../../../plugin/base/part';
import { mayNameFleet } from '../node/find';
import type { KeptFleet } from '../node/keep-fleet';
import type { FleetParts } from './fleet-part';

export type CompanionFleet = Readonly<{
  join(): void;
  resume(): void;
  refresh: KeptFleet['refresh'];
  meet: KeptFleet['meet'];
  lease: KeptFleet['lease'];
  flush: KeptFleet['flush'];
}>;

/** Interval to look for a fleet, in ms. */
const LOOK_EVERY_MS = 30_000;

/** Without a fleet it only reads a small file at intervals. */
export function joinAsCompanion(parts: FleetParts): CompanionFleet {
  const home = stateHome();
  let hasApp = false;
  let fleet: KeptFleet | null = null;
  let opening: Promise<void> | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;

  const open = async (): Promise<void> => {
    const load = async (): Promise<KeptFleet> =>
      (await import('./fleet-part')).openCompanionFleet(home, parts, () => hasApp);
    fleet = await loadPart('fleets', load, parts.warn);
    await fleet?.reread();
  };
  const look = async (): Promise<void> => {
    lookedAt = performance.now();
    if (fleet !== null) return await fleet.reread();
    if (opening !== null || (await mayNameFleet(home))) {
      opening ??= open();
      await opening;
    }
    // Without a fleet no account waits for a shared name.
    if (fleet === null) (await parts.books).nameBy(null);
  };
  void look();
  const lease: CompanionFleet['lease'] = async (key) => (await fleet?.lease(key)) ?? true;
  parts.brain.borrowFrom(lease);
  return {
    join() {
      hasApp = true;
      void look();
    },
    resume() {
      hasApp = false;
      void look();
    },
    refresh() {
      if (fleet !== null) fleet.refresh();
      else if (performance.now() - lookedAt > LOOK_EVERY_MS) void look();
    },
    meet: async () => void (await fleet?.meet()),
    lease,
    flush: async () => void (await fleet?.flush()),
  };
}
