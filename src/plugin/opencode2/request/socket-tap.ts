export type OpenSocket = Readonly<{
  /** Delivers a frame to OpenCode as if the socket had received it. */
  receive(frame: string): void;
}>;

type Take = (socket: OpenSocket) => void;
type Sockets = { readonly expected: Map<string, Take> };

/** OpenCode 2 evaluates this file once per location, but sockets belong to the process. */
const KEY = Symbol.for('understudy sockets');
const shared = globalThis as unknown as Record<symbol, Sockets | undefined>;
/** A host that sends by other means leaves entries behind. */
const EXPECTED_MAX = 50;

/** Calls back with the socket that sends this text next: OpenCode 2's hooks do not identify it. [seen: 2.0.15] */
export function expectSocket(frame: string, take: Take): void {
  const sockets = shared[KEY] ?? tap();
  shared[KEY] = sockets;
  const { expected } = sockets;
  expected.set(frame, take);
  const oldest = expected.keys().next().value;
  if (expected.size > EXPECTED_MAX && oldest !== undefined) expected.delete(oldest);
}

/** Observes `WebSocket.send` for this process. */
function tap(): Sockets {
  const expected = new Map<string, Take>();
  const { prototype } = globalThis.WebSocket ?? {};
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
