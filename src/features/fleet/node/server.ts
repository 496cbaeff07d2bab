import { createConnection, isIP, type Socket } from 'node:net';
import type { Redis, RedisOptions } from 'iovalkey';
import { listen } from '../../../core/base/listen';
import { AHEAD_MAX_MS } from '../../../engine/tools';
import { failureCode, failureText } from '../../../node/base/failure';
import { WORDS_MAX_BYTES } from '../../../protocol';
import { MACHINE_ID, type ServerTrouble } from '../contract/fleet-values';
import { CheckedSocket } from './checked-socket';
import { ReplyCheck, ReplyFault } from './reply-check';
import { LEASE, PUT, READ, RELEASE } from './scripts';

export type ServerAddress = Readonly<{
  host: string;
  port: number;
  isTls: boolean;
  /** PEM certificates that replace the trusted authorities. */
  ca?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
}>;

export type Trouble = Readonly<{ trouble: ServerTrouble; reason: string }>;

/** `words` is sealed and unverified. */
export type HeldWords = Readonly<{ machine: string; until: number; saidAt: number; words: string }>;

/** `life` changes when the server loses its data. */
export type Position = Readonly<{ life: string; change: number }>;

export type News = Readonly<{ channel: string; position: Position; held: HeldWords }>;

/** `isFlooded`: too many reports, none is read. */
export type Heard = Readonly<{ position: Position; held: readonly HeldWords[]; isFlooded: boolean }>;

export type ServerConnection = Readonly<{
  time(): Promise<Readonly<{ serverMs: number; tookMs: number }>>;
  /** Writes and publishes, unless a newer report exists. */
  put(key: string, report: HeldWords): Promise<Position>;
  /** Returns all reports if the server lost its data. */
  read(key: string, since: Position): Promise<Heard>;
  lease(key: string, machine: string, forMs: number): Promise<boolean>;
  release(key: string, machine: string): Promise<void>;
  follow(keys: readonly string[]): Promise<void>;
  onNews(listener: (news: News) => void): () => void;
  onClose(listener: (why: Trouble) => void): void;
  close(): void;
}>;

export type ServerOutcome<T> = Readonly<{ ok: true; value: T }> | (Readonly<{ ok: false }> & Trouble);

const CONNECT_LIMIT_MS = 5_000;
const DISCONNECT_LIMIT_MS = 2_000;
const ANSWER_LIMIT_MS = 2_000;
const MACHINES_MAX = 1_000;

/** The part in braces determines the place in a cluster. */
export const keyOfAccount = (team: string, mark: string): string => `understudy:${team}:{${mark}}`;

export const NOTHING_HEARD: Position = { life: '', change: 0 };

/** Never rejects. Does not keep the process alive. */
export async function connectToServer(address: ServerAddress): Promise<ServerOutcome<ServerConnection>> {
  // Loaded only when needed.
  const loading = Promise.all([import('iovalkey'), address.isTls ? import('node:tls') : null]);
  const loaded = await loading.catch((error: unknown) => error);
  if (!Array.isArray(loaded)) return { ok: false, ...troubleOf(loaded) };
  const [library, tls] = loaded as Awaited<typeof loading>;
  const both = [clientFor(address, library, tls), clientFor(address, library, tls)] as const;
  const [asking, hearing] = both;
  try {
    await Promise.all(both.map(({ client }) => greet(client, address)));
    return { ok: true, value: connectionOf(asking, hearing) };
  } catch (error) {
    for (const { client } of both) client.disconnect();
    return { ok: false, ...troubleOf(asking.fault() ?? hearing.fault() ?? error) };
  }
}

type Library = typeof import('iovalkey');

type Checked = Readonly<{ client: Redis; check: ReplyCheck; fault(): ReplyFault | null }>;

