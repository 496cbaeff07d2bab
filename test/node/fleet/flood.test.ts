import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { joinFleet } from '../../../src/features/fleet/node/link';
import { sealed } from '../../../src/features/fleet/node/seal';
import { keyOfAccount, type News, type ServerConnection } from '../../../src/features/fleet/node/server';
import { fleetText } from '../../../src/protocol';
import { World } from '../../engine/world';
import { MARK, SECRET } from './member';
import { serverDouble } from './server-double';

afterEach(() => void vi.useRealTimers());

/** A machine whose server says what the test has it say; `reads` counts how often an account was read. */
async function connected(changes: Partial<ServerConnection> = {}) {
  vi.useFakeTimers();
  let reads = 0;
  const { server, say } = serverDouble({
    async read() {
      reads++;
      return { position: { life: 'a', change: 1 }, held: [], isFlooded: false };
    },
    ...changes,
  });
  const world = new World();
  const link = joinFleet(
    {
      ...{ team: 'acme', secret: SECRET, id: '0123456789abcdef', name: 'build-7', version: '1.2.3' },
      ...{ address: { host: '127.0.0.1', port: 1, isTls: false }, ignored: [], share: ['health'] },
    },
    {
      ...{ state: () => world.state, now: () => world.now, tell: (event) => world.tell(event), random: () => 0.5 },
      connect: async () => ({ ok: true, value: server }),
    },
  );
  onTestFinished(link.close);
  await link.use(new Map([['a', MARK]]));
  await vi.advanceTimersByTimeAsync(1);
  const before = reads;
  return { link, say, reads: () => reads - before };
}

const held = { machine: 'f'.repeat(16), until: 2_000, saidAt: 1_000, words: 'not sealed' };
const newsOf = (life: string, change: number): News => ({
  channel: keyOfAccount('acme', MARK),
  position: { life, change },
  held,
});

describe('given somebody who may speak on the server, and has no secret', () => {
  it('when they say ten thousand words of ever other lives, then the account is read at once, and twenty times a second at most', async () => {
    const { say, reads } = await connected();
    for (let number = 0; number < 10_000; number++) say(newsOf(`life${number}`, 5));
    await vi.advanceTimersByTimeAsync(0);
    expect(reads()).toBe(1);
    for (let number = 0; number < 10_000; number++) say(newsOf(`other${number}`, 5));
    await vi.advanceTimersByTimeAsync(49);
    expect(reads()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(reads()).toBe(2);
  });

  it('when one word was missed, then it is asked for at once, also a while later', async () => {
    const { say, reads } = await connected();
    for (const expected of [1, 2]) {
      say(newsOf('a', 9));
      await vi.advanceTimersByTimeAsync(0);
      expect(reads()).toBe(expected);
      await vi.advanceTimersByTimeAsync(1_000);
    }
  });
});

describe('given a machine that has slept for an hour, and whose own clock has not gone on', () => {
  it('when a word reaches it before it has asked the server for the time, then that counts as soon as it has', async () => {
    let serverMs = 1_000;
    const saidAt = 3_601_000;
    const place = { account: MARK, machine: held.machine, saidAt, until: saidAt + 1_000_000 };
    const text = fleetText({ machine: 'build-8', version: null, words: [], windows: [], spent: [] });
    const word = { ...place, words: sealed(SECRET, place, text) };
    let changes = 1;
    const { link, say } = await connected({
      time: async () => ({ serverMs, tookMs: 0 }),
      read: async (_, { change }) => ({
        position: { life: 'a', change: changes },
        held: change < changes ? [word] : [],
        isFlooded: false,
      }),
    });
    changes = 2;
    serverMs = saidAt;
    say({ channel: keyOfAccount('acme', MARK), position: { life: 'a', change: 2 }, held: word });
    expect(link.machines()).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_500);
    expect(link.machines()).toMatchObject([{ name: 'build-8' }]);
  });
});
