import type { AppMessage, PeerMessage } from '../../protocol';
import { parsePeerMessage } from '../../protocol';
import { channelListeners } from './channel-listeners';
import type { PeerHello } from './hello';
import type { ChannelEnd, LineChannel, Sent } from './line-channel';

export type PeerTalk = Exclude<PeerMessage, { type: 'hello' }>;

/** Why a peer left: a limit it broke, a message it garbled, or simply that one side closed. */
export type PeerEnd = ChannelEnd | 'invalid_message';

export type Refusal = Readonly<{ code: 'auth' | 'protocol' | 'busy' | 'invalid'; message: string }>;

/** One companion or viewer that is connected and accepted. */
export type Peer = Readonly<{
  hello: PeerHello;
  /** Queues a message; refused when it is longer than the peer takes or the peer is gone. */
  send(message: AppMessage): Sent;
  /** Bytes the peer has not read yet: whoever pushes snapshots may skip some while this is high. */
  queuedBytes(): number;
  /** Calls back each time the peer has taken all that waited for it. */
  onDrained(listener: () => void): void;
  /** Hears each checked message; nothing is read before this is first called. @returns what ends it. */
  onMessage(listener: (message: PeerTalk) => void): () => void;
  /** Hears the end, once; at once when it has already come. @returns what ends it. */
  onClose(listener: (end: PeerEnd) => void): () => void;
  /** Ends the connection, with a reason for the peer if there is one. */
  close(refusal?: Refusal): void;
}>;

type About = Readonly<{
  hello: PeerHello;
  ends: Set<(end: ChannelEnd) => void>;
  /** Runs a listener of someone else; closes the channel when it throws. */
  guard: (action: () => void) => void;
}>;

/** Wraps the channel of an accepted connection: what comes out has passed the schema, or the connection ends. */
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
