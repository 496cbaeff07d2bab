import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StrangeHello } from '../../../src/node/socket/hello';
import type { Peer, PeerEnd } from '../../../src/node/socket/peer';
import { listenForPeers } from '../../../src/node/socket/socket-server';
import { type Hello, PROTOCOL_VERSION } from '../../../src/protocol';
import { connect, deferred, HELLO, lineOf, openServer, rawTalk, TOKEN, VIEWER, WELCOME } from '../socket-support';
import { tempFolder } from '../temp-folder';

const refused = (code: string, message: string) => lineOf({ type: 'refused', code, message });
const leaseOf = (id: string) => ({ type: 'lease.request', id, model: 'a/b' }) as const;

/** Leaves a socket file behind as a killed process does: bound, and nobody listens. */
async function leaveStaleSocket(address: string): Promise<void> {
  const script = `require('node:net').createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
  expect((await lstat(address)).isSocket()).toBe(true);
}

describe('given an address to listen on', () => {
  it('when the folder is open to others, then it is closed to 0700 and the socket is 0600', async () => {
    const folder = join(await tempFolder(), 'home');
    await mkdir(folder, { mode: 0o755 });
    await chmod(folder, 0o755);
    const server = await openServer({ address: join(folder, 'core.sock') });
    const modes = [(await stat(folder)).mode & 0o777, (await stat(server.address)).mode & 0o777];
    expect(modes).toEqual([0o700, 0o600]);
  });

  it('when a dead socket lies there, then it is replaced', async () => {
    const address = join(await tempFolder(), 'core.sock');
    await leaveStaleSocket(address);
    await openServer({ address });
    expect((await connect(address)).ok).toBe(true);
  });

  it('when another core answers there, then it is taken and that core goes on', async () => {
    const { address } = await openServer();
    const second = await listenForPeers({ address, token: TOKEN, onPeer: () => undefined });
    expect(second).toMatchObject({ ok: false, reason: 'taken' });
    expect((await connect(address)).ok).toBe(true);
  });

  it.skipIf(process.platform === 'win32')(
    'when a socket lies there that is closed to its own owner, then it is opened: a core that answers is left alone, a dead one goes',
    async () => {
      const { address } = await openServer();
      await chmod(address, 0);
      expect(await listenForPeers({ address, token: TOKEN, onPeer: () => undefined })).toMatchObject({
        reason: 'taken',
      });
      expect([(await stat(address)).mode & 0o777, (await connect(address)).ok]).toEqual([0o600, true]);
      const dead = join(await tempFolder(), 'core.sock');
      await leaveStaleSocket(dead);
      await chmod(dead, 0);
      await openServer({ address: dead });
      expect((await connect(dead)).ok).toBe(true);
    },
  );

  it('when a symbolic link lies there, then it is refused and what it points to is left alone', async () => {
    const folder = await tempFolder();
    const address = join(folder, 'core.sock');
    await writeFile(join(folder, 'diary'), 'mine');
    await symlink(join(folder, 'diary'), address);
    const result = await listenForPeers({ address, token: TOKEN, onPeer: () => undefined });
    expect(result).toEqual({
      ok: false,
      reason: 'unsafe',
      message: `${address} is a symbolic link. Move it away, then start Understudy again.`,
    });
    expect(await readFile(join(folder, 'diary'), 'utf8')).toBe('mine');
  });

  it('when a plain file lies there, then it is refused and kept', async () => {
    const address = join(await tempFolder(), 'core.sock');
    await writeFile(address, 'notes');
    const result = await listenForPeers({ address, token: TOKEN, onPeer: () => undefined });
    expect(result).toEqual({
      ok: false,
      reason: 'unsafe',
      message: `${address} is not a socket. Move it away, then start Understudy again.`,
    });
    expect(await readFile(address, 'utf8')).toBe('notes');
  });

  it('when 6 cores race for a dead socket, then exactly one has it and answers', async () => {
    const address = join(await tempFolder(), 'core.sock');
    await leaveStaleSocket(address);
    const onPeer = (peer: Peer) => void peer.send(WELCOME);
    const results = await Promise.all(
      Array.from({ length: 6 }, () => listenForPeers({ address, token: TOKEN, onPeer })),
    );
    for (const result of results) if (result.ok) onTestFinished(() => result.close());
    const words = results.map((result) => (result.ok ? 'open' : result.reason)).sort();
    expect(words).toEqual(['open', 'taken', 'taken', 'taken', 'taken', 'taken']);
    expect((await connect(address)).ok).toBe(true);
  });

  it('when it closes, then the socket and the claim are gone and peers hear the end', async () => {
    const server = await openServer();
    const result = await connect(server.address);
    const ended = deferred<string>();
    if (!result.ok) throw new Error(result.message);
    result.link.onClose((end) => ended.resolve(end.code));
    result.link.onMessage(() => undefined);
    await server.close();
    expect(await ended.promise).toBe('closed_there');
    await expect(lstat(server.address)).rejects.toThrow('ENOENT');
    await expect(lstat(`${server.address}.claim`)).rejects.toThrow('ENOENT');
  });
});

const NEWER = PROTOCOL_VERSION + 1;

describe('given a peer that says hello', () => {
  it('when token and protocol are right, then the core meets it without its token', async () => {
    const met = deferred<Peer>();
    const { address } = await openServer({
      onPeer: (peer) => {
        peer.send(WELCOME);
        met.resolve(peer);
      },
    });
    await connect(address);
    expect((await met.promise).hello).toEqual({ type: 'hello', protocol: PROTOCOL_VERSION, peer: VIEWER });
  });

  it('when the token is wrong by its last letter, then it is refused and the core hears nothing', async () => {
    let peers = 0;
    const { address } = await openServer({ onPeer: () => (peers += 1) });
    const heard = await rawTalk(address, lineOf({ ...HELLO, token: `${'A'.repeat(42)}B` }));
    expect({ heard, peers }).toEqual({ heard: refused('auth', 'The token is wrong.'), peers: 0 });
  });

  it('when it speaks a newer protocol, then it is told and the core learns who it is', async () => {
    const strange: StrangeHello[] = [];
    const { address } = await openServer({ onIncompatible: (hello) => strange.push(hello) });
    const heard = await rawTalk(address, lineOf({ ...HELLO, protocol: NEWER }));
    expect(JSON.parse(heard)).toMatchObject({ type: 'refused', code: 'protocol' });
    expect(heard).toContain(`Understudy speaks protocol ${PROTOCOL_VERSION}, you speak ${NEWER}: you are newer.`);
    expect(strange).toEqual([{ protocol: NEWER, peer: VIEWER }]);
  });

  it('when it speaks protocol 9 in a shape we do not know, then it is still told', async () => {
    const strange: StrangeHello[] = [];
    const { address } = await openServer({ onIncompatible: (hello) => strange.push(hello) });
    const heard = await rawTalk(address, lineOf({ type: 'hello', protocol: 9, token: TOKEN, who: ['new'] }));
    expect(JSON.parse(heard)).toMatchObject({ code: 'protocol' });
    expect(strange).toEqual([{ protocol: 9, peer: null }]);
  });

  it('when it speaks protocol 2 with a wrong token, then it learns only that the token is wrong', async () => {
    const strange: StrangeHello[] = [];
    const { address } = await openServer({ onIncompatible: (hello) => strange.push(hello) });
    const heard = await rawTalk(address, lineOf({ ...HELLO, protocol: NEWER, token: 'B'.repeat(43) }));
    expect({ heard, strange }).toEqual({ heard: refused('auth', 'The token is wrong.'), strange: [] });
  });

  it('when it says nothing within the deadline, then it is closed without a word', async () => {
    const { address } = await openServer({ limits: { helloDeadlineMs: 30 } });
    expect(await rawTalk(address, '')).toBe('');
  });

  it('when it begins with a question instead, then it is refused', async () => {
    const { address } = await openServer();
    expect(await rawTalk(address, lineOf(leaseOf('1')))).toBe(refused('invalid', 'The first line must be a hello.'));
  });

  const companion = (n: number): Hello['peer'] => ({
    ...{ role: 'companion', instance: `i${n}`, epoch: `e${n}`, pid: n, opencode: '1.18.34', plugin: '0.1.0' },
  });
  const crowd = (address: string, many: number, hello: (n: number) => Hello['peer']) =>
    Promise.all(Array.from({ length: many }, (_, n) => connect(address, { hello: hello(n) })));
  const servedIn = (results: readonly Readonly<{ ok: boolean }>[]): number => results.filter(({ ok }) => ok).length;

  it('when 256 companions are there, then the 257th is refused, a viewer is not, and it may come when one has left', async () => {
    const server = await openServer();
    const results = await crowd(server.address, 256, companion);
    const late = await connect(server.address, { hello: companion(256) });
    expect([servedIn(results), late, (await connect(server.address)).ok]).toEqual([
      256,
      {
        ...{ ok: false, code: 'refused', refusal: 'busy' },
        message: 'Understudy already serves 256 OpenCode processes, which is its limit.',
      },
      true,
    ]);
    const [first] = results;
    if (first?.ok) first.link.close();
    await expect.poll(() => server.peerCount()).toBe(256);
    expect((await connect(server.address, { hello: companion(257) })).ok).toBe(true);
  });

  it('when 32 viewers are there, then the next is refused, a companion is not, and the last seat is free again after its time', async () => {
    const server = await openServer({ limits: { lastSeatMs: 300 } });
    const staying = await crowd(server.address, 31, () => VIEWER);
    const last = await connect(server.address);
    const late = await connect(server.address);
    expect([servedIn(staying), last.ok, late, (await connect(server.address, { hello: companion(1) })).ok]).toEqual([
      31,
      true,
      {
        ...{ ok: false, code: 'refused', refusal: 'busy' },
        message: 'Understudy already serves 32 panels and commands, which is its limit.',
      },
      true,
    ]);
    await expect.poll(() => server.peerCount()).toBe(32);
    expect((await connect(server.address)).ok).toBe(true);
  });
});

describe('given an accepted peer that misbehaves', () => {
  /** A server, a good peer beside the bad one, and how the bad one ended. */
  async function company(limits: Parameters<typeof openServer>[0] = {}) {
    const ends: PeerEnd[] = [];
    const heard: unknown[] = [];
    const { address } = await openServer({
      ...limits,
      onPeer: (peer) => {
        peer.onMessage((message) => heard.push(message));
        peer.onClose((end) => ends.push(end));
        peer.send(WELCOME);
      },
    });
    const good = await connect(address);
    if (!good.ok) throw new Error(good.message);
    return { address, ends, heard, good: good.link };
  }

  it('when it sends a malformed message, then only it is closed, with a reason', async () => {
    const { address, ends, heard, good } = await company();
    const answer = await rawTalk(address, `${lineOf(HELLO)}{"type":"nonsense"}\n${lineOf(leaseOf('late'))}`);
    expect(answer.split('\n')[1]).toContain('"code":"invalid"');
    await expect.poll(() => ends).toEqual(['invalid_message']);
    good.send(leaseOf('good'));
    await expect.poll(() => heard).toEqual([leaseOf('good')]);
  });

  it('when it says hello twice, then it is closed', async () => {
    const { address, ends } = await company();
    const answer = await rawTalk(address, lineOf(HELLO) + lineOf(HELLO));
    expect(answer).toBe(lineOf(WELCOME) + refused('invalid', 'a second hello'));
    await expect.poll(() => ends).toEqual(['invalid_message']);
  });

  it('when a line is longer than 1 MiB, then it is closed and earlier lines were heard', async () => {
    const { address, ends, heard } = await company();
    const answer = await rawTalk(address, `${lineOf(HELLO)}${lineOf(leaseOf('1'))}"${'x'.repeat(1_048_577)}`);
    expect(answer).toBe(lineOf(WELCOME) + refused('invalid', 'A line was longer than 1 MiB.'));
    await expect.poll(() => ({ ends, heard })).toEqual({ ends: ['line_too_long'], heard: [leaseOf('1')] });
  });

  it('when a line is never finished, then it is closed at the deadline', async () => {
    const { address, ends } = await company({ limits: { lineDeadlineMs: 40 } });
    const answer = await rawTalk(address, `${lineOf(HELLO)}{"type":`);
    expect(answer).toBe(lineOf(WELCOME) + refused('invalid', 'A line took too long to arrive.'));
    await expect.poll(() => ends).toEqual(['line_too_slow']);
  });

  it('when it sends a letter every few milliseconds, then each letter buys it no time', async () => {
    const { address, ends } = await company({ limits: { lineDeadlineMs: 60 } });
    const socket = createConnection(address).on('error', () => undefined);
    socket.resume().write(lineOf(HELLO));
    const drip = setInterval(() => socket.write('x'), 10);
    await once(socket, 'close');
    clearInterval(drip);
    await expect.poll(() => ends).toEqual(['line_too_slow']);
  });

  it('when it sends any bytes at all, then nothing but it is closed', async () => {
    const { address, heard, good } = await company({ limits: { lineDeadlineMs: 20, helloDeadlineMs: 20 } });
    const junk = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => Buffer.from(`${text}\n`)),
      fc.string().map((text) => Buffer.from(`{"type":"event","seq":${text}}\n`)),
    );
    const opening = fc.constantFrom('', lineOf(HELLO));
    await fc.assert(
      fc.asyncProperty(opening, junk, async (start, bytes) => {
        await rawTalk(address, Buffer.concat([Buffer.from(start), bytes, Buffer.from('\n{"half')]));
      }),
      { numRuns: 60 },
    );
    good.send(leaseOf('still here'));
    await expect.poll(() => heard.at(-1)).toEqual(leaseOf('still here'));
  });

  it('when it does not read 8 MiB, then it is dropped and others are served', async () => {
    const dropped = deferred<PeerEnd>();
    const { address } = await openServer({
      onPeer: (peer) => {
        peer.onMessage(() => undefined);
        peer.onClose(dropped.resolve);
        peer.send(WELCOME);
        if (peer.hello.peer.role === 'viewer' && peer.hello.peer.name === 'deaf') {
          const push = { type: 'push', name: 'snapshot', data: 'x'.repeat(1_000_000) } as const;
          const sent = Array.from({ length: 12 }, () => peer.send(push).ok);
          expect(sent.filter((ok) => ok).length).toBeGreaterThanOrEqual(8);
          expect(sent.at(-1)).toBe(false);
        }
      },
    });
    const socket = createConnection(address).on('error', () => undefined);
    socket.pause().write(lineOf({ ...HELLO, peer: { role: 'viewer', name: 'deaf' } }));
    expect(await dropped.promise).toBe('does_not_read');
    socket.destroy();
    expect((await connect(address)).ok).toBe(true);
  });

  it('when it sends 500 lines at a rate of 100 at once and 2,000 a second, then all arrive in order, and not at once', async () => {
    const { heard, good } = await company({ limits: { burstLines: 100, linesPerSecond: 2_000 } });
    const lines = Array.from({ length: 500 }, (_, index) => leaseOf(String(index)));
    const start = performance.now();
    for (const line of lines) good.send(line);
    await expect.poll(() => heard.length, { interval: 5 }).toBe(500);
    expect(heard).toEqual(lines);
    // 400 lines beyond the burst at 2,000 a second.
    expect(performance.now() - start).toBeGreaterThan(190);
  });

  it('when it leaves while its lines wait for the rate, then all are still heard before its end', async () => {
    const heard: string[] = [];
    const ended = deferred<number>();
    const { address } = await openServer({
      limits: { burstLines: 5, linesPerSecond: 50 },
      onPeer: (peer) => {
        peer.onMessage((message) => heard.push(message.type === 'lease.request' ? message.id : '?'));
        peer.onClose(() => ended.resolve(heard.length));
      },
    });
    const socket = createConnection(address).on('error', () => undefined);
    socket.end(lineOf(HELLO) + Array.from({ length: 20 }, (_, index) => lineOf(leaseOf(String(index)))).join(''));
    expect(await ended.promise).toBe(20);
  });
});

describe('given a listener of the core that throws', () => {
  it('when a message arrives, then that peer is closed, the fault is told and the core lives', async () => {
    const faults: unknown[] = [];
    const { address } = await openServer({
      onFault: (error) => faults.push(error),
      onPeer: (peer) => {
        peer.send(WELCOME);
        peer.onMessage(() => {
          throw new Error('a bug');
        });
      },
    });
    const heard = await rawTalk(address, lineOf(HELLO) + lineOf(leaseOf('1')));
    expect({ heard, faults }).toEqual({ heard: lineOf(WELCOME), faults: [new Error('a bug')] });
    expect((await connect(address)).ok).toBe(true);
  });
});
