import type { Socket } from 'node:net';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import type { AppMessage, Hello } from '../../protocol';
import { PROTOCOL_VERSION, parseAppMessage } from '../../protocol';
import type { Outcome } from '../base/failure';
import { failureCode, failureText } from '../base/failure';
import { lstatOrNull } from '../base/look';
import { isOwnFolder, ownUserId } from '../base/private-folder';
import { CLEAR, isPipe } from '../base/state-home';
import type { AppLink, LinkEnd } from './app-link';
import { createAppLink } from './app-link';
import type { ChannelLimits } from './line-channel';
import { DEFAULT_CHANNEL_LIMITS, LineChannel } from './line-channel';

const WELCOME_DEADLINE_MS = 3_000;

export type ConnectOptions = Readonly<{
  addressFor: (token: string) => string;
  /** The app may have replaced the token. */
  readToken: () => Promise<Outcome<{ token: string }>>;
  hello: Hello['peer'];
  /** Default false. */
  keepsProcessAlive?: boolean;
  welcomeDeadlineMs?: number;
  limits?: Partial<ChannelLimits>;
  onFault?: (error: unknown) => void;
}>;

export type NotConnected = Readonly<{
  ok: false;
  /** `unsafe`: another user could have created the socket, so it gets no token. */
  code: 'absent' | 'unsafe' | 'refused' | 'silent' | 'failed';
  refusal: 'auth' | 'protocol' | 'busy' | 'invalid' | null;
  message: string;
}>;

export type Connected = Readonly<{ ok: true; link: AppLink }> | NotConnected;

/** Messages wait for `link.onMessage`. */
export async function connectToApp(options: ConnectOptions): Promise<Connected> {
  try {
    const read = await options.readToken();
    if (!read.ok) return failure('absent', read.reason);
    const address = options.addressFor(read.token);
    return (await inspect(address)) ?? (await greet(options, address, read.token));
  } catch (error) {
    return failure('failed', failureText(error));
  }
}

async function inspect(address: string): Promise<NotConnected | null> {
  if (isPipe(address)) return null;
  const info = await lstatOrNull(address);
  if (info === null) return failure('absent', `${address} does not exist`);
  const user = ownUserId();
  const isOurs = info.isSocket() && (user === null || info.uid === user) && (await isOwnFolder(dirname(address)));
  return isOurs ? null : failure('unsafe', `${address} is not a socket that only you could have made. ${CLEAR}`);
}

async function greet(options: ConnectOptions, address: string, token: string): Promise<Connected> {
  return await new Promise((resolve) => {
    const socket = createConnection(address);
    if (options.keepsProcessAlive !== true) socket.unref();
    const giveUp = setTimeout(() => {
      socket.destroy();
      resolve(failure('silent', 'The app did not answer in time.'));
    }, options.welcomeDeadlineMs ?? WELCOME_DEADLINE_MS);
    if (options.keepsProcessAlive !== true) giveUp.unref();
    const settle = (result: Connected) => {
      clearTimeout(giveUp);
      resolve(result);
    };
    const whenRefused = (error: Error) => {
      const isAbsent = ['ECONNREFUSED', 'ENOENT'].includes(failureCode(error) ?? '');
      const isClosed = failureCode(error) === 'EACCES';
      const message = isClosed ? `${address} cannot be opened: permission is denied. ${CLEAR}` : failureText(error);
      settle(failure(isAbsent ? 'absent' : 'failed', message));
    };
    socket.once('error', whenRefused);
    socket.once('connect', () => {
      socket.off('error', whenRefused);
      awaitWelcome(socket, { options, token, settle });
    });
  });
}

type Greeting = Readonly<{ options: ConnectOptions; token: string; settle: (result: Connected) => void }>;

function awaitWelcome(socket: Socket, { options, token, settle }: Greeting): void {
  const ends = new Set<(end: LinkEnd) => void>();
  const onFault = (error: unknown) => options.onFault?.(error);
  const limits = { ...DEFAULT_CHANNEL_LIMITS, ...options.limits };
  const channel = new LineChannel(socket, {
    limits,
    onEnd: (end) => {
      settle(failure('silent', 'The app closed the connection without a message.'));
      for (const listener of ends) listener({ code: end, message: null });
    },
  });
  channel.setLineListener((line) => {
    channel.setLineListener(null);
    const parsed = parseAppMessage(line);
    if (parsed.ok && parsed.message.type === 'welcome') {
      return settle({ ok: true, link: createAppLink(channel, { welcome: parsed.message, ends, onFault }) });
    }
    channel.end();
    settle(notWelcome(parsed.ok ? parsed.message : null));
  });
  channel.send({ type: 'hello', protocol: PROTOCOL_VERSION, token, peer: options.hello } satisfies Hello);
}

function notWelcome(message: AppMessage | null): NotConnected {
  if (message?.type !== 'refused') return failure('failed', 'The app did not begin with a welcome.');
  return { ok: false, code: 'refused', refusal: message.code, message: message.message };
}

function failure(code: NotConnected['code'], message: string): NotConnected {
  return { ok: false, code, refusal: null, message };
}
