import { afterEach, describe, expect, it } from 'vitest';
import type { Handlers } from '../../src/contract/contract';
import type { Snapshot } from '../../src/contract/snapshot';
import type { FleetStatus } from '../../src/features/fleet/contract/fleet';
import { SERVER_TROUBLES } from '../../src/features/fleet/contract/fleet-values';
import { createMetrics, type Metrics } from '../../src/panel/metrics';
import { fleetMachine, fleetStatus } from '../support/metrics-fleet';
import { fakeHost } from '../support/panel-host';
import { agentRow, snapshotOf } from '../support/rows';

let metrics: Metrics | null = null;
afterEach(() => metrics?.close());

/** All that is told of some series: lines with their value, without help and types. */
async function told(prefix: string, handlers: Partial<Handlers>, snapshot: Snapshot = snapshotOf([])) {
  metrics = createMetrics(fakeHost(snapshot, handlers));
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
}

const ofFleet = (status: FleetStatus, snapshot?: Snapshot) =>
  told('understudy_fleet_', { 'fleet.get': () => status }, snapshot);

describe('given a machine in a fleet', () => {
  it('when metrics are read, then they say whether the server answers, what is shared, who was heard, and what was saved', async () => {
    const snapshot = snapshotOf([]);
    const seen = (agoMs: number): number => Math.round((snapshot.at - agoMs) / 1_000);
    expect(await ofFleet(fleetStatus(), snapshot)).toEqual([
      'connected{team="acme"} 1',
      ...SERVER_TROUBLES.map((trouble) => `trouble{team="acme",trouble="${trouble}"} 0`),
      'accounts{team="acme",shared="yes"} 2',
      'accounts{team="acme",shared="no"} 1',
      'machines{team="acme",heeded="yes"} 1',
      'machines{team="acme",heeded="no"} 1',
      `machine_last_seen_timestamp_seconds{team="acme",machine="build-7",id="0123456789abcdef"} ${seen(4_000)}`,
      `machine_last_seen_timestamp_seconds{team="acme",machine="lab-1",id="fedcba9876543210"} ${seen(90_000)}`,
      'requests_saved_total{team="acme"} 27',
    ]);
  });

  it('when its server is away, or takes nothing, then that is told, and why', async () => {
    const ones = async (change: Partial<FleetStatus>) => {
      const lines = await ofFleet(fleetStatus(change));
      return lines.filter((line) => /^(?:connected|trouble).* 1$/.test(line));
    };
    const away = { trouble: 'unreachable', reason: 'connect ECONNREFUSED 10.0.0.5:6379' } as const;
    const full = { trouble: 'full', reason: 'OOM command not allowed' } as const;
    expect(await ones({ state: 'away', trouble: away })).toEqual(['trouble{team="acme",trouble="unreachable"} 1']);
    expect(await ones({ trouble: full })).toEqual([
      'connected{team="acme"} 1',
      'trouble{team="acme",trouble="full"} 1',
    ]);
  });

  it('when something is missing on it, then it is not connected, though nobody has read of which team', async () => {
    const unready = { state: 'unready', missing: { what: 'team', team: '', at: '', why: '' }, team: null } as const;
    expect(await ofFleet(fleetStatus({ ...unready, accounts: [], machines: [], saved: 0 }))).toContain(
      'connected{team=""} 0',
    );
  });

  it('when a thousand machines were heard, then all are counted, and the latest hundred are told one by one', async () => {
    const machines = Array.from({ length: 1_000 }, (_, nth) =>
      // All with one name: each is told all the same.
      fleetMachine({ id: String(nth).padStart(16, '0'), agoMs: 1_000 * (1_000 - nth) }),
    );
    const lines = await ofFleet(fleetStatus({ machines }));
    const seen = lines.flatMap((line) => /^machine_last_seen.*id="0*(\d+)"/.exec(line)?.[1] ?? []);
    expect(lines).toContain('machines{team="acme",heeded="yes"} 1000');
    expect([seen.length, seen[0], seen.at(-1)]).toEqual([100, '999', '900']);
  });
});

describe('given a machine in no fleet', () => {
  it('when metrics are read, then no series of a fleet is there, not even its name', async () => {
    metrics = createMetrics(fakeHost(snapshotOf([])));
    expect(await metrics.text()).not.toContain('understudy_fleet');
  });

  it('when nobody can say how the fleet is, then everything else is told all the same', async () => {
    const gone = () => {
      throw new Error('gone');
    };
    metrics = createMetrics(fakeHost(snapshotOf([]), { 'fleet.get': gone }));
    const text = await metrics.text();
    expect([text.includes('understudy_info'), text.includes('understudy_fleet')]).toEqual([true, false]);
  });
});

describe('given agents with chains', () => {
  const link = (model: string, state: 'ready' | 'cooling' | 'blocked') => ({ model, state, code: null });

  it('when models are out, then it is told how many are left to each agent, of several projects where that is worst', async () => {
    const snapshot = snapshotOf(
      [agentRow({ agent: 'build', chain: [link('acme/lead', 'cooling'), link('globex/steady', 'ready')] })],
      {
        chains: [
          { directory: '/home/ada/blog', agent: 'build', chain: [link('acme/lead', 'cooling')] },
          { directory: '/home/ada/blog', agent: 'plan', chain: [link('a/1', 'ready'), link('a/2', 'ready')] },
        ],
      },
    );
    expect(await told('understudy_agent_models_left', {}, snapshot)).toEqual(['{agent="build"} 0', '{agent="plan"} 2']);
  });

  it('when nobody knows by which model an agent is asked, or no OpenCode is open, then nothing is told of it', async () => {
    const others = [{ directory: '/home/ada/shop', agent: 'docs', lead: null, by: 'nobody' } as const];
    const chains = [{ directory: '/home/ada/blog', agent: 'plan', chain: [link('a/1', 'ready')] }];
    const lost = { connection: { status: 'lost', since: 0 } as const, chains };
    expect(await told('understudy_agent_models_left', {}, snapshotOf([], { others }))).toEqual([]);
    expect(await told('understudy_agent_models_left', {}, snapshotOf([], lost))).toEqual([]);
  });
});
