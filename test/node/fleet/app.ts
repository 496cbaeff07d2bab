import { onTestFinished } from 'vitest';
import { joinAsApp } from '../../../src/features/fleet/node/app-fleet';
import type { KeptFleet } from '../../../src/features/fleet/node/keep-fleet';
import { World } from '../../engine/world';

/** An app of a state home, as far as its fleet goes, with an engine under a clock of its own. */
export function appIn(home: string): Readonly<{ fleet: KeptFleet; world: World }> {
  const world = new World();
  const fleet = joinAsApp(
    { state: () => world.state, toldFleet: (event) => world.tell(event), spared: () => 0 },
    { home, env: {}, clock: { now: () => world.now }, version: '1.2.3', onMoney: () => undefined },
  );
  onTestFinished(fleet.close);
  return { fleet, world };
}
