import { spawn } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { build } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AppLink, AppTalk, LinkEnd } from '../../../src/node/socket/app-link';
import type { KeepConnectedOptions } from '../../../src/node/socket/keep-connected';
import { keepConnected } from '../../../src/node/socket/keep-connected';
import type { Peer, PeerTalk } from '../../../src/node/socket/peer';
import { connect, deferred, lineOf, openServer, TOKEN, VIEWER, WELCOME } from '../socket-support';
import { tempFolder } from '../temp-folder';

const PUSH = (data: unknown) => ({ type: 'push', name: 'snapshot', data }) as const;

/** A server that says exactly these bytes to whoever connects. */
async function sayingServer(bytes: string): Promise<string> {
  const address = join(await tempFolder(), 'core.sock');
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined).resume());
    socket.write(bytes);
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return address;
}

async function openLink(address: string, options = {}): Promise<AppLink> {
  const result = await connect(address, options);
  if (!result.ok) throw new Error(result.message);
  return result.link;
}

describe('given an app that listens', () => {
  it('when a companion connects, then it is welcomed and both hear each other', async () => {
    const heard = deferred<PeerTalk>();
    const { address } = await openServer({
      onPeer: (peer) => {
        peer.onMessage((message) => {
          heard.resolve(message);
          peer.send({ type: 'lease.answer', id: '7', granted: true });
        });
        peer.send({ ...WELCOME, haveSeq: 41 } as typeof WELCOME);
      },
    });
    const link = await openLink(address);
    const answer = deferred<AppTalk>();
    link.onMessage(answer.resolve);
    link.send({ type: 'lease.request', id: '7', model: 'a/b' });
    expect(await heard.promise).toEqual({ type: 'lease.request', id: '7', model: 'a/b' });
    expect([link.welcome.haveSeq, await answer.promise]).toEqual([
      41,
      { type: 'lease.answer', id: '7', granted: true },
    ]);
  });

  it('when messages follow the welcome at once and the listener comes later, then none is lost', async () => {
    const { address } = await openServer({
      onPeer: (peer) => {
        peer.send(WELCOME);
        for (let index = 0; index < 300; index += 1) peer.send(PUSH(index));
      },
    });
    const link = await openLink(address);
    await new Promise((resolve) => setImmediate(resolve));
    const heard: unknown[] = [];
    link.onMessage((message) => heard.push(message.type === 'push' ? message.data : message));
    await expect.poll(() => heard).toEqual(Array.from({ length: 300 }, (_, index) => index));
  });

  it('when a message is over 1 MiB, then it is refused as a value and the link lives', async () => {
    const { address } = await openServer();
    const link = await openLink(address);
    const sent = link.send({ type: 'ask', id: '1', name: 'big', input: 'x'.repeat(1_048_576) });
    expect(sent.ok).toBe(false);
    expect(link.send({ type: 'lease.request', id: '1', model: 'a/b' })).toEqual({ ok: true });
  });

  it('when it refuses the token, then that is a value with its words', async () => {
    const { address } = await openServer({ token: 'C'.repeat(43) });
    expect(await connect(address)).toEqual({
      ok: false,
      code: 'refused',
      refusal: 'auth',
      message: 'The token is wrong.',
    });
  });

  it('when it refuses in the middle of a talk, then the end carries its words', async () => {
    const { address } = await openServer({
      onPeer: (peer) => {
        peer.send(WELCOME);
        peer.onMessage(() => peer.close({ code: 'invalid', message: 'That was wrong.' }));
      },
    });
    const link = await openLink(address);
    const ended = deferred<LinkEnd>();
    link.onMessage(() => undefined);
    link.onClose(ended.resolve);
    link.send({ type: 'lease.request', id: '1', model: 'a/b' });
    expect(await ended.promise).toEqual({ code: 'refused', message: 'That was wrong.' });
    expect(link.send({ type: 'lease.request', id: '2', model: 'a/b' })).toEqual({
      ok: false,
      code: 'gone',
      reason: 'closed',
    });
  });

  it('when a listener of the host throws, then the link ends, the fault is told and nothing escapes', async () => {
    const faults: unknown[] = [];
    const { address } = await openServer({
      onPeer: (peer) => {
        peer.onMessage(() => undefined);
        peer.send(WELCOME);
        peer.send(PUSH(1));
      },
    });
    const link = await openLink(address, { onFault: (error: unknown) => faults.push(error) });
    const ended = deferred<LinkEnd>();
    link.onClose(ended.resolve);
    link.onMessage(() => {
      throw new Error('host bug');
    });
    expect([(await ended.promise).code, faults]).toEqual(['closed_here', [new Error('host bug')]]);
  });
});

