import type { FleetStatus } from './fleet';

export const NO_FLEET: FleetStatus = {
  state: 'off',
  missing: null,
  trouble: null,
  team: null,
  name: null,
  accounts: [],
  machines: [],
  saved: 0,
};