function clientFor(
  { host, port, ca }: ServerAddress,
  library: Library,
  tls: typeof import('node:tls') | null,
): Checked {
  const secured = {
    ...(ca === undefined ? {} : { ca }),
    // Server names must not be addresses.
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
  const open = (): Socket => tls?.connect({ host, port, ...secured }) ?? createConnection({ host, port });
  const check = new ReplyCheck(REPLY_LIMITS);
  const options: RedisOptions = {
    host,
    port,
    Connector: connectorBy(library, open, { check, event: tls ? 'secureConnect' : 'connect' }),
    // The link reconnects, not the library.
    retryStrategy: () => null,
    lazyConnect: true,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    commandTimeout: ANSWER_LIMIT_MS,
    scripts: {
      fleetPut: { lua: PUT, numberOfKeys: 1 },
      fleetRead: { lua: READ, numberOfKeys: 1 },
      fleetLease: { lua: LEASE, numberOfKeys: 1 },
      fleetRelease: { lua: RELEASE, numberOfKeys: 1 },
    },
  };
  const client = new library.Redis(options);
  let fault: ReplyFault | null = null;
  // Without a listener the library writes to OpenCode's terminal.
  client.on('error', (error) => {
    if (error instanceof ReplyFault) fault ??= error;
  });
  return { client, check, fault: () => fault };
}

const connectorBy = (
  { AbstractConnector }: Library,
  open: () => Socket,
  { check, event }: Readonly<{ check: ReplyCheck; event: string }>,
) =>
  class extends AbstractConnector {
    constructor() {
      super(DISCONNECT_LIMIT_MS);
    }
    override async connect(): Promise<Socket> {
      const socket = open();
      const stream = new CheckedSocket(socket, check) as unknown as Socket;
      this.stream = stream;
      stream.on('error', (error) => {
        this.firstError ??= error;
      });
      await opened(socket, event);
      return stream;
    }
  };

/** @throws the socket's error, or after {@link CONNECT_LIMIT_MS}. */
async function opened(socket: Socket, event: string): Promise<void> {
  const late = () => socket.destroy(new Error('connect ETIMEDOUT'));
  socket.setTimeout(CONNECT_LIMIT_MS, late);
  await new Promise<void>((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Connection is closed.')));
  });
  socket.setTimeout(0);
  socket.off('timeout', late);
}

/** The library would write to the terminal about an unneeded password. */
async function greet(client: Redis, { username, password }: ServerAddress): Promise<void> {
  let why: unknown;
  client.on('error', (error) => {
    why ??= error;
  });
  await client.connect().catch((error: unknown) => {
    throw why ?? error;
  });
  (client as unknown as { stream?: { unref?(): void } }).stream?.unref?.();
  if (password === undefined) return;
  const words = username === undefined ? [password] : [username, password];
  await client.call('AUTH', ...words).catch((error: unknown) => {
    if (!/without any password configured|no password is set/i.test(failureText(error))) throw error;
  });
}

type Scripts = Readonly<
  Record<'fleetPut' | 'fleetRead' | 'fleetLease' | 'fleetRelease', (...words: (string | number)[]) => Promise<unknown>>
>;

function connectionOf(one: Checked, other: Checked): ServerConnection {
  const [asking, hearing] = [one.client, other.client];
  const scripts = asking as unknown as Scripts;
  const fault = (): ReplyFault | null => one.fault() ?? other.fault();
  /** The library's error for a closed connection is not the cause. */
  const checked = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw fault() ?? error;
    }
  };
  const newsListeners = new Set<(news: News) => void>();
  const closeListeners = new Set<(why: Trouble) => void>();
  let followed: readonly string[] = [];
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    asking.disconnect();
    hearing.disconnect();
    for (const listener of closeListeners) listener(closedBy(fault()));
  };
  asking.on('close', end);
  hearing.on('close', end);
  hearing.on('message', (channel: string, message: string) => {
    const news = newsIn(channel, message);
    if (news) for (const listener of newsListeners) listener(news);
  });
  return {
    async time() {
      const before = performance.now();
      const [seconds, micros] = (await checked(asking.call('TIME'))) as [string, string];
      return {
        serverMs: Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000),
        tookMs: performance.now() - before,
      };
    },
    async put(key, { machine, saidAt, until, words }) {
      const [, life, change] = replyOf(
        await checked(scripts.fleetPut(key, key, machine, saidAt, until, words, MACHINES_MAX, AHEAD_MAX_MS)),
      );
      return { life: String(life), change: Number(change) };
    },
    async read(key, { life, change }) {
      const reply = replyOf(await checked(scripts.fleetRead(key, life, change, MACHINES_MAX, SEALED_MAX_BYTES)));
      const [, nowLife, nowChange, ...all] = reply;
      const held = all.flatMap((machine, at) =>
        at % 2 === 0 ? (heldIn(String(machine), String(all[at + 1])) ?? []) : [],
      );
      const isFlooded = Number(nowChange) < 0;
      const position = isFlooded ? { life, change } : { life: String(nowLife), change: Number(nowChange) };
      return { position, held, isFlooded };
    },
    lease: async (key, machine, forMs) => Number(await checked(scripts.fleetLease(key, machine, forMs))) > 0,
    release: async (key, machine) => void (await checked(scripts.fleetRelease(key, machine))),
    async follow(keys) {
      const [fresh, gone] = [
        keys.filter((key) => !followed.includes(key)),
        followed.filter((key) => !keys.includes(key)),
      ];
      followed = keys;
      other.check.subscribed();
      if (gone.length > 0) await checked(hearing.unsubscribe(...gone));
      if (fresh.length > 0) await checked(hearing.subscribe(...fresh));
    },
    onNews: (listener) => listen(newsListeners, listener),
    onClose: (listener) => {
      if (isOver) listener(closedBy(fault()));
      else closeListeners.add(listener);
    },
    close: end,
  };
}

