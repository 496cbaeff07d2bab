import { setImmediate } from 'node:timers/promises';
import { keepFleet } from '../../src/features/fleet/node/keep-fleet';
import type { ServerConnection } from '../../src/features/fleet/node/server';
import type { FleetFound } from '../../src/features/fleet/node/settings';
import { type Brain, createBrain } from '../../src/plugin/base/brain';
import { type BenchRow, rowOf } from './bench-row';
import { seasoned, started, succeeded, TURNS_UNDER_WAY } from './engine/history';

const RUNS = 300;
/** Requests of one sample: one alone is shorter than a clock tells. */
const EACH = 100;
const NEVER: FleetFound = { kind: 'off' };
const SECRET = 'a secret of a team that is nowhere else';
const TEAM: FleetFound = {
  kind: 'ready',
  identity: {
    ...{ team: 'acme', secret: SECRET, version: '1.2.3', id: '0123456789abcdef', name: 'build-7', ignored: [] },
    ...{ address: { host: '127.0.0.1', port: 1, isTls: false }, share: ['health', 'headroom'] },
  },
  marks: { by: 'mark', markOf: (account) => account },
};

/** A server at which nothing has happened since. */
const QUIET: ServerConnection = {
  time: async () => ({ serverMs: 0, tookMs: 0 }),
  put: async () => ({ life: 'a', change: 1 }),
  read: async (_, since) => ({ position: { life: 'a', change: since.change }, held: [], isFlooded: false }),
  lease: async () => true,
  release: async () => undefined,
  follow: async () => undefined,
  onNews: () => () => undefined,
  onClose: () => undefined,
  close: () => undefined,
};

/** A companion's engine that knows 1,000 models of 50 providers, with 200 turns under way, and what of a fleet goes along with it. */
async function companion(found: FleetFound | null): Promise<Brain> {
  const brain = createBrain(
    () => 2_000,
    () => 0.5,
    null,
    () => () => undefined,
    seasoned(),
  );
  if (found === null) return brain;
  const fleet = keepFleet(
    {
      ...{ state: brain.state, now: brain.now, tell: brain.act, random: () => 0.5 },
      connect: async () => ({ ok: true, value: QUIET }),
    },
    {
      find: async () => found,
      looksOn: false,
      accounts: async () => ({ marks: new Map([['p1', 'mark-of-p1']]), apart: new Map() }),
    },
  );
  brain.onStep((_, { type }) => {
    if (type !== 'fleet.heard') fleet.look();
  });
  await fleet.reread();
  while (fleet.status().state === 'connecting') await setImmediate();
  return brain;
}

/** How long a companion takes to let a request leave and to take in its answer: without what a fleet needs, in no fleet, and in one. */
export async function fleetBench(): Promise<BenchRow[]> {
  const subjects = [
    { name: 'a request and its answer decided, by the engine alone', brain: await companion(null) },
    { name: '  in no fleet', brain: await companion(NEVER) },
    { name: '  in a fleet, with one shared account', brain: await companion(TEAM) },
  ].map((each) => ({ ...each, samples: [] as number[] }));
  for (let run = 0; run < RUNS + 10; run++) {
    for (const { brain, samples } of subjects) {
      const startedAt = performance.now();
      for (let at = 0; at < EACH; at++) {
        const attempt = `${run}.${at}`;
        brain.tell(started((run + at) % TURNS_UNDER_WAY, attempt));
        brain.tell(succeeded(attempt));
      }
      // The first runs make the program fast.
      if (run >= 10) samples.push((1_000 * (performance.now() - startedAt)) / EACH);
    }
  }
  return subjects.map(({ name, samples }) => rowOf(name, 'µs', samples));
}
