import type { FleetStatus } from '../../src/features/fleet/contract/fleet';
import { machineOf, sampleFleet } from './sample-fleet';

type Machine = FleetStatus['machines'][number];

export const fleetMachine = (change: Partial<Machine> = {}): Machine =>
  machineOf('build-7', '0', { id: '0123456789abcdef', version: '0.1.0', ...change });

export const fleetStatus = (change: Partial<FleetStatus> = {}): FleetStatus =>
  sampleFleet({
    accounts: [
      { account: 'anthropic', apart: null, machines: ['0123456789abcdef'] },
      { account: 'openai', apart: null, machines: [] },
      { account: 'ollama', apart: 'local', machines: [] },
    ],
    machines: [fleetMachine(), fleetMachine({ id: 'fedcba9876543210', name: 'lab-1', agoMs: 90_000, isIgnored: true })],
    ...change,
  });
