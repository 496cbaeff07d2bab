import {
  isOf,
  type Opencode2Server,
  type OpencodeEvent,
  type OpencodeMessage,
  type OpencodeServer,
  textOf,
  textsIn,
} from '../../../src/node/opencode';

/** A project in an OpenCode that is open, and one that asks in it. */
export type Room = Readonly<{
  /** Sends a message in a session of its own, and waits for the end of its turn. */
  ask(text: string, limitMs: number): Promise<Asked>;
  close(): Promise<void>;
}>;

/** What became of a message. */
export type Asked = Readonly<{
  /** From the message to the end of its turn; null when that has not come. */
  tookMs: number | null;
  /** What the assistant has said, message by message. */
  said: readonly string[];
  /** User messages in the history. */
  users: number;
  /** What the last message ended with; null when it did not end in an error. */
  error: string | null;
}>;

/** Where a message goes: OpenCode's own agent where none is named. */
export type Where = Readonly<{ directory: string; agent?: string }>;

/** Opens a project of OpenCode 1. */
export async function openRoom1(server: OpencodeServer, { directory, agent }: Where): Promise<Room> {
  const events = await server.events(directory);
  const isFinal = ({ type, properties }: OpencodeEvent, session: string): boolean => {
    if (type !== 'message.updated') return false;
    const info = properties.info as OpencodeMessage['info'] & { time?: { completed?: number } };
    return info.sessionID === session && info.finish === 'stop' && info.time?.completed !== undefined;
  };
  return {
    async ask(text, limitMs) {
      const session = await server.createSession(directory);
      const startedAt = performance.now();
      await server.promptAsync(session, { text, ...(agent ? { agent } : {}) });
      const final = await events.waitFor((event) => isFinal(event, session.id), limitMs).catch(() => null);
      const tookMs = final && performance.now() - startedAt;
      if (final !== null) {
        const isLater = (event: OpencodeEvent) => events.seen().indexOf(event) > events.seen().indexOf(final);
        await events.waitFor((event) => event.type === 'session.idle' && isOf(session.id)(event) && isLater(event));
      }
      const messages = await server.messages(session);
      return {
        tookMs,
        said: messages.map(textOf),
        users: messages.filter(({ info }) => info.role === 'user').length,
        error: messages.at(-1)?.info.error?.name ?? null,
      };
    },
    async close() {
      events.close();
      await server.dispose(directory);
    },
  };
}

/** Opens a project of OpenCode 2. */
export async function openRoom2(server: Opencode2Server, { directory, agent }: Where): Promise<Room> {
  const events = await server.events();
  const opened = events.waitFor(({ type }) => type === 'plugin.updated');
  await server.openProject(directory);
  await opened;
  return {
    async ask(text, limitMs) {
      const { id } = await server.createSession(directory, agent ? { agent } : {});
      const isEnd = (event: OpencodeEvent) => event.type === 'session.execution.succeeded' && isOf(id)(event);
      const startedAt = performance.now();
      await server.prompt(id, text);
      const final = await events.waitFor(isEnd, limitMs).catch(() => null);
      const tookMs = final && performance.now() - startedAt;
      // What has no answer by now would ask for another minute.
      if (final === null) await server.request('POST', `/session/${id}/interrupt`);
      await server.settled(id);
      const messages = await server.messages(id);
      return {
        tookMs,
        said: textsIn(messages),
        users: messages.filter(({ type }) => type === 'user').length,
        error: messages.findLast(({ type }) => type === 'assistant')?.error?.type ?? null,
      };
    },
    close: async () => events.close(),
  };
}
