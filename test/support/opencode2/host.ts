import type { ModelRef, SessionError } from '../../../src/plugin/opencode2/session/types';
import type { Sleep } from './clock';
import { realTime } from './clock';
import { contextOf, type Registered, say, selectModel } from './context';
import { createHooks } from './hooks';
import { type Plugin, refuseDoubles } from './loader';
import { compact, execute } from './runner';
import {
  AS_DOCUMENTED,
  type EmittedEvent,
  type Knobs,
  type Offered,
  type Row,
  type SessionState,
  type World,
} from './world';

export type PlaceOptions = Readonly<{
  directory: string;
  models: readonly Offered[];
  /** Defaults to the first model. */
  defaultModel?: ModelRef;
  agents?: World['agents'];
  plugins: readonly Plugin[];
  knobs?: Partial<Knobs>;
  sleep?: Sleep;
  limits?: World['limits'];
  tools?: Readonly<Record<string, World['tools'] extends Map<string, infer T> ? T : never>>;
  hasTitles?: boolean;
  version?: string;
  /** Sessions and plugin storage of a killed OpenCode. */
  left?: Pick<Place, 'world' | 'storage'>;
}>;

export type Ended = 'succeeded' | 'interrupted' | SessionError;

export type Seat = Readonly<{
  id: string;
  state: SessionState;
  /** Sends a prompt. @returns its result, once nothing runs or waits. */
  ask(text: string): Promise<Ended>;
  stop(): void;
  select(model: ModelRef): void;
  compact(): Promise<string | null>;
  command(name: string, text?: string): Promise<void>;
  said(): readonly string[];
  /** Plugin texts in the inbox, in order. */
  told(): readonly string[];
  retried(): readonly string[];
  rows(): readonly Row[];
}>;

export type Place = Readonly<{
  world: World;
  events: readonly EmittedEvent[];
  commands: Registered['commands'];
  storage: Registered['storage'];
  listeners(): number;
  sit(options?: Wish): Seat;
  /** Resolves when no session runs or has pending input. */
  settled(): Promise<void>;
  /** Resolves when `fits` holds after an event; rejects after 10 s. */
  until(fits: () => boolean): Promise<void>;
  sessions(): readonly SessionState[];
  /**
   * Ends plugins as the end of a location does, the newest first: later hooks, then awaited cleanups, then the first
   * hooks. [seen: 2.0.15]
   */
  close(): Promise<void>;
  /** Ends as a killed process, without clean-up. */
  kill(): Promise<void>;
}>;

/** Loads plugins in order. @throws Error if the loader rejects them. */
export async function openPlace(options: PlaceOptions): Promise<Place> {
  const { world, events, executions, registered, configured } = makeWorld(options);
  refuseDoubles(options.plugins);
  const cleanups: unknown[] = [];
  for (const plugin of options.plugins)
    cleanups.push(await plugin.setup(contextOf(world, registered, options.version ?? '2.0.15')));
  const begun = world.hooks.soFar();
  configured();
  const settled = async (): Promise<void> => {
    const asides = [...world.sessions.values()].flatMap((session) => session.asides.splice(0));
    const running = [...executions, ...asides];
    await Promise.all(running);
    if (executions.size > 0) await settled();
  };
  return {
    world,
    events,
    commands: registered.commands,
    storage: registered.storage,
    listeners: () => world.hooks.count() + registered.listeners.size,
    settled,
    until: (fits) => untilEvent(registered.listeners, fits),
    sit: (wish = {}) => seatOf(world, { wish, events, settled, registered }),
    sessions: () => [...world.sessions.values()],
    async close() {
      world.hooks.clear(begun);
      for (const cleanup of cleanups.splice(0)) if (typeof cleanup === 'function') await cleanup();
      world.hooks.clear();
    },
    async kill() {
      world.hooks.clear();
      registered.listeners.clear();
      for (const session of world.sessions.values()) session.running?.abort();
      await Promise.all(executions);
    },
  };
}

function untilEvent(listeners: Registered['listeners'], fits: () => boolean): Promise<void> {
  if (fits()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const listener = (): void => {
      if (fits()) end(resolve);
    };
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      listeners.delete(listener);
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error('it did not come to that within 10 s'))), 10_000);
    listeners.add(listener);
  });
}

/** Ids are unique across locations. */
let ids = 0;
const nextId = (kind: string): string => `${kind}_${String(++ids).padStart(6, '0')}`;

