import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureRedis } from '../../scripts/ensure-redis.mjs';
import type { ServerAddress } from '../../src/features/fleet/node/server';
import { findFreePort } from '../../src/node/opencode';
import { eventually } from './eventually';

/** The server for fleet tests, or the reason why there is none. */
export const redis: Readonly<{ path: string; version: string; libraries?: string }> | string =
  await ensureRedis().catch((error: Error) => error.message);
if (typeof redis === 'string') console.warn(`The tests of fleets are left out: ${redis}`);

export type Server = Readonly<{
  address: ServerAddress;
  /** Stops answering and keeps all connections. */
  freeze(): void;
  thaw(): void;
  /** Kills it; `start` begins again without data. */
  kill(): Promise<void>;
  start(): Promise<void>;
  command(...words: string[]): Promise<string>;
  close(): Promise<void>;
}>;

export async function openServer(...options: string[]): Promise<Server> {
  if (typeof redis === 'string') throw new Error(redis);
  const { path, libraries } = redis;
  const folder = await mkdtemp(join(tmpdir(), 'understudy-redis-'));
  const port = await findFreePort();
  const env = { ...process.env, ...(libraries ? { LD_LIBRARY_PATH: libraries } : {}) };
  let child: ChildProcess | null = null;
  const isTls = options.includes('--tls-cert-file');
  const address: ServerAddress = { host: '127.0.0.1', port, isTls };

  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const start = async (): Promise<void> => {
    const settings = [
      ...(isTls ? ['--port', '0', '--tls-port'] : ['--port']),
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ];
    child = spawn(path, [...settings, ...options], { env, stdio: 'ignore' });
    await eventually(() => canReach(port));
  };
  await start();
  return {
    address,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    kill,
    start,
    command: async (...words) => await said(port, words),
    async close() {
      child?.kill('SIGCONT');
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const canReach = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

async function said(port: number, words: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8');
  const text = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('');
  socket.write(`*${words.length}\r\n${text}`);
  const [answer] = (await once(socket, 'data')) as [string];
  socket.destroy();
  return answer;
}

export type Wire = Readonly<{
  address: ServerAddress;
  /** Blocks one direction without ending connections. */
  cut(direction: 'to' | 'from'): void;
  mend(): void;
  close(): Promise<void>;
}>;

/** @param ownHost address at which it listens. */
export async function openWire(
  { host, port, isTls }: Pick<ServerAddress, 'host' | 'port' | 'isTls'>,
  ownHost = '127.0.0.1',
): Promise<Wire> {
  const cuts = new Set<'to' | 'from'>();
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  const pass = (from: Socket, to: Socket, direction: 'to' | 'from'): void => {
    from.on('data', (bytes) => {
      const go = (): void => void to.write(bytes);
      if (cuts.has(direction)) held.push(go);
      else go();
    });
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
    sockets.add(from);
  };
  const server = createServer((near) => {
    const far = connect(port, host);
    pass(near, far, 'to');
    pass(far, near, 'from');
  });
  server.listen(0, ownHost);
  await once(server, 'listening');
  const own = server.address();
  if (own === null || typeof own === 'string') throw new Error('no port');
  return {
    address: { host: ownHost, port: own.port, isTls },
    cut: (direction) => void cuts.add(direction),
    mend() {
      cuts.clear();
      for (const go of held.splice(0)) go();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
