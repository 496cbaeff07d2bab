import type {
  CommandDefinition,
  ModelRef,
  PluginContext,
  Said,
  Sessions,
} from '../../../src/plugin/opencode2/session/types';
import { emptyAnswer, readChat } from './wire';
import { type EmittedEvent, infoOf, isSameModel, modelOf, type SessionState, type World } from './world';

export type Registered = Readonly<{
  commands: Map<string, CommandDefinition>;
  storage: Map<string, unknown>;
  listeners: Set<(event: EmittedEvent) => void>;
}>;

/** Listed before the configuration is read: a model that needs no key. */
const BUILT_IN = {
  providerID: 'opencode',
  id: 'built-in-free',
  enabled: true,
  status: 'active',
  capabilities: { tools: true, input: ['text'] },
  limit: { context: 128_000 },
} as const;

/** The context of `setup`, as documented and changed by the knobs. */
export function contextOf(world: World, { commands, storage, listeners }: Registered, version: string): PluginContext {
  const { knobs, models, agents, defaultModel } = world;
  const configured = models.map(({ ref, contextTokens }) => ({
    ...ref,
    enabled: true,
    status: 'active',
    capabilities: { tools: true, input: ['text'] },
    limit: { context: contextTokens ?? 128_000 },
  }));
  return {
    app: { name: 'opencode', version, channel: 'latest' },
    location: { directory: world.directory },
    options: {},
    storage: {
      get: async (key) => storage.get(key),
      set: async (key, value) => void storage.set(key, value),
      remove: async (key) => void storage.delete(key),
      scan: async ({ prefix, limit = 100 }) => ({
        entries: [...storage.entries()]
          .filter(([key]) => key.startsWith(prefix))
          .slice(0, limit)
          .map(([key, value]) => ({ key, value })),
      }),
    },
    model: knobs.hasModelList
      ? {
          list: async () => (world.isConfigured() ? [BUILT_IN, ...configured] : [BUILT_IN]),
          default: async () =>
            world.isConfigured() ? defaultModel : { providerID: BUILT_IN.providerID, id: BUILT_IN.id },
        }
      : {},
    provider: {
      list: async () =>
        [...new Set(world.isConfigured() ? models.map(({ ref }) => ref.providerID) : [])].map((id) => ({ id })),
    },
    agent: {
      list: async () =>
        Object.entries(agents).map(([id, { model }]) => ({ id, ...(model && world.isConfigured() ? { model } : {}) })),
    },
    command: {
      async transform(callback) {
        callback({ add: (definition) => void commands.set(definition.name, definition) });
        return { dispose: async () => undefined };
      },
    },
    ...(knobs.hasEvents ? { event: { subscribe: ({ signal }) => subscription(listeners, signal) } } : {}),
    generate: { text: async ({ prompt, model }) => ({ text: await generated(world, prompt, model ?? defaultModel) }) },
    session: sessionsOf(world),
  };
}

function sessionsOf(world: World): Sessions {
  const find = (id: string): SessionState => {
    const session = world.sessions.get(id);
    if (session === undefined) throw new Error(`Session not found: ${id}`);
    return session;
  };
  return {
    hook: (name, callback, filter) => world.hooks.register(name, callback as (event: never) => unknown, filter),
    get: async ({ sessionID }) => infoOf(find(sessionID)),
    async switchModel({ sessionID, model }) {
      if (world.knobs.switchModel === 'rejects') throw new Error('switchModel is not allowed');
      if (world.knobs.switchModel === 'works') selectModel(world, find(sessionID), model);
    },
    synthetic: async (said) => say(world, find(said.sessionID), 'synthetic', said),
    async prompt(said) {
      const event = { sessionID: said.sessionID, messageID: world.nextId('msg'), prompt: { text: said.text } };
      await world.hooks.run('prompt', event);
      say(world, find(said.sessionID), 'prompt', { ...said, text: event.prompt.text });
    },
    interrupt: async ({ sessionID }) => find(sessionID).running?.abort(),
  };
}

/** Generates text without a session: no hooks and no retry. */
async function generated({ models, limits }: World, prompt: string, { providerID, id }: ModelRef): Promise<string> {
  const offered = models.find(({ ref }) => ref.providerID === providerID && ref.id === id);
  if (!offered) throw new Error(`Model not found: ${providerID}/${id}`);
  const body = JSON.stringify({ model: id, stream: true, messages: [{ role: 'user', content: prompt }] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${offered.baseURL}/chat/completions`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`Generate.UnavailableError: ${response.status}`);
  const answer = emptyAnswer();
  await readChat(response, answer, limits.chunkMs);
  return answer.text;
}

/** Selects a session's model permanently; selecting the same one has no effect. */
export function selectModel(world: World, session: SessionState, model: ModelRef): void {
  const previous = session.model;
  if (previous !== null && isSameModel(previous, model)) return;
  session.model = model;
  session.rows.push({ type: 'model-switched', model });
  world.emit('session.model.selected', {
    sessionID: session.id,
    model,
    previous: previous ?? modelOf(world, { ...session, model: null }),
  });
}

/** Adds a text to a session's inbox, and wakes the session unless it must wait. */
export function say(world: World, session: SessionState, kind: 'prompt' | 'synthetic', said: Said): void {
  session.inbox.push({ kind, text: said.text, delivery: said.delivery ?? 'steer', wakes: said.resume !== false });
  world.emit('session.inbox.enqueued', { sessionID: session.id });
  if (said.resume !== false) world.wake(session);
}

async function* subscription(listeners: Registered['listeners'], signal: AbortSignal): AsyncGenerator<EmittedEvent> {
  const waiting: EmittedEvent[] = [];
  let wake = (): void => undefined;
  const listener = (event: EmittedEvent): void => {
    waiting.push(event);
    wake();
  };
  listeners.add(listener);
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      const event = waiting.shift();
      if (event) yield event;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    listeners.delete(listener);
  }
}
