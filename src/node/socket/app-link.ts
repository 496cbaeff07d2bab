import type { AppMessage } from '../../protocol';
import { parseAppMessage } from '../../protocol';
import type { ChannelEnd, LineChannel, Sent } from './line-channel';
import type { PeerTalk } from './peer';

export type Welcome = Extract<AppMessage, { type: 'welcome' }>;
/** What the app may say after its welcome and before its refusal. */
export type AppTalk = Exclude<AppMessage, { type: 'welcome' | 'refused' }>;

/** Why a connection to the app ended; `refused` carries the app's own words. */
export type LinkEnd = Readonly<{ code: ChannelEnd | 'refused' | 'invalid_message'; message: string | null }>;

/** An open connection to the app, seen from a companion or a viewer. */
export type AppLink = Readonly<{
  welcome: Welcome;
  /** Queues a message; refused when it is over 1 MiB or the app is gone. */
  send(message: PeerTalk): Sent;
  /** Bytes the app has not read yet. */
  queuedBytes(): number;
  /**
   * Hears each checked message. The connection is not read before the first call, so its end would not be seen either:
   * call it for every link. @returns what ends it.
   */
  onMessage(listener: (message: AppTalk) => void): () => void;
  /** Hears the end, once; at once when it has already come. @returns what ends it. */
  onClose(listener: (end: LinkEnd) => void): () => void;
  close(): void;
}>;

/** Wraps the channel of a welcomed connection. A message the schema does not know ends it, with a reason. */
export function createAppLink(
  channel: LineChannel,
  about: { welcome: Welcome; ends: Set<(end: LinkEnd) => void>; onFault: (error: unknown) => void },
): AppLink {
  const listeners = new Set<(message: AppTalk) => void>();
  const closers = new Set<(end: LinkEnd) => void>();
  let cause: LinkEnd | null = null;
  let ended: LinkEnd | null = null;

  // The host must never meet an exception of ours on a socket's event.
  const guard = (action: () => void) => {
    try {
      action();
    } catch (error) {
      channel.end();
      about.onFault(error);
    }
  };
  about.ends.add((end) => {
    ended = cause ?? end;
    for (const listener of closers) guard(() => listener(ended ?? end));
    closers.clear();
  });
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
    for (const listener of listeners) guard(() => listener(message));
  };
  return {
    welcome: about.welcome,
    send: (message) => channel.send(message),
    queuedBytes: () => channel.queuedBytes(),
    onMessage: (listener) => {
      listeners.add(listener);
      channel.setLineListener(hear);
      return () => void listeners.delete(listener);
    },
    onClose: (listener) => {
      if (ended !== null) listener(ended);
      else closers.add(listener);
      return () => void closers.delete(listener);
    },
    close: () => channel.end(),
  };
}
