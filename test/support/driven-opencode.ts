import {
  generationOf,
  type OpencodeMessage,
  type StartOptions,
  startOpencode,
  startOpencode2,
  textOf,
  textsIn,
} from '../../src/node/opencode';

export type Place = Readonly<{ directory: string; agent?: string }>;

export type Chat = Readonly<{
  send(text: string): Promise<void>;
  /** Texts of the assistant, oldest first. */
  answers(): Promise<readonly string[]>;
}>;

/** A running OpenCode of either generation. No client subscribes to its events, which would add load. */
export type DrivenOpencode = Readonly<{
  pid: number;
  open(place: Place): Promise<Chat>;
}>;

type Started = DrivenOpencode & Readonly<{ stop(): Promise<unknown> }>;

export async function withOpencode<T>(
  options: StartOptions,
  use: (opencode: DrivenOpencode) => Promise<T>,
): Promise<T> {
  const opencode = await (generationOf(options.binary) < 2 ? startFirst(options) : startSecond(options));
  try {
    return await use(opencode);
  } finally {
    await opencode.stop();
  }
}

async function startFirst(options: StartOptions): Promise<Started> {
  const server = await startOpencode(options);
  return {
    pid: server.pid,
    async open({ directory, ...agent }) {
      const session = await server.createSession(directory);
      const isAnswer = ({ info }: OpencodeMessage): boolean => info.role === 'assistant';
      return {
        send: async (text) => void (await server.prompt(session, { text, ...agent })),
        answers: async () => (await server.messages(session)).filter(isAnswer).map(textOf),
      };
    },
    stop: () => server.stop(),
  };
}

async function startSecond(options: StartOptions): Promise<Started> {
  const server = await startOpencode2(options);
  return {
    pid: server.pid,
    async open({ directory, ...agent }) {
      await server.openProject(directory);
      const { id } = await server.createSession(directory, agent);
      return {
        async send(text) {
          await server.prompt(id, text);
          await server.settled(id);
        },
        answers: async () => textsIn(await server.messages(id)),
      };
    },
    stop: () => server.stop(),
  };
}