const SEALED_MAX_BYTES = WORDS_MAX_BYTES + 200;

const REPLY_LIMITS = {
  elements: 2 * MACHINES_MAX + 16,
  bytes: MACHINES_MAX * (SEALED_MAX_BYTES + 200),
  textBytes: SEALED_MAX_BYTES + 200,
};

const closedBy = (fault: ReplyFault | null): Trouble =>
  fault === null ? { trouble: 'unreachable', reason: 'The connection was closed' } : troubleOf(fault);

function replyOf(reply: unknown): readonly (string | number)[] {
  if (!Array.isArray(reply)) throw new Error('the server did not return a list');
  return reply as (string | number)[];
}

/** Parses `<until> <said at> <words>`. */
function heldIn(machine: string, text: string): HeldWords | null {
  const [, until, saidAt, words] = /^(\d{1,15}) (\d{1,15}) (.*)$/s.exec(text) ?? [];
  if (words === undefined || !MACHINE_ID.test(machine) || text.length > SEALED_MAX_BYTES) return null;
  return { machine, until: Number(until), saidAt: Number(saidAt), words };
}

function newsIn(channel: string, message: string): News | null {
  if (message.length > SEALED_MAX_BYTES + 200) return null;
  const [, life, change, machine, rest] = /^(\S{1,60}) (\d{1,15}) (\S{1,100}) (.*)$/s.exec(message) ?? [];
  const held = machine === undefined || rest === undefined ? null : heldIn(machine, rest);
  return held && life !== undefined ? { channel, position: { life, change: Number(change) }, held } : null;
}

const SAID: readonly (readonly [RegExp, ServerTrouble])[] = [
  [/^(?:WRONGPASS|NOAUTH|NOPERM|ERR invalid password)/, 'refused'],
  [/user executing the script can't/i, 'refused'],
  [/^READONLY/, 'readonly'],
  [/^(?:OOM|MISCONF|NOREPLICAS)/, 'full'],
  [/^connect ETIMEDOUT/, 'unreachable'],
  [/Command timed out|ETIMEDOUT/, 'slow'],
  [/^(?:LOADING|MASTERDOWN|CLUSTERDOWN)/, 'unreachable'],
  [/CERT|SELF_SIGNED|LEAF_SIGNATURE|EPROTO|ERR_(?:SSL|TLS)|certificate|SSL routines/, 'untrusted'],
  [/ECONN|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|Connection is closed|isn't writeable/, 'unreachable'],
];

/** A server's error may have any length. */
const REASON_MAX_CHARS = 300;

export const NO_REDIS: Trouble = { trouble: 'failed', reason: 'The server is neither Redis nor Valkey.' };

export function troubleOf(error: unknown): Trouble {
  const text = failureText(error)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .slice(0, REASON_MAX_CHARS);
  if (/^Protocol error, got/.test(text)) return NO_REDIS;
  const code = failureCode(error) ?? '';
  const trouble = SAID.find(([pattern]) => pattern.test(text) || pattern.test(code))?.[1] ?? 'failed';
  return { trouble, reason: text };
}
