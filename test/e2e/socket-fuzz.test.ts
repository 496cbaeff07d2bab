import { createConnection } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROTOCOL_VERSION } from '../../src/protocol';
import { connect, HELLO, lineOf, openServer, TOKEN } from '../node/socket-support';
import { runSeed } from '../support/runs';

const FRAMES = process.env.UNDERSTUDY_NIGHTLY === '1' ? 10_000 : 500;
const AT_ONCE = 8;
const MAX_GROWTH_BYTES = 32 * 1_048_576;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** What is held, without what nobody needs any more: that is as much as the collector has left for later. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Says its pieces one after another and waits until the server has closed it. @returns what it was answered. */
function say(address: string, pieces: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    socket.on('error', () => undefined).on('close', () => resolve(heard));
    for (const piece of pieces) socket.write(piece);
  });
}

const wrongToken = fc
  .string({ minLength: 0, maxLength: 60 })
  .filter((token) => token !== TOKEN)
  .map((token) => lineOf({ ...HELLO, token }));
const frame = fc.oneof(
  { weight: 3, arbitrary: wrongToken },
  {
    weight: 2,
    arbitrary: fc
      .integer({ min: PROTOCOL_VERSION + 1, max: 1_000_000 })
      .map((protocol) => lineOf({ ...HELLO, protocol })),
  },
  { weight: 2, arbitrary: fc.json().map((text) => `${text}\n`) },
  {
    weight: 2,
    arbitrary: fc
      .uint8Array({ minLength: 1, maxLength: 2_000 })
      .map((bytes) => Buffer.concat([bytes, Buffer.from('\n')])),
  },
  // A greeting said twice, a greeting with more than there is room for, and one that is cut in the middle.
  { weight: 1, arbitrary: fc.constant(lineOf(HELLO) + lineOf(HELLO)) },
  {
    weight: 1,
    arbitrary: fc.constant(
      lineOf(HELLO) +
        lineOf({ type: 'ask', id: '__proto__', name: 'constructor', input: {} }) +
        lineOf({ type: 'nonsense' }),
    ),
  },
  { weight: 1, arbitrary: fc.constant(`${lineOf(HELLO).slice(0, 20)}\n`) },
);
/** Now and then in pieces, as a slow or a strange network would bring it. */
const pieces = fc.tuple(frame, fc.integer({ min: 1, max: 5 })).map(([whole, count]) => {
  const bytes = Buffer.from(whole);
  const size = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size)).filter(
    (part) => part.length > 0,
  );
});

describe('given a core with one good peer, and strangers who send malformed frames', () => {
  it('when all have been said, then each stranger was closed, nobody learnt the token, the good one is served, and memory is flat', async () => {
    const { address, peerCount } = await openServer({ limits: { helloDeadlineMs: 500 } });
    const good = await connect(address);
    expect(good.ok).toBe(true);
    const talks = fc.sample(pieces, { numRuns: FRAMES, seed: runSeed });
    const before = heldBytes();
    let next = 0;
    let closed = 0;
    const leaks: string[] = [];
    const stranger = async (): Promise<void> => {
      for (let at = next++; at < talks.length; at = next++) {
        const heard = await say(address, talks[at] ?? []);
        closed++;
        if (heard.includes(TOKEN)) leaks.push(heard);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, stranger));
    expect([closed, leaks, peerCount()]).toEqual([FRAMES, [], 1]);
    expect(heldBytes() - before).toBeLessThan(MAX_GROWTH_BYTES);
    const oversize = await say(address, [lineOf(HELLO), Buffer.alloc(1_200_000, 97)]);
    expect(oversize).toContain('welcome');
    const late = await connect(address);
    expect([late.ok, peerCount()]).toEqual([true, 2]);
  });
});
