import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** One message of a conversation, in the order in which both sides sent them. */
export type TappedMessage = Readonly<{ from: 'peer' | 'app'; message: Record<string, unknown> }>;

/** A recorder between the app's socket and its peers. */
export type Tap = Readonly<{
  /** One list for each connection, oldest first. */
  conversations: readonly (readonly TappedMessage[])[];
  close(): Promise<void>;
}>;

/** Places a recorder at the address of a listening app and passes all bytes on unchanged. */
export async function tapSocket(address: string): Promise<Tap> {
  const moved = `${address}.app`;
  await rename(address, moved);
  const conversations: TappedMessage[][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(moved);
    const conversation: TappedMessage[] = [];
    conversations.push(conversation);
    const pass = (source: Socket, target: Socket, from: TappedMessage['from']): void => {
      sockets.add(source);
      source.pipe(target);
      source.on('error', () => target.destroy());
      const lines = createInterface({ input: source });
      lines.on('line', (line) => conversation.push({ from, message: JSON.parse(line) as Record<string, unknown> }));
      // It repeats the errors of its socket, which are handled above.
      lines.on('error', () => undefined);
    };
    pass(near, far, 'peer');
    pass(far, near, 'app');
  });
  server.listen(address);
  await once(server, 'listening');
  return {
    conversations,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
      await rm(moved, { force: true });
    },
  };
}
