import type { QueryInput, QueryOutput } from '../../src/contract/contract';
import { DEFAULT_PREFERENCES, type FleetPreferences, type PreferencesInForce } from '../../src/contract/preferences';
import type { ModelRow, Snapshot } from '../../src/contract/snapshot';
import type { FleetStatus } from '../../src/features/fleet/contract/fleet';

const MINUTE_MS = 60_000;

/** A machine as in `fleet.get`; its id repeats a digit. */
export const machineOf = (
  name: string,
  digit: string,
  change: Partial<FleetStatus['machines'][number]> = {},
): FleetStatus['machines'][number] => ({
  ...{ id: digit.repeat(16), name, version: '0.9.2', agoMs: 4_000, isIgnored: false, contradicted: 0 },
  ...change,
});

const BUILD_7 = '7'.repeat(16);
const LAPTOP = 'a'.repeat(16);

export const sampleFleet = (change: Partial<FleetStatus> = {}): FleetStatus => ({
  ...{ state: 'connected', missing: null, trouble: null, team: 'acme', name: 'build-8', saved: 27 },
  accounts: [
    { account: 'mistral', apart: 'login', machines: [] },
    { account: 'anthropic', apart: null, machines: [BUILD_7, LAPTOP] },
    { account: 'moonshot', apart: null, machines: [] },
    { account: 'openai@work', apart: null, machines: [] },
    { account: 'lmstudio', apart: 'local', machines: [] },
  ],
  machines: [
    machineOf('build-7', '7'),
    machineOf('ada-laptop', 'a', { version: null, agoMs: 3 * MINUTE_MS, isIgnored: true }),
  ],
  ...change,
});

export const AWAY: Pick<FleetStatus, 'state' | 'trouble'> = {
  state: 'away',
  trouble: { trouble: 'unreachable', reason: 'connect ECONNREFUSED 10.0.0.5:6379' },
};

export const fleetPreferences = (change: Partial<FleetPreferences> = {}): FleetPreferences => ({
  ...DEFAULT_PREFERENCES.fleet,
  ...{ url: 'redis://10.0.0.5:6379', team: 'acme', name: 'build-8', ignored: [LAPTOP] },
  ...change,
});

export function fleetSettings(first: FleetPreferences = fleetPreferences()) {
  let rev = 1;
  let fleet = first;
  const inForce = (): PreferencesInForce => ({
    preferences: { ...DEFAULT_PREFERENCES, fleet },
    ...{ path: '/home/ada/.local/state/understudy/preferences.json', rev: `r${rev}`, problem: null },
  });
  return {
    fleet: () => fleet,
    handlers: {
      'settings.get': inForce,
      'settings.set': ({ patch, rev: seen }: QueryInput<'settings.set'>): QueryOutput<'settings.set'> => {
        if (seen !== `r${rev}`) return { ok: false, reason: 'The settings have changed.' };
        fleet = { ...fleet, ...patch.fleet } as FleetPreferences;
        rev++;
        return { ok: true, ...inForce() };
      },
    },
  };
}

export const knownFromBuild7 = (snapshot: Snapshot, ...models: readonly string[]): Snapshot => ({
  ...snapshot,
  models: snapshot.models.map((row): ModelRow => (models.includes(row.model) ? { ...row, machine: 'build-7' } : row)),
});
