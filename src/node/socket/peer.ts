import type { AppMessage, PeerMessage } from '../../protocol';
import { parsePeerMessage } from '../../protocol';
import { channelListeners } from './channel-listeners';
import type { PeerHello } from './hello';
import type { ChannelEnd, LineChannel, Sent } from './line-channel';

export type PeerTalk = Exclude<PeerMessage, { type: 'hello' }>;

/** Why a peer left: it broke a limit, sent an invalid message, or one side closed. */
export type PeerEnd = ChannelEnd | 'invalid_message';

export type Refusal = Readonly<{ code: 'auth' | 'protocol' | 'busy' | 'invalid'; message: string }>;

/** One connected and accepted companion or viewer. */
export type Peer = Readonly<{
  hello: PeerHello;
  /** Queues a message; refuses it if it is longer than the peer accepts or the peer is gone. */
  send(message: AppMessage): Sent;
  /** Returns the bytes that the peer has not read yet: while this is high, snapshots may be skipped. */
  queuedBytes(): number;
  /** Calls back each time the peer has read all queued data. */
  onDrained(listener: () => void): void;
  /** Subscribes to checked messages; nothing is read before the first call. @returns a function that unsubscribes. */
  onMessage(listener: (message: PeerTalk) => void): () => void;
  /** Subscribes to the end; calls immediately if it has already come. @returns a function that unsubscribes. */
  onClose(listener: (end: PeerEnd) => void): () => void;
  /** Ends the connection, with a reason for the peer if given. */
  close(refusal?: Refusal): void;
}>;

type About = Readonly<{
  hello: PeerHello;
  ends: Set<(end: ChannelEnd) => void>;
  /** Runs a foreign listener; closes the channel if it throws. */
  guard: (action: () => void) => void;
}>;

/** Wraps the channel of an accepted connection: messages match the schema, or the connection ends. */
export function createPeer(channel: LineChannel, about: About): Peer {
  let isInvalid = false;
  const hear = (line: string) => {
    const parsed = parsePeerMessage(line);
    if (!parsed.ok || parsed.message.type === 'hello') {
      isInvalid = true;
      const reason = parsed.ok ? 'a second hello' : parsed.reason;
      return channel.end({ type: 'refused', code: 'invalid', message: reason.slice(0, 300) });
    }
    listeners.emit(parsed.message);
  };
  const listeners = channelListeners<PeerTalk, PeerEnd>(channel, hear, about.guard);
  about.ends.add((end) => listeners.end(isInvalid ? 'invalid_message' : end));
  channel.setLineListener(null);
  return {
    hello: about.hello,
    send: (message) => channel.send(message),
    queuedBytes: () => channel.queuedBytes(),
    onDrained: (listener) => channel.onDrained(() => about.guard(listener)),
    onMessage: listeners.onMessage,
    onClose: listeners.onClose,
    close: (refusal) => channel.end(refusal === undefined ? undefined : { type: 'refused', ...refusal }),
  };
}
