import { type AppMessage, type PeerMessage, TAKES_COUNCIL, type Talk } from '../../../protocol';

export type TalkAsked = Readonly<{ pid: number; run: string; session: string }>;

export type Talks = Readonly<{
  join(
    companion: Readonly<{ pid: number; takes?: readonly string[] | undefined; send(message: AppMessage): unknown }>,
  ): Readonly<{ hear(message: PeerMessage): void; left(): void }>;
  /** Null on timeout or for an unknown session. Never rejects. */
  ask(request: TalkAsked): Promise<readonly Talk[] | null>;
}>;

/** In ms; the companion only looks up the text. */
const LIMIT_MS = 5_000;

type Answered = (talk: readonly Talk[] | null) => void;
type Peer = Readonly<{ send(message: AppMessage): unknown; waiting: Map<string, Answered> }>;

export function openTalks(limitMs = LIMIT_MS): Talks {
  const peers = new Map<number, Peer>();
  let nextId = 1;
  return {
    join({ pid, takes = [], send }) {
      const peer: Peer = { send, waiting: new Map() };
      // An older companion would close the connection.
      if (takes.includes(TAKES_COUNCIL)) peers.set(pid, peer);
      return {
        hear(message) {
          if (message.type === 'council.talk') peer.waiting.get(message.id)?.(message.talk);
        },
        left() {
          if (peers.get(pid) === peer) peers.delete(pid);
          for (const answered of peer.waiting.values()) answered(null);
        },
      };
    },
    ask({ pid, run, session }) {
      const peer = peers.get(pid);
      if (!peer) return Promise.resolve(null);
      return new Promise((resolve) => {
        const id = String(nextId++);
        const answered: Answered = (talk) => {
          clearTimeout(late);
          peer.waiting.delete(id);
          resolve(talk);
        };
        const late = setTimeout(() => answered(null), limitMs);
        late.unref();
        peer.waiting.set(id, answered);
        peer.send({ type: 'council.ask', id, run, session });
      });
    },
  };
}
