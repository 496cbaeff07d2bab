import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PluginKey } from '../../../src/core/edits';
import { refusedPort, startScriptedProvider } from '../../../src/demo/scripted-provider';
import {
  createSandbox,
  type EventStream,
  isOf,
  type Opencode2Server,
  type OpencodeBinary,
  type Sandbox,
  startOpencode2,
  textsIn,
} from '../../../src/node/opencode';
import { companionFolder, putCompanion } from '../../../src/node/setup/companion-files';
import { builtPlugin } from '../built-companion';
import {
  type Case,
  type CaseOptions,
  type CasePlace,
  lean,
  type MakeNeighbours,
  makeCase,
  makeNeighbours,
} from '../stage';
import type { Ended } from './host';
import type { Chair, Stage } from './promises';

const ENDS = ['session.execution.succeeded', 'session.execution.failed', 'session.execution.interrupted'];
/** In ms. */
const TURN_LIMIT_MS = 120_000;

export type RealStage = Stage &
  Readonly<{
    sandbox: Sandbox;
    server: Opencode2Server;
    events: EventStream;
    home: string;
    projects: readonly string[];
    makeCase(options?: CaseOptions): Promise<Case>;
    makeNeighbours: MakeNeighbours;
    /** Opens a session, without a chosen model unless an agent or model is given. */
    sitIn(directory: string, options?: Parameters<Opencode2Server['createSession']>[1]): Promise<Seat>;
    close(): Promise<void>;
  }>;

type StageOptions = Readonly<{ isThrifty?: boolean; before?: readonly string[]; after?: readonly string[] }>;

export type Seat = Readonly<{ id: string; ask(text: string): Promise<Ended>; said(): Promise<readonly string[]> }>;

/** The OpenCode 2 under test; its path is empty if there is none. */
export const opencode2Binary = (): OpencodeBinary => ({ path: process.env.OPENCODE2_BIN ?? '', version: '2' });

/**
 * Starts an OpenCode 2 for all cases of a file; it has only configured models.
 * @param list configuration list that names the companion; null for none.
 * @param isThrifty disables garbage collection, see `thrifty`; not for many projects.
 * @param before Plugin folders that load before the companion.
 * @param after Plugin folders that load after it.
 */
