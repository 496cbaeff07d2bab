import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { initialHealth } from '../../../src/engine/health/health';
import { joinFleet } from '../../../src/features/fleet/node/link';
import { sealed } from '../../../src/features/fleet/node/seal';
import { type HeldWords, keyOfAccount } from '../../../src/features/fleet/node/server';
import { fleetText } from '../../../src/protocol';
import { World } from '../../engine/world';
import { eventually } from '../../support/eventually';
import { NIGHTLY } from '../../support/nightly';
import { PIECE_MS } from '../../support/piece-cost';
import { MARK, SECRET } from './member';
import { serverDouble } from './server-double';

const HOUR = 3_600_000;
const MODELS = Array.from({ length: 200 }, (_, at) => `model-${at}`);

/** What a machine reports: that 200 models are limited, the longer the lower its number; or nothing any more. */
function reportOf(number: number, saidAt: number, models = MODELS): HeldWords {
  const machine = number.toString(16).padStart(16, '0');
  const end = saidAt + 2 * HOUR - number;
  const limit = { kind: 'quota', source: 'provider', since: saidAt - 1, until: end, preferAt: end } as const;
  const words = models.map((name) => [name, { ...initialHealth, limits: [limit], limit, cleared: {} }] as const);
  const place = { account: MARK, machine, saidAt, until: saidAt + 3 * HOUR };
  const text = fleetText({ machine: `build-${number}`, version: '1.2.3', words, windows: [], spent: [] });
  return { machine, saidAt, until: place.until, words: sealed(SECRET, place, text) };
}

/** A machine whose server holds what so many machines report. */
function joined(machines: number) {
  const now = Date.now();
  const all = Array.from({ length: machines }, (_, number) => reportOf(number, now));
  const { server, say } = serverDouble({
    time: async () => ({ serverMs: Date.now(), tookMs: 0 }),
    put: async () => ({ life: 'a', change: machines }),
    async read(_, { change }) {
      const position = { life: 'a', change: Math.max(change, machines) };
      return { position, held: change < machines ? all : [], isFlooded: false };
    },
  });
  const world = new World([]);
  const link = joinFleet(
    {
      ...{ team: 'acme', secret: SECRET, id: 'f'.repeat(16), name: 'own', version: '1.2.3' },
      ...{ address: { host: '127.0.0.1', port: 1, isTls: false }, ignored: [], share: ['health'] },
    },
    {
      state: () => world.state,
      now: () => performance.now(),
      tell(event) {
        world.now = performance.now();
        world.tell(event);
      },
      random: () => 0.5,
      connect: async () => ({ ok: true, value: server }),
    },
  );
  onTestFinished(link.close);
  const limitedBy = (): ReadonlySet<string | undefined> =>
    new Set(world.state.models.flat().map(([, { limit }]) => limit?.machine));
  const textMb = all.reduce((sum, { words }) => sum + words.length, 0) / 1e6;
  return { link, say, limitedBy, saidAt: now, textMb };
}

/** The longest piece of work between two turns of the event loop until something holds, in ms of processor time. */
async function longestPiece(holds: () => boolean): Promise<number> {
  let longest = 0;
  while (!holds()) {
    const before = process.cpuUsage();
    await turn();
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
  }
  return longest;
}

function usedMb(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

describe('given a fleet of 1,000 machines that report 200 limits each', () => {
  it('when another one joins, and 200 leave at once, then no piece of work takes 50 ms, and memory grows by less than 150 MB', {
    ...NIGHTLY,
    timeout: 120_000,
  }, async () => {
    // The first machine of a process pays for the schemas.
    const first = joined(3);
    await first.link.use(new Map([['a', MARK]]));
    await eventually(() => first.limitedBy().has('build-0'));
    const [one, before] = [joined(1_000), usedMb()];
    void one.link.use(new Map([['a', MARK]]));
    const holdsAll = () => one.limitedBy().has('build-0') && one.limitedBy().size === 1;
    const pieces = [await longestPiece(() => holdsAll() && one.link.machines().length === 1_000)];
    const grownMb = usedMb() - before + one.textMb;
    const news = Array.from({ length: 200 }, (_, number) => ({
      ...{ channel: keyOfAccount('acme', MARK), position: { life: 'a', change: 1_001 + number } },
      held: reportOf(number, one.saidAt + 1, []),
    }));
    for (const each of news) one.say(each);
    pieces.push(await longestPiece(() => one.limitedBy().has('build-200') && one.limitedBy().size === 1));
    console.log(`1,000 machines: ${pieces.map(Math.round).join(' and ')} ms at most, ${Math.round(grownMb)} MB`);
    expect(Math.max(...pieces)).toBeLessThan(PIECE_MS);
    expect(grownMb).toBeLessThan(150);
  });
});
