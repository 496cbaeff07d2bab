import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  createSandbox,
  generationOf,
  type Opencode2Server,
  type OpencodeBinary,
  type OpencodeConfig,
  type OpencodeServer,
  startOpencode,
  startOpencode2,
  textOf,
  textsIn,
} from '../node/opencode';
import { companionFolder, companionPath, putCompanion } from '../node/setup/companion-files';
import { demoProject } from './scenario';
import type { Stage, StageOptions } from './stage';

export type StagedSession = Readonly<{
  id: string;
  /** @returns the answer's text. @throws Error with a message for people if there is none. */
  ask(text: string, signal: AbortSignal): Promise<string>;
  users(): Promise<number>;
}>;

export type StagedOpencode = Readonly<{
  directory: string;
  exited: Promise<unknown>;
  openSession(agent: string): Promise<StagedSession>;
}>;

/** Starts OpenCode in its own home. @throws Error with a message for people. */
export async function startOpencodeOn(
  stage: Stage,
  binary: OpencodeBinary,
  { companion, closers, signal }: Pick<StageOptions, 'companion' | 'closers' | 'signal'>,
): Promise<StagedOpencode> {
  requireCompanion(companion);
  const isSecond = generationOf(binary) >= 2;
  const { root, home, ours } = stage.place;
  const sandbox = await createSandbox({ root, git: false, config: await installed(home, companion, isSecond) });
  const directory = await sandbox.addProject('theatre', demoProject(stage.provider.url));
  const options = { binary, sandbox, env: ours, signal };
  const server = isSecond ? await startOpencode2(options) : await startOpencode(options);
  closers.add(() => server.stop());
  const openSession = 'openProject' in server ? second(server, directory) : first(server, directory);
  if ('openProject' in server) await server.openProject(directory);
  return { directory, exited: server.exited, openSession };
}

/** @throws Error with a message for people if the companion is not built. */
export function requireCompanion(companion: string): void {
  if (!existsSync(companion)) throw new Error('The companion has not been built yet: run "npm run build" first.');
}

/** Installs the companion into the demo's state home. @returns the configuration that loads it. */
async function installed(home: string, companion: string, isSecond: boolean): Promise<OpencodeConfig> {
  const put = await putCompanion({ home, source: companion });
  if (!put.ok) throw new Error(put.reason);
  const { href } = pathToFileURL(isSecond ? companionFolder(home) : companionPath(home));
  return isSecond ? { plugins: [href] } : { plugin: [href] };
}

const first = (server: OpencodeServer, directory: string) => async (agent: string) => {
  const session = await server.createSession(directory);
  return {
    id: session.id,
    async ask(text: string, signal: AbortSignal) {
      const answer = await server.prompt(session, { text, agent }, signal);
      const { error } = answer.info;
      if (error) throw turnError(error.data?.message ?? error.name);
      return textOf(answer);
    },
    users: async () => (await server.messages(session)).filter(({ info }) => info.role === 'user').length,
  };
};

const second = (server: Opencode2Server, directory: string) => async (agent: string) => {
  const { id } = await server.createSession(directory, { agent });
  return {
    id,
    async ask(text: string, signal: AbortSignal) {
      await server.prompt(id, text);
      await server.settled(id, signal);
      const answer = (await server.messages(id)).findLast(({ type }) => type === 'assistant');
      if (answer?.error) throw turnError(answer.error.message);
      return answer === undefined ? '' : textsIn([answer]).join('');
    },
    users: async () => (await server.messages(id)).filter(({ type }) => type === 'user').length,
  };
};

const turnError = (why: unknown): Error => new Error(`OpenCode ended the turn with an error: ${why}`);
