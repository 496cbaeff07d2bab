import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { AppMessage } from '../../protocol';
import { HELLO_DEADLINE_MS, VIEWER_LINE_BYTES } from '../../protocol';
import { chmod } from '../base/disk';
import { failureCode, failureText } from '../base/failure';
import { isPipe } from '../base/state-home';
import type { PeerHello, StrangeHello } from './hello';
import { judgeHello } from './hello';
import type { ChannelEnd, ChannelLimits } from './line-channel';
import { DEFAULT_CHANNEL_LIMITS, LineChannel } from './line-channel';
import type { Peer } from './peer';
import { createPeer } from './peer';
import { claimAddress } from './socket-claim';

export type ServerLimits = ChannelLimits &
  Readonly<{
    maxCompanions: number;
    /** Many OpenCodes must never lock out a person. */
    maxViewers: number;
    /** Frees the last viewer's place, so that a command always gets its answer. */
    lastSeatMs: number;
    helloDeadlineMs: number;
  }>;

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  ...DEFAULT_CHANNEL_LIMITS,
  maxCompanions: 256,
  maxViewers: 32,
  lastSeatMs: 10_000,
  helloDeadlineMs: HELLO_DEADLINE_MS,
};

export type ServerOptions = Readonly<{
  address: string;
  token: string;
  /** Send the peer a `welcome`. */
  onPeer: (peer: Peer) => void;
  onIncompatible?: (hello: StrangeHello) => void;
  onFault?: (error: unknown) => void;
  limits?: Partial<ServerLimits>;
}>;

export type Listening =
  | Readonly<{
      ok: true;
      peerCount: () => number;
      close: () => Promise<void>;
    }>
  | Readonly<{
      ok: false;
      /** `unsafe`: something else is at the address. */
      reason: 'taken' | 'unsafe' | 'failed';
      message: string;
    }>;

type Role = PeerHello['peer']['role'];
type Room = ServerOptions &
  Readonly<{ limit: ServerLimits; accepted: Map<LineChannel, Role>; waiting: Set<LineChannel> }>;

export async function listenForPeers(options: ServerOptions): Promise<Listening> {
  const claim = await claimAddress(options.address);
  if (!claim.ok) return claim;
  const limit = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const room: Room = { ...options, limit, accepted: new Map(), waiting: new Set() };
  const server = createServer((socket) => receive(socket, room));
  try {
    await startListening(server, options.address);
    // Accepting can fail without free file descriptors; the socket keeps working.
    server.on('error', (error) => options.onFault?.(error));
    return { ok: true, peerCount: () => room.accepted.size, close: () => closeAll(server, room) };
  } catch (error) {
    server.close();
    const reason = failureCode(error) === 'EADDRINUSE' ? 'taken' : 'failed';
    return { ok: false, reason, message: failureText(error) };
  } finally {
    await claim.release();
  }
}

async function startListening(server: Server, address: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
  if (!isPipe(address)) await chmod(address, 0o600);
}

async function closeAll(server: Server, room: Room): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const channel of [...room.waiting, ...room.accepted.keys()]) channel.end();
  await closed;
}

function receive(socket: Socket, room: Room): void {
  // Only this user can connect: so many silent connections are an error.
  if (room.waiting.size >= room.limit.maxCompanions + room.limit.maxViewers) {
    socket.on('error', () => undefined); // silent: it is closed below
    socket.destroy();
    return;
  }
  const ends = new Set<(end: ChannelEnd) => void>();
  let lastSeat: NodeJS.Timeout | undefined;
  const channel = new LineChannel(socket, {
    limits: room.limit,
    lastWords: (end) => farewell(end),
    onEnd: (end) => {
      clearTimeout(deadline);
      clearTimeout(lastSeat);
      room.waiting.delete(channel);
      room.accepted.delete(channel);
      for (const listener of ends) guard(room, () => listener(end));
    },
  });
  const deadline = setTimeout(() => channel.end(), room.limit.helloDeadlineMs).unref();
  room.waiting.add(channel);
  channel.setLineListener((line) => {
    clearTimeout(deadline);
    room.waiting.delete(channel);
    const verdict = judgeHello(line, room.token);
    if (verdict.kind === 'refused') return channel.end(verdict.message);
    if (verdict.kind === 'incompatible') {
      channel.end(verdict.message);
      return guard(room, () => room.onIncompatible?.(verdict.hello));
    }
    const { role } = verdict.hello.peer;
    const { lastSeatMs, maxCompanions, maxViewers } = room.limit;
    const most = role === 'companion' ? maxCompanions : maxViewers;
    const there = [...room.accepted.values()].filter((other) => other === role).length;
    const busy = refusal('busy', BUSY_TEXT(most, role));
    if (there >= most) return channel.end(busy);
    if (role === 'viewer' && there === most - 1) lastSeat = setTimeout(() => channel.end(busy), lastSeatMs).unref();
    accept(channel, { hello: verdict.hello, ends, room });
  });
}

function accept(
  channel: LineChannel,
  about: { hello: PeerHello; ends: Set<(end: ChannelEnd) => void>; room: Room },
): void {
  const { room } = about;
  const { peer: who } = about.hello;
  if (who.role === 'viewer' && who.lineBytes !== undefined)
    channel.sendUpTo(Math.min(who.lineBytes, VIEWER_LINE_BYTES));
  room.accepted.set(channel, about.hello.peer.role);
  const peer = createPeer(channel, { ...about, guard: (action) => guard(room, action, channel) });
  guard(room, () => room.onPeer(peer), channel);
}

/** Costs one connection, never the core. */
function guard(room: Room, action: () => void, channel?: LineChannel): void {
  try {
    action();
  } catch (error) {
    channel?.end();
    room.onFault?.(error);
  }
}

function farewell(end: ChannelEnd): AppMessage {
  const message = end === 'line_too_long' ? 'A line was longer than 1 MiB.' : 'A line took too long to arrive.';
  return refusal('invalid', message);
}

function refusal(code: 'busy' | 'invalid', message: string): AppMessage {
  return { type: 'refused', code, message };
}

const BUSY_TEXT = (most: number, role: Role) =>
  `Understudy already serves ${most} ${role === 'companion' ? 'OpenCode processes' : 'panels and commands'}, which is its limit.`;
