import type { News, ServerConnection } from '../../../src/features/fleet/node/server';

/** A server of a fleet that holds nothing, but for what a test has it do. `say` tells news as its channel would. */
export function serverDouble(changes: Partial<ServerConnection> = {}) {
  let hear: (news: News) => void = () => undefined;
  const server: ServerConnection = {
    time: async () => ({ serverMs: 1_000, tookMs: 0 }),
    put: async () => ({ life: 'a', change: 1 }),
    read: async () => ({ position: { life: 'a', change: 1 }, held: [], isFlooded: false }),
    lease: async () => true,
    release: async () => undefined,
    follow: async () => undefined,
    onNews(listener) {
      hear = listener;
      return () => undefined;
    },
    onClose: () => undefined,
    close: () => undefined,
    ...changes,
  };
  return { server, say: (news: News) => hear(news) };
}