describe('given something else than a good app', () => {
  it('when nothing is there, then it is absent', async () => {
    const address = join(await tempFolder(), 'core.sock');
    expect(await connect(address)).toMatchObject({ ok: false, code: 'absent' });
  });

  it('when there is no token yet, then it is absent', async () => {
    const { address } = await openServer();
    const readToken = async () => ({ ok: false, reason: 'no token' }) as const;
    expect(await connect(address, { readToken })).toMatchObject({ ok: false, code: 'absent', message: 'no token' });
  });

  it('when others may write to its folder, then no token is shown to it', async () => {
    const { address } = await openServer();
    await chmod(join(address, '..'), 0o777);
    expect(await connect(address)).toMatchObject({ ok: false, code: 'unsafe' });
  });

  it('when a symbolic link stands in its place, then no token is shown to it', async () => {
    const { address } = await openServer();
    const folder = join(await tempFolder(), 'mine');
    await mkdir(folder, { mode: 0o700 });
    await symlink(address, join(folder, 'core.sock'));
    expect(await connect(join(folder, 'core.sock'))).toMatchObject({ ok: false, code: 'unsafe' });
  });

  it('when it never answers, then the wait ends at the deadline', async () => {
    const address = await sayingServer('');
    expect(await connect(address, { welcomeDeadlineMs: 30 })).toMatchObject({ ok: false, code: 'silent' });
  });

  it('when it says nonsense instead of a welcome, then that is a value', async () => {
    const address = await sayingServer('HTTP/1.1 400 Bad Request\n');
    expect(await connect(address)).toMatchObject({
      ok: false,
      code: 'failed',
      message: 'The app did not begin with a welcome.',
    });
  });

  it('when a message after the welcome is unknown, then the link ends with a reason', async () => {
    const link = await openLink(await sayingServer(lineOf(WELCOME) + lineOf({ type: 'novelty' })));
    const ended = deferred<LinkEnd>();
    link.onClose(ended.resolve);
    link.onMessage(() => undefined);
    expect((await ended.promise).code).toBe('invalid_message');
  });
});

describe('given a connection to keep', () => {
  const keep = (address: string, options: Partial<KeepConnectedOptions> & Pick<KeepConnectedOptions, 'onLink'>) => {
    const readToken = async () => ({ ok: true, token: TOKEN }) as const;
    const backoff = { baseMs: 10, capMs: 40 };
    const kept = keepConnected({
      addressFor: () => address,
      readToken,
      hello: VIEWER,
      keepsProcessAlive: true,
      backoff,
      ...options,
    });
    onTestFinished(() => kept.stop());
    return kept;
  };

  it('when the app comes, goes and comes again, then there is a new link each time', async () => {
    const address = join(await tempFolder(), 'core.sock');
    const links: AppLink[] = [];
    const kept = keep(address, {
      onLink: (link) => {
        links.push(link);
        link.onMessage(() => undefined);
      },
    });
    const first = await openServer({ address });
    await expect.poll(() => links.length).toBe(1);
    await first.close();
    await expect.poll(() => kept.link()).toBeNull();
    await openServer({ address });
    await expect.poll(() => links.length).toBe(2);
    expect(kept.link()).toBe(links[1]);
  });

  it('when the app replaces its token, then the next attempt reads the new one', async () => {
    let token = 'D'.repeat(43);
    const refusals: unknown[] = [];
    const { address } = await openServer();
    const linked = deferred<AppLink>();
    keep(address, {
      readToken: async () => ({ ok: true, token }),
      onFailure: (failure) => {
        refusals.push(failure.refusal);
        token = TOKEN;
      },
      onLink: linked.resolve,
    });
    await linked.promise;
    expect(refusals).toEqual(['auth']);
  });

  it('when it is stopped, then the link ends and no other follows', async () => {
    const peers: Peer[] = [];
    const server = await openServer({
      onPeer: (peer) => {
        peers.push(peer);
        peer.onMessage(() => undefined);
        peer.send(WELCOME);
      },
    });
    const linked = deferred<AppLink>();
    const kept = keep(server.address, { onLink: linked.resolve });
    await linked.promise;
    kept.stop();
    await expect.poll(() => server.peerCount()).toBe(0);
    expect([peers.length, kept.link()]).toEqual([1, null]);
  });

  it('when the process has nothing else to do, then neither waiting nor an open link keeps it alive', async () => {
    const folder = await tempFolder();
    const entry = join(folder, 'idle.mjs');
    await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: 'src/node/socket/keep-connected.ts',
        outDir: folder,
        emptyOutDir: false,
        rollupOptions: { output: { entryFileNames: 'keep-connected.mjs' } },
      },
      ssr: { noExternal: true },
    });
    const { address } = await openServer();
    const program = `
      import { keepConnected } from './keep-connected.mjs';
      const readToken = async () => ({ ok: true, token: '${TOKEN}' });
      const options = { readToken, hello: { role: 'viewer', name: 'idle' }, onLink: (link) => link.onMessage(() => undefined) };
      keepConnected({ ...options, addressFor: () => ${JSON.stringify(join(folder, 'absent.sock'))} });
      const kept = keepConnected({ ...options, addressFor: () => ${JSON.stringify(address)}, onLink: (link) => { options.onLink(link); console.log('linked'); } });
      const wait = setInterval(() => { if (kept.link()) clearInterval(wait); }, 5);
    `;
    await writeFile(entry, program);
    const child = await runChild(entry);
    expect(child).toEqual({ code: 0, signal: null, output: 'linked\n' });
  });
});

/** Runs a program while our own server goes on serving. */
async function runChild(entry: string) {
  const child = spawn(process.execPath, [entry], { timeout: 5_000 });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output += String(chunk);
  });
  return await new Promise<{ code: number | null; signal: string | null; output: string }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, output }));
  });
}
