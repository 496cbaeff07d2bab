import type { FleetStatus } from '../../src/contract';
import type { FleetMachine } from '../../src/contract/fleet';

/** Another machine of the fleet; change what the test is about. */
export const fleetMachine = (change: Partial<FleetMachine> = {}): FleetMachine => ({
  ...{ id: '0123456789abcdef', name: 'build-7', version: '0.1.0', agoMs: 4_000, isIgnored: false, contradicted: 0 },
  ...change,
});

/** A machine whose fleet is well: two of its accounts are shared, and of two other machines one is heeded. */
export const fleetStatus = (change: Partial<FleetStatus> = {}): FleetStatus => ({
  ...{ state: 'connected', missing: null, trouble: null, team: 'acme', name: 'build-8', saved: 27 },
  accounts: [
    { account: 'anthropic', apart: null, machines: ['0123456789abcdef'] },
    { account: 'openai', apart: null, machines: [] },
    { account: 'ollama', apart: 'local', machines: [] },
  ],
  machines: [fleetMachine(), fleetMachine({ id: 'fedcba9876543210', name: 'lab-1', agoMs: 90_000, isIgnored: true })],
  ...change,
});