export async function openRealStage(
  list: PluginKey | null = 'plugins',
  { isThrifty = true, before = [], after = [] }: StageOptions = {},
): Promise<RealStage> {
  const root = await mkdtemp(join(tmpdir(), 'us2-'));
  const home = join(root, 'u');
  const put = await putCompanion({ home, source: builtPlugin() });
  if (!put.ok) throw new Error(put.reason);
  const plugins = [...before, companionFolder(home), ...after].map((folder) => pathToFileURL(folder).href);
  const loading = list === null ? {} : { [list]: plugins };
  const made = await lean(await createSandbox({ root, git: true, config: loading }), { isThrifty });
  const projects: string[] = [];
  const addProject: Sandbox['addProject'] = async (...project) => {
    const directory = await made.addProject(...project);
    projects.push(directory);
    return directory;
  };
  const sandbox = { ...made, addProject };
  const [provider, refused] = await Promise.all([startScriptedProvider(), refusedPort()]);
  const server = await startOpencode2({ binary: opencode2Binary(), sandbox, env: { UNDERSTUDY_HOME: home } });
  const events = await server.events();
  let number = 0;
  const place = (): CasePlace => ({ sandbox, providerUrl: provider.url, refused, number: ++number });
  const make = (options: CaseOptions = {}) => makeCase(place(), options);
  return {
    provider,
    sandbox,
    server,
    events,
    home,
    projects,
    makeCase: make,
    makeNeighbours: (options, shared) => makeNeighbours(options.map(place), options, shared),
    sitIn: (directory, options) => seatIn(server, events, { directory, ...(options ? { options } : {}) }),
    async open({ models = 2, defaults = {}, config: more, agentModels = {}, hasTitles = false, steps } = {}) {
      const written = (names: readonly string[]) => (typeof more === 'function' ? more(names) : (more ?? {})).agents;
      const { ids, chain, directory } = await make({
        models,
        defaults,
        ...(more ? { agents: (names) => written(names) as Readonly<Record<string, unknown>> } : {}),
        config: (names) => ({
          agent: {
            title: { disable: !hasTitles },
            ...(steps === undefined ? {} : { build: { steps } }),
            ...helpersOf(agentModels, names),
          },
        }),
      });
      const asked = () => ids.map((id) => provider.requests(id).length);
      return {
        ids,
        chain,
        asked,
        sit: (wish) => chairIn(server, events, { directory, ...(wish ? { options: wish } : {}) }),
      };
    },
    async close() {
      await server.stop();
      await provider.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const helpersOf = (models: Readonly<Record<string, number>>, chain: readonly string[]) =>
  Object.fromEntries(
    Object.entries(models).map(([agent, at]) => [agent, { mode: 'all', description: 'Helps', model: chain[at] }]),
  );

type Place = Readonly<{ directory: string; options?: Parameters<Opencode2Server['createSession']>[1] }>;

async function seatIn(server: Opencode2Server, events: EventStream, { directory, options }: Place): Promise<Seat> {
  const { id } = await server.createSession(directory, options);
  return {
    id,
    ask: (text) => turn(server, events, { id, text }),
    said: async () => textsIn(await server.messages(id)),
  };
}

async function turn(
  server: Opencode2Server,
  events: EventStream,
  { id, text }: Readonly<{ id: string; text: string }>,
): Promise<Ended> {
  const isEnd = (event: Readonly<{ type: string }>) => ENDS.includes(event.type);
  const ending = events.next((event) => isEnd(event) && isOf(id)(event), TURN_LIMIT_MS);
  const [ended] = await Promise.all([ending, server.prompt(id, text)]);
  // A turn that continues after its end runs again by now.
  await server.settled(id);
  const last = events.seen().findLast((event) => isEnd(event) && isOf(id)(event)) ?? ended;
  if (last.type === 'session.execution.succeeded') return 'succeeded';
  if (last.type === 'session.execution.interrupted') return 'interrupted';
  return last.properties.error as Ended;
}

/** Matches the fake host: the session begins with the first message. */
function chairIn(server: Opencode2Server, events: EventStream, place: Place): Chair {
  const opening = seatIn(server, events, place);
  let said: readonly string[] = [];
  let sessionID = '';
  const seen = (type: string) => events.seen().filter((event) => event.type === type && isOf(sessionID)(event));
  return {
    async ask(text) {
      const seat = await opening;
      sessionID = seat.id;
      const ended = await seat.ask(text);
      said = await seat.said();
      return ended;
    },
    async compact() {
      const { id } = await opening;
      const ending = events.next(
        (event) => /^session\.compaction\.(ended|failed)$/.test(event.type) && isOf(id)(event),
        TURN_LIMIT_MS,
      );
      const [done] = await Promise.all([ending, server.request('POST', `/session/${id}/compact`, { body: {} })]);
      await server.settled(id);
      return done.type === 'session.compaction.ended' ? String(done.properties.text) : null;
    },
    stop: () => void opening.then(({ id }) => server.request('POST', `/session/${id}/interrupt`)),
    async command(name, text = '') {
      const { id } = await opening;
      await server.request('POST', `/session/${id}/command`, { body: { name, text } });
    },
    said: () => said,
    told: () =>
      seen('session.inbox.enqueued').flatMap(({ properties }) => {
        const { type, payload } = properties.item as Readonly<{ type: string; payload: Readonly<{ text: string }> }>;
        return type === 'synthetic' ? [payload.text] : [];
      }),
    retried: () =>
      seen('session.retry.scheduled').map(
        ({ properties }) => (properties.error as Readonly<{ message: string }>).message,
      ),
  };
}
