import { createConnection } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ConnectOptions } from '../../src/node/socket/socket-client';
import { connectToApp } from '../../src/node/socket/socket-client';
import type { Listening, ServerOptions } from '../../src/node/socket/socket-server';
import { listenForPeers } from '../../src/node/socket/socket-server';
import { type AppMessage, type Hello, PROTOCOL_VERSION } from '../../src/protocol';
import { tempFolder } from './temp-folder';

export const TOKEN = 'A'.repeat(43);
export const WELCOME: AppMessage = { type: 'welcome', protocol: PROTOCOL_VERSION, app: '0.1.0', haveSeq: null };
export const VIEWER: Hello['peer'] = { role: 'viewer', name: 'test' };
export const HELLO: Hello = { type: 'hello', protocol: PROTOCOL_VERSION, token: TOKEN, peer: VIEWER };

type Open = Extract<Listening, { ok: true }>;

/** A real server in a folder of its own; welcomes every peer unless told otherwise. */
export async function openServer(options: Partial<ServerOptions> = {}): Promise<Open & { address: string }> {
  const address = options.address ?? join(await tempFolder(), 'core.sock');
  const onPeer: ServerOptions['onPeer'] = (peer) => {
    peer.onMessage(() => undefined);
    peer.send(WELCOME);
  };
  const server = await listenForPeers({ onPeer, token: TOKEN, ...options, address });
  if (!server.ok) throw new Error(server.message);
  onTestFinished(() => server.close());
  return { ...server, address };
}

/** Connects as a well-behaved viewer. */
export async function connect(address: string, options: Partial<ConnectOptions> = {}) {
  const readToken = async () => ({ ok: true, token: TOKEN }) as const;
  return await connectToApp({
    addressFor: () => address,
    readToken,
    hello: VIEWER,
    keepsProcessAlive: true,
    ...options,
  });
}

/** A bare connection that says what it is told: everything it was answered, when the server has closed it. */
export async function rawTalk(address: string, bytes: string | Uint8Array): Promise<string> {
  const socket = createConnection(address);
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  socket.on('error', () => undefined);
  // Not `once`: it fails with the socket's error, and a server that closes on unread bytes resets the connection.
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(bytes);
  await closed;
  return heard;
}

/** One message as a raw line. */
export const lineOf = (message: unknown) => `${JSON.stringify(message)}\n`;

/** A promise and the function that keeps it. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}