function makeWorld(options: PlaceOptions) {
  const knobs: Knobs = { ...AS_DOCUMENTED, ...options.knobs };
  const events: EmittedEvent[] = [];
  const executions = new Set<Promise<void>>();
  let isConfigured = false;
  const { left } = options;
  const registered: Registered = { commands: new Map(), storage: left?.storage ?? new Map(), listeners: new Set() };
  const { directory, models, agents = { build: {}, plan: {} } } = options;
  const defaultModel = options.defaultModel ?? models[0]?.ref;
  if (defaultModel === undefined) throw new RangeError('a host needs at least one model, got none');
  const world: World = {
    directory,
    models,
    agents,
    defaultModel,
    knobs,
    sleep: options.sleep ?? realTime,
    limits: options.limits ?? { headerMs: 300_000, chunkMs: 300_000 },
    hooks: createHooks(knobs.shape, knobs.hookCalls),
    tools: new Map(Object.entries(options.tools ?? {})),
    sessions: left?.world.sessions ?? new Map(),
    hasTitles: options.hasTitles ?? false,
    nextId,
    isConfigured: () => isConfigured,
    emit(type, data) {
      const event = { id: nextId('evt'), created: Date.now(), type, location: { directory }, data };
      events.push(event);
      for (const listener of registered.listeners) listener(event);
    },
    wake(session) {
      if (session.running !== null) return;
      const execution = execute(world, session).finally(() => executions.delete(execution));
      executions.add(execution);
    },
  };
  world.tools.set('subagent', (args, parent) => runChild({ world, parent, args }));
  const read = (): void => {
    isConfigured = true;
    for (const kind of ['model', 'provider', 'agent']) world.emit(`${kind}.updated`, {});
  };
  return { world, events, executions, registered, configured: read };
}

type Wish = Readonly<{ agent?: string; model?: ModelRef; parentID?: string; session?: SessionState }>;

function addSession(world: World, { agent = 'build', model, parentID }: Wish): SessionState {
  const session: SessionState = {
    id: world.nextId('ses'),
    parentID: parentID ?? null,
    agent,
    model: model ?? null,
    rows: [],
    inbox: [],
    title: null,
    running: null,
    asides: [],
  };
  world.sessions.set(session.id, session);
  world.emit('session.created', {
    sessionID: session.id,
    agent,
    ...(parentID ? { parentID } : {}),
    ...(model ? { model } : {}),
  });
  return session;
}

type Child = Readonly<{ world: World; parent: SessionState; args: Readonly<Record<string, unknown>> }>;

/** The tool that calls another agent: a separate session with the model of the call, its agent or its parent. */
async function runChild({ world, parent, args }: Child): Promise<string> {
  const agent = String(args.agent);
  const model = world.agents[agent]?.model ?? parent.model ?? world.defaultModel;
  const child = addSession(world, { agent, model, parentID: parent.id });
  child.inbox.push({ kind: 'prompt', text: String(args.prompt), delivery: 'steer', wakes: true });
  await execute(world, child);
  return textsOf(child).at(-1) ?? 'The sub-agent failed.';
}

const textsOf = ({ rows }: SessionState): readonly string[] =>
  rows.flatMap((row) =>
    row.type === 'assistant' && row.status === 'done' && row.answer.text !== '' ? [row.answer.text] : [],
  );

type Around = Readonly<{
  wish: Wish;
  events: readonly EmittedEvent[];
  settled: () => Promise<void>;
  registered: Registered;
}>;

function seatOf(world: World, { wish, events, settled, registered }: Around): Seat {
  const state = wish.session ?? addSession(world, wish);
  const { id } = state;
  return {
    id,
    state,
    async ask(text) {
      const event = { sessionID: id, messageID: world.nextId('msg'), prompt: { text } };
      await world.hooks.run('prompt', event);
      say(world, state, 'prompt', { sessionID: id, text: event.prompt.text });
      await settled();
      return endOf(events, id);
    },
    stop: () => state.running?.abort(),
    select: (model) => selectModel(world, state, model),
    compact: () => compact(world, state),
    async command(name, text = '') {
      const definition = registered.commands.get(name);
      if (definition === undefined) throw new Error(`there is no command ${name}`);
      await definition.execute({ sessionID: id, prompt: { text } });
    },
    said: () => textsOf(state),
    told: () => state.inbox.flatMap(({ kind, text }) => (kind === 'synthetic' ? [text] : [])),
    retried: () =>
      events.flatMap(({ type, data }) =>
        type === 'session.retry.scheduled' && data.sessionID === id ? [(data.error as SessionError).message] : [],
      ),
    rows: () => state.rows,
  };
}

function endOf(events: readonly EmittedEvent[], sessionID: string): Ended {
  const last = events.findLast(({ type, data }) => data.sessionID === sessionID && /execution\.(?!started)/.test(type));
  if (last?.type === 'session.execution.succeeded') return 'succeeded';
  if (last?.type === 'session.execution.interrupted') return 'interrupted';
  return (last?.data.error ?? { type: 'none', message: 'nothing ended' }) as SessionError;
}
