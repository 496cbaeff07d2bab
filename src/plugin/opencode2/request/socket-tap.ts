/** A web socket of OpenCode's that a request was sent over. */
export type OpenSocket = Readonly<{
  /** Has OpenCode read this as if it had come over the socket. */
  receive(frame: string): void;
}>;

type Take = (socket: OpenSocket) => void;
type Sockets = { readonly expected: Map<string, Take> };

/** OpenCode 2 evaluates this file anew for each location; its sockets are the process's. */
const KEY = Symbol.for('understudy sockets');
const shared = globalThis as unknown as Record<symbol, Sockets | undefined>;
/** Requests that are about to be sent at once; those of a host that sends otherwise are forgotten. */
const EXPECTED_MAX = 50;

/** Calls back with the socket over which this very text is sent next: the hooks of OpenCode 2 name none. [seen: 2.0.15] */
export function expectSocket(frame: string, take: Take): void {
  const sockets = shared[KEY] ?? tap();
  shared[KEY] = sockets;
  const { expected } = sockets;
  expected.set(frame, take);
  const oldest = expected.keys().next().value;
  if (expected.size > EXPECTED_MAX && oldest !== undefined) expected.delete(oldest);
}

/** Looks at what is sent over any socket of this process, and changes nothing. */
function tap(): Sockets {
  const expected = new Map<string, Take>();
  const { prototype } = globalThis.WebSocket ?? {};
  // Then no socket is seen, and what could not be ended goes over HTTP.
  if (!prototype) return { expected };
  const { send } = prototype;
  prototype.send = function (this: WebSocket, data: Parameters<typeof send>[0]): void {
    const take = typeof data === 'string' ? expected.get(data) : undefined;
    if (take && typeof data === 'string') {
      expected.delete(data);
      take({ receive: (frame) => void this.dispatchEvent(new MessageEvent('message', { data: frame })) });
    }
    send.call(this, data);
  };
  return { expected };
}
