import { createConnection, type Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { socketAddress } from '../../../src/node/base/state-home';
import { readToken } from '../../../src/node/base/token';
import { readLog } from '../../../src/node/data/own-data';
import { PROTOCOL_VERSION } from '../../../src/protocol';
import { COMPANION, configured } from '../../core/virtual-core';
import { anyEvent } from '../../protocol/any-event';
import { isNightly } from '../../support/nightly';
import { runSeed } from '../../support/runs';
import { sayTurn, wireCompanion } from '../../support/wire-companion';
import { look, newHome, open } from '../core-support';
import { connect, lineOf, openServer, rawTalk } from '../socket-support';

const SILENT = 300;
const COMPANIONS = 100;
const TURNS = isNightly ? 5 : 1;
const FRAMES = isNightly ? 12_000 : 400;
const companionAt = (n: number) => ({ ...COMPANION, instance: `i${n}`, epoch: `e${n}`, pid: 100_000 + n });

describe(`given ${SILENT} peers that connect and send nothing`, () => {
  it('when a companion is connected, then it is served throughout, and each silent peer is closed at the deadline', async () => {
    const received: string[] = [];
    const { address, peerCount } = await openServer({
      limits: { helloDeadlineMs: 1_000 },
      onPeer: (peer) => {
        peer.onMessage((message) => received.push(message.type));
        peer.send({ type: 'welcome', protocol: PROTOCOL_VERSION, app: '0.1.0', haveSeq: null });
      },
    });
    const good = await connect(address);
    if (!good.ok) throw new Error(good.message);
    let open = SILENT;
    const silent = Array.from({ length: SILENT }, (): Socket => {
      const socket = createConnection(address).on('error', () => undefined);
      return socket.resume().on('close', () => open--);
    });
    // Each connection above the limit is closed at once.
    await expect.poll(() => open).toBe(288);
    good.link.send({ type: 'lease.request', id: '1', model: 'a/b' });
    await expect.poll(() => received).toEqual(['lease.request']);
    expect(open).toBe(288);
    await expect.poll(() => open).toBe(0);
    expect([(await connect(address)).ok, peerCount(), silent.length]).toEqual([true, 2, SILENT]);
  });
});

describe(`given ${COMPANIONS} companions on one app`, () => {
  it('when each reports its turns at once, then each event is acknowledged and in the log once', async () => {
    const place = await newHome();
    await open(place);
    const all = await Promise.all(
      Array.from({ length: COMPANIONS }, (_, n) => wireCompanion(place.home, companionAt(n))),
    );
    for (const [n, companion] of all.entries()) {
      companion.say(configured(`/home/u/project-${n}`));
      for (let turn = 0; turn < TURNS; turn++) sayTurn(companion, `t${n}-${turn}`, `s${n}`);
    }
    await Promise.all(all.map((companion) => companion.settled()));
    const sources = (await readLog(place.home)).flatMap(({ from }) => (from ? [JSON.stringify(from)] : []));
    expect([sources.length, new Set(sources).size]).toEqual([
      COMPANIONS * (1 + 3 * TURNS),
      COMPANIONS * (1 + 3 * TURNS),
    ]);
    for (const companion of all) companion.close();
  });
});

const NOISE = [
  '0',
  '9'.repeat(400),
  '-1',
  '1e999',
  'null',
  '[]',
  '{',
  '"',
  '\\',
  '\u0000',
  '\\ud800',
  '__proto__',
  '[['.repeat(5_000),
];
/** A line of a companion in which something was replaced, lost or doubled. */
const damagedLine = fc
  .tuple(anyEvent, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(40), fc.constantFrom('', ...NOISE), fc.boolean())
  .map(([event, share, length, noise, isDoubled]) => {
    const line = JSON.stringify({ type: 'event', seq: 1, ageMs: 0, sentAt: 1, event });
    const at = Math.floor(share * line.length);
    const lost = line.slice(at, at + length);
    return `${line.slice(0, at)}${isDoubled ? lost + lost : noise}${line.slice(at + length)}\n`;
  });

describe('given companions of which one sends sound events and the others damaged ones', () => {
  it(`when ${FRAMES} damaged lines are sent, then each sender is closed, the app goes on, and no sound event is lost`, async () => {
    const place = await newHome();
    const core = await open(place);
    const read = await readToken(place.home);
    if (!read.ok) throw new Error('no token');
    const address = socketAddress(place.home, read.token);
    const good = await wireCompanion(place.home, companionAt(0));
    good.say(configured('/home/u/sound'));
    const damaged = fc.sample(damagedLine, { numRuns: FRAMES, seed: runSeed });
    for (const [n, line] of damaged.entries()) {
      const peer = { role: 'companion', ...companionAt(n + 1) };
      const hello = lineOf({ type: 'hello', protocol: PROTOCOL_VERSION, token: read.token, peer });
      // A line that is sound after all keeps its sender connected: the next one does not.
      const answer = await rawTalk(address, `${hello}${line}${lineOf({ type: 'nonsense' })}`);
      expect(
        [answer.includes('"welcome"'), answer.includes('"code":"invalid"'), answer.includes(read.token)],
        line,
      ).toEqual([true, true, false]);
      if (n % 100 === 0) sayTurn(good, `t${n}`, 'sound');
    }
    await good.settled();
    const sources = (await readLog(place.home)).filter(({ from }) => from?.instance === 'i0');
    expect(sources).toHaveLength(1 + 3 * Math.ceil(FRAMES / 100));
    expect((await look(core)).instances.map(({ instance }) => instance)).toContain('i0');
    good.close();
  });
});
