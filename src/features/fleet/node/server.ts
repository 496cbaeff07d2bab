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

/** Where the server of a fleet is, and as whom it is asked. */
export type ServerAddress = Readonly<{
  host: string;
  port: number;
  /** Whether the connection is encrypted. */
  isTls: boolean;
  /** Certificates, as PEM, that alone are trusted to have signed the server's; those of this machine where it is left out. */
  ca?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
}>;

export type Trouble = Readonly<{ trouble: ServerTrouble; reason: string }>;

/** Words of one machine as the server holds them. `words` is sealed text that nobody has looked at yet. */
export type HeldWords = Readonly<{ machine: string; until: number; saidAt: number; words: string }>;

/** How far an account has been heard. `life` changes when the server has lost what it held. */
export type Position = Readonly<{ life: string; change: number }>;

/** Words that have just been put, by any machine. */
export type News = Readonly<{ channel: string; position: Position; held: HeldWords }>;

/** What has changed of an account; `isFlooded` where so much stands there that none of it is read. */
export type Heard = Readonly<{ position: Position; held: readonly HeldWords[]; isFlooded: boolean }>;

/** One connection to the server of a fleet. Everything on it fails where the server does not answer in time. */
export type ServerConnection = Readonly<{
  /** The server's time, Unix ms, and how long asking took. */
  time(): Promise<Readonly<{ serverMs: number; tookMs: number }>>;
  /** Puts words of an account and tells all who listen. Words older than what is there change nothing. */
  put(key: string, said: HeldWords): Promise<Position>;
  /** What has changed of an account since; all of it where the server has begun another life. */
  read(key: string, since: Position): Promise<Heard>;
  /** Asks to be the one that probes. @returns whether it is. */
  lease(key: string, machine: string, forMs: number): Promise<boolean>;
  release(key: string, machine: string): Promise<void>;
  /** Hears of news of these accounts from now on, and of no others. */
  follow(keys: readonly string[]): Promise<void>;
  onNews(listener: (news: News) => void): () => void;
  /** Calls back once when it is over. */
  onClose(listener: (why: Trouble) => void): void;
  close(): void;
}>;

export type ServerOutcome<T> = Readonly<{ ok: true; value: T }> | (Readonly<{ ok: false }> & Trouble);

const CONNECT_LIMIT_MS = 5_000;
const DISCONNECT_LIMIT_MS = 2_000;
/** Whoever takes longer is away for a decision's purposes, and is looked at again soon. */
const ANSWER_LIMIT_MS = 2_000;
/** Machines that speak of one account. */
const MACHINES_MAX = 1_000;

/** Where a server holds what machines of a team say of an account. What stands in braces is all that places it in a cluster. */
export const keyOfAccount = (team: string, mark: string): string => `understudy:${team}:{${mark}}`;

export const NOTHING_HEARD: Position = { life: '', change: 0 };

/** Connects, or says why not. Never rejects; what it opens never keeps the process alive. */
export async function connectToServer(address: ServerAddress): Promise<ServerOutcome<ServerConnection>> {
  // A machine that is in no fleet loads neither, and one whose server is not encrypted loads nothing that encrypts.
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

/** A client of the library, and how its replies are checked. `fault` is the reply that ended it. */
type Checked = Readonly<{ client: Redis; check: ReplyCheck; fault(): ReplyFault | null }>;

function clientFor(
  { host, port, ca }: ServerAddress,
  library: Library,
  tls: typeof import('node:tls') | null,
): Checked {
  const secured = {
    ...(ca === undefined ? {} : { ca }),
    // An address is no name that a server could have several of.
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
  const open = (): Socket => tls?.connect({ host, port, ...secured }) ?? createConnection({ host, port });
  const check = new ReplyCheck(REPLY_LIMITS);
  const options: RedisOptions = {
    host,
    port,
    Connector: connectorBy(library, open, { check, event: tls ? 'secureConnect' : 'connect' }),
    // Whoever is away is looked for by the link: here a connection has one life.
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
  // Without a listener the library writes to the terminal, which is OpenCode's.
  client.on('error', (error) => {
    if (error instanceof ReplyFault) fault ??= error;
  });
  return { client, check, fault: () => fault };
}

/** Opens connections whose replies are checked before the library reads them. */
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

/** Resolves when a socket is connected. @throws its error, or after {@link CONNECT_LIMIT_MS}. */
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

/** The library would write to the terminal about a password that is not needed: it is told by us. */
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
    // A server that wants none takes everybody.
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
  /** What the library says of a connection that has ended is not why it has. */
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

/** Words with their seal, and the numbers before them. */
const SEALED_MAX_BYTES = WORDS_MAX_BYTES + 200;

const REPLY_LIMITS = {
  elements: 2 * MACHINES_MAX + 16,
  bytes: MACHINES_MAX * (SEALED_MAX_BYTES + 200),
  textBytes: SEALED_MAX_BYTES + 200,
};

/** Why a connection has ended that nobody here has closed. */
const closedBy = (fault: ReplyFault | null): Trouble =>
  fault === null ? { trouble: 'unreachable', reason: 'The connection was closed' } : troubleOf(fault);

function replyOf(reply: unknown): readonly (string | number)[] {
  if (!Array.isArray(reply)) throw new Error('the server’s answer is no list');
  return reply as (string | number)[];
}

/** `<until> <said at> <words>`, as the scripts of the server write it. */
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

/** A server's error may be of any length. */
const REASON_MAX_CHARS = 300;

/** Something else listens there. */
export const NO_REDIS: Trouble = { trouble: 'failed', reason: 'What answers there is no Redis or Valkey.' };

/** What an error of the server, or of the way there, comes to. */
export function troubleOf(error: unknown): Trouble {
  const text = failureText(error)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .slice(0, REASON_MAX_CHARS);
  if (/^Protocol error, got/.test(text)) return NO_REDIS;
  const code = failureCode(error) ?? '';
  const trouble = SAID.find(([pattern]) => pattern.test(text) || pattern.test(code))?.[1] ?? 'failed';
  return { trouble, reason: text };
}
