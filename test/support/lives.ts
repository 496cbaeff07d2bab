import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe } from 'vitest';
import { refusedPort, type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import { healthPath } from '../../src/node/data/health-file';
import {
  createSandbox,
  isOf,
  type Opencode2Server,
  type OpencodeMessage,
  type OpencodeServer,
  type Sandbox,
  startOpencode,
  startOpencode2,
  textsIn,
} from '../../src/node/opencode';
import { companionFolder, putCompanion } from '../../src/node/setup/companion-files';
import { builtPlugin } from './built-companion';
import { PATIENCE_MS, patiently } from './eventually';
import { knowOpencode } from './known-opencode';
import { opencodeBinary } from './opencode-binary';
import { opencode2Binary } from './opencode2/real';
import { sharedStage2 } from './opencode2/shared';
import { textOf } from './said';
import { sharedStage } from './shared-stage';
import { type Case, type CaseOptions, lean, makeCase } from './stage';

export type Life = Readonly<{
  /** Sends a first message without a chosen model and does not wait. @returns the session. */
  begin(directory: string): Promise<string>;
  open(directory: string): Promise<string>;
  allow(directory: string, session: string): Promise<unknown>;
  atRest(directory: string, session: string): Promise<unknown>;
  goOn(directory: string, session: string): Promise<string>;
  command(directory: string, session: string, name: string, text?: string): Promise<string>;
  answers(directory: string, session: string): Promise<readonly string[]>;
  /** Next model as `provider/model`; null if none is chosen. */
  modelOf(directory: string, session: string): Promise<string | null>;
  /** Collects toasts of a directory; null if OpenCode shows them only in its terminals. */
  toasts(directory: string): Promise<Readonly<{ texts(): readonly string[]; close(): void }> | null>;
  remove(directory: string, session: string): Promise<unknown>;
  kill(): Promise<unknown>;
  stop(): Promise<unknown>;
}>;

/** State that outlives an OpenCode process: its home, the state home and a scripted provider. */
export type World = Readonly<{
  home: string;
  sandbox: Sandbox;
  provider: ScriptedProvider;
  makeCase(options: CaseOptions): Promise<Case>;
  start(): Promise<Life>;
  isKnown(model: string): Promise<boolean>;
  close(): Promise<void>;
}>;

type Generation = 'OpenCode 1' | 'OpenCode 2';
export const GENERATIONS: readonly Generation[] = ['OpenCode 1', 'OpenCode 2'];
export const isHere = (generation: Generation): boolean => generation === 'OpenCode 1' || opencode2Binary().path !== '';

/**
 * Declares a suite for each available generation.
 * @param title `%s` becomes the generation.
 * @param perMerge Generation for `npm test`; the nightly run plays both.
 */
export function describeGenerations(
  title: string,
  perMerge: Generation,
  declare: (generation: Generation) => void,
): void {
  for (const generation of GENERATIONS.filter(isHere)) {
    const isPlayed = generation === perMerge || !isHere(perMerge);
    describe(title.replace('%s', generation), { tags: isPlayed ? [] : ['nightly'] }, () => declare(generation));
  }
}

type Place = Readonly<{ sandbox: Sandbox; home: string }>;

const killed = async (child: Readonly<{ pid: number; exited: Promise<unknown> }>): Promise<unknown> => {
  process.kill(child.pid, 'SIGKILL');
  return child.exited;
};

async function startOne({ sandbox, home }: Place): Promise<Life> {
  return lifeOne(await startOpencode({ binary: await opencodeBinary(), sandbox, env: { UNDERSTUDY_HOME: home } }));
}

function lifeOne(server: OpencodeServer): Life {
  const sessionOf = (directory: string, id: string) => ({ id, directory, title: '' });
  return {
    async begin(directory) {
      const session = await server.createSession(directory);
      await server.promptAsync(session, { text: 'One' });
      return session.id;
    },
    open: async (directory) => (await server.createSession(directory)).id,
    allow: (directory, session) =>
      patiently(async () => {
        const asked = await server.request<{ id: string; sessionID: string }[]>('GET', '/permission', { directory });
        const own = asked.find(({ sessionID }) => sessionID === session);
        if (!own) throw new Error(`session ${session} asks for no permission`);
        return server.request('POST', `/permission/${own.id}/reply`, { directory, body: { reply: 'once' } });
      }),
    atRest: (directory, id) =>
      patiently(async () => {
        const states = await server.request<Record<string, { type?: string }>>('GET', '/session/status', { directory });
        if ((states[id]?.type ?? 'idle') !== 'idle') throw new Error(`session ${id} still works`);
      }),
    goOn: async (directory, id) => textOf(await server.prompt(sessionOf(directory, id), { text: 'Two' })),
    command: async (directory, id, name, text = '') =>
      textOf(await server.prompt(sessionOf(directory, id), { text: `/${name} ${text}`.trim() })),
    async answers(directory, id) {
      const messages = await server.request<OpencodeMessage[]>('GET', `/session/${id}/message`, { directory });
      return messages.filter(({ info }) => info.role === 'assistant').map(textOf);
    },
    async modelOf(directory, id) {
      // The newest message names the next model.
      const messages = await server.request<OpencodeMessage[]>('GET', `/session/${id}/message`, { directory });
      const model = messages.findLast(({ info }) => info.role === 'user')?.info.model;
      return model ? `${model.providerID}/${model.modelID}` : null;
    },
    async toasts(directory) {
      const stream = await server.events(directory);
      const texts = () =>
        stream.seen().flatMap(({ type, properties }) => {
          return type === 'tui.toast.show' ? [String((properties as { message?: unknown }).message)] : [];
        });
      return { texts, close: () => stream.close() };
    },
    remove: (directory, id) => server.request('DELETE', `/session/${id}`, { directory }),
    kill: () => killed(server),
    stop: () => server.stop(),
  };
}

async function startTwo({ sandbox, home }: Place): Promise<Life> {
  return lifeTwo(await startOpencode2({ binary: opencode2Binary(), sandbox, env: { UNDERSTUDY_HOME: home } }));
}

function lifeTwo(server: Opencode2Server): Life {
  return {
    async begin(directory) {
      const { id } = await server.createSession(directory);
      await server.prompt(id, 'One');
      return id;
    },
    open: async (directory) => (await server.createSession(directory)).id,
    allow: (_, session) =>
      patiently(async () => {
        const data = await server.request<{ id: string }[]>('GET', `/session/${session}/permission`);
        if (!data[0]) throw new Error(`session ${session} asks for no permission`);
        const path = `/session/${session}/permission/${data[0].id}/reply`;
        return server.request('POST', path, { body: { decision: 'once' } });
      }),
    atRest: (_, id) => server.settled(id),
    async goOn(_, id) {
      await server.prompt(id, 'Two');
      await server.settled(id);
      return textsIn(await server.messages(id)).at(-1) ?? '';
    },
    async command(_, id, name, text = '') {
      const events = await server.events();
      // The output stays in the session's inbox until the next message.
      const said = events.next((event) => event.type === 'session.inbox.enqueued' && isOf(id)(event), PATIENCE_MS);
      await server.request('POST', `/session/${id}/command`, { body: { name, text } });
      const { item } = (await said).properties as { item?: { payload?: { text?: string } } };
      events.close();
      return item?.payload?.text ?? '';
    },
    answers: async (_, id) => textsIn(await server.messages(id)),
    async modelOf(_, id) {
      const { model } = await server.session(id);
      return model ? `${model.providerID}/${model.id}` : null;
    },
    toasts: async () => null,
    remove: (_, id) => server.request('DELETE', `/session/${id}`),
    kill: () => killed(server),
    stop: () => server.stop(),
  };
}

/**
 * Creates a home in which OpenCodes with the built companion are started and killed.
 * @param more additional user configuration of OpenCode.
 * @param place existing folders; two generations can share a state home.
 */
export async function openWorld(
  generation: Generation,
  more: Readonly<Record<string, unknown>> = {},
  place: Readonly<{ root?: string; home?: string }> = {},
): Promise<World> {
  const root = place.root ?? (await mkdtemp(join(tmpdir(), 'us-')));
  const home = place.home ?? join(root, 'u');
  const put = await putCompanion({ home, source: builtPlugin() });
  if (!put.ok) throw new Error(put.reason);
  const isOne = generation === 'OpenCode 1';
  const [key, companion] = isOne ? ['plugin', builtPlugin()] : ['plugins', companionFolder(home)];
  const config = { ...more, [key]: [pathToFileURL(companion).href] };
  const sandbox = await lean(await createSandbox({ root, git: true, config }));
  await knowOpencode(home, await opencodeBinary());
  const [provider, refused] = await Promise.all([startScriptedProvider(), refusedPort()]);
  let number = 0;
  return {
    home,
    sandbox,
    provider,
    makeCase: (options) => makeCase({ sandbox, providerUrl: provider.url, refused, number: ++number }, options),
    start: () => (isOne ? startOne : startTwo)({ sandbox, home }),
    isKnown: isKnownIn(home),
    async close() {
      await provider.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const isKnownIn = (home: string) => async (model: string) =>
  (await readFile(healthPath(home), 'utf8').catch(() => '')).includes(model);

/**
 * The OpenCode that all files of a worker share, for files with their own projects that neither change the user's
 * configuration nor stop it. `close` closes their projects.
 */
export async function sharedWorld(generation: Generation): Promise<World & Readonly<{ life: Life }>> {
  const isOne = generation === 'OpenCode 1';
  const { life, stage } = isOne ? await withLife(sharedStage(), lifeOne) : await withLife(sharedStage2(), lifeTwo);
  const { home, sandbox, provider, makeCase, close } = stage;
  const start = () => (isOne ? startOne : startTwo)({ sandbox, home });
  return { home, sandbox, provider, makeCase, start, isKnown: isKnownIn(home), close, life };
}

type Shared<Server> = Omit<World, 'start' | 'isKnown'> & Readonly<{ server: Server }>;

async function withLife<Server>(opening: Promise<Shared<Server>>, lifeOf: (server: Server) => Life) {
  const stage = await opening;
  return { stage, life: lifeOf(stage.server) };
}
