import type { AppMessage } from '../../protocol';
import { parseAppMessage } from '../../protocol';
import { channelListeners } from './channel-listeners';
import type { ChannelEnd, LineChannel, Sent } from './line-channel';
import type { PeerTalk } from './peer';

export type Welcome = Extract<AppMessage, { type: 'welcome' }>;
export type AppTalk = Exclude<AppMessage, { type: 'welcome' | 'refused' }>;

export type LinkEnd = Readonly<{ code: ChannelEnd | 'refused' | 'invalid_message'; message: string | null }>;

export type AppLink = Readonly<{
  welcome: Welcome;
  /** Refuses messages over 1 MiB. */
  send(message: PeerTalk): Sent;
  queuedBytes(): number;
  /** Not even the end is read before the first call. @returns a function that unsubscribes. */
  onMessage(listener: (message: AppTalk) => void): () => void;
  /** Calls immediately after the end. */
  onClose(listener: (end: LinkEnd) => void): () => void;
  close(): void;
}>;

/** An invalid message ends the connection. */
export function createAppLink(
  channel: LineChannel,
  about: { welcome: Welcome; ends: Set<(end: LinkEnd) => void>; onFault: (error: unknown) => void },
): AppLink {
  let cause: LinkEnd | null = null;

  // Our exceptions must never reach the host.
  const guard = (action: () => void) => {
    try {
      action();
    } catch (error) {
      channel.end();
      about.onFault(error);
    }
  };
  const hear = (line: string) => {
    const parsed = parseAppMessage(line);
    if (!parsed.ok || parsed.message.type === 'welcome') {
      cause = { code: 'invalid_message', message: parsed.ok ? 'a second welcome' : parsed.reason };
      return channel.end();
    }
    const { message } = parsed;
    if (message.type === 'refused') {
      cause = { code: 'refused', message: message.message };
      return channel.end();
    }
    listeners.emit(message);
  };
  const listeners = channelListeners<AppTalk, LinkEnd>(channel, hear, guard);
  about.ends.add((end) => listeners.end(cause ?? end));
  return {
    welcome: about.welcome,
    send: (message) => channel.send(message),
    queuedBytes: () => channel.queuedBytes(),
    onMessage: listeners.onMessage,
    onClose: listeners.onClose,
    close: () => channel.end(),
  };
}
