import type { AppMessage, PeerMessage } from '../../protocol';
import { parsePeerMessage } from '../../protocol';
import { channelListeners } from './channel-listeners';
import type { PeerHello } from './hello';
import type { ChannelEnd, LineChannel, Sent } from './line-channel';

export type PeerTalk = Exclude<PeerMessage, { type: 'hello' }>;

export type PeerEnd = ChannelEnd | 'invalid_message';

export type Refusal = Readonly<{ code: 'auth' | 'protocol' | 'busy' | 'invalid'; message: string }>;

export type Peer = Readonly<{
  hello: PeerHello;
  /** Refuses messages longer than the peer accepts. */
  send(message: AppMessage): Sent;
  /** While this is high, snapshots may be skipped. */
  queuedBytes(): number;
  onDrained(listener: () => void): void;
  /** Nothing is read before the first call. @returns a function that unsubscribes. */
  onMessage(listener: (message: PeerTalk) => void): () => void;
  /** Calls immediately after the end. */
  onClose(listener: (end: PeerEnd) => void): () => void;
  close(refusal?: Refusal): void;
}>;

type About = Readonly<{
  hello: PeerHello;
  ends: Set<(end: ChannelEnd) => void>;
  guard: (action: () => void) => void;
}>;

/** An invalid message ends the connection. */
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
