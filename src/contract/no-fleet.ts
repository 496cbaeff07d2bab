import type { FleetStatus } from './fleet';

/** Of a machine that is in no fleet. */
export const NO_FLEET: FleetStatus = {
  ...{ state: 'off', missing: null, trouble: null, team: null, name: null },
  ...{ accounts: [], machines: [], saved: 0 },
};
