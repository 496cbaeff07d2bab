import { Counter, Gauge, type Registry } from 'prom-client';
import type { FleetStatus } from '../features/fleet/contract/fleet';
import { SERVER_TROUBLES } from '../features/fleet/contract/fleet-values';

/** Each machine is a series, and a team may have a thousand: only the latest are listed. */
const MACHINES_TOLD = 100;

/**
 * A machine outside a fleet has none.
 * @param at Unix ms of the snapshot.
 */
export function fillFleet(registry: Registry, fleet: FleetStatus, at: number): void {
  if (fleet.state === 'off') return;
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: `understudy_fleet_${name}`, help, labelNames, registers: [registry] });
  const { state, accounts, machines, saved, trouble } = fleet;
  // The team may be unknown still; Prometheus treats an empty label as absent.
  const team = fleet.team ?? '';
  gauge('connected', '1 while the fleet server responds', ['team']).set({ team }, Number(state === 'connected'));
  const troubles = gauge('trouble', '1 for the current problem of the fleet server, 0 for others', ['team', 'trouble']);
  for (const name of SERVER_TROUBLES) troubles.set({ team, trouble: name }, Number(trouble?.trouble === name));
  const shared = gauge('accounts', 'Accounts of this machine, by whether they are shared', ['team', 'shared']);
  const heard = gauge('machines', 'Other machines that sent a message, by whether this machine heeds them', [
    'team',
    'heeded',
  ]);
  for (const is of [true, false]) {
    shared.set({ team, shared: yesNo(is) }, accounts.filter(({ apart }) => (apart === null) === is).length);
    heard.set({ team, heeded: yesNo(is) }, machines.filter(({ isIgnored }) => isIgnored !== is).length);
  }
  const seen = gauge(
    'machine_last_seen_timestamp_seconds',
    `Time of the last message of another machine, in Unix seconds; only the latest ${MACHINES_TOLD}`,
    ['team', 'machine', 'id'],
  );
  // Names can repeat, and the user ignores a machine by its id.
  for (const { name: machine, id, agoMs } of latestOf(machines))
    seen.set({ team, machine, id }, Math.round((at - agoMs) / 1_000));
  new Counter({
    name: 'understudy_fleet_requests_saved_total',
    help: 'Requests avoided because another machine had reported the limit',
    labelNames: ['team'],
    registers: [registry],
  }).inc({ team }, saved);
}

const latestOf = (machines: FleetStatus['machines']): FleetStatus['machines'] =>
  machines.toSorted((one, other) => one.agoMs - other.agoMs).slice(0, MACHINES_TOLD);

const yesNo = (is: boolean): 'yes' | 'no' => (is ? 'yes' : 'no');
