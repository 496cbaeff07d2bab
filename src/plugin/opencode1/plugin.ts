import { openCompanion } from '../companion';
import { installFetch, noteRequest, releaseFetch } from './fetch-hook';
import { REQUEST_HEADER } from './guarded-request';
import { type Instance, remember, turnOf } from './instance';
import { hideLeftovers, sayContinue, tidyAtEnd, tidyAtIdle } from './leftovers';
import { pairOf, refOf } from './model-ref';
import { stripOwnKeys, usesSharedKey } from './own-keys';
import { applyRepoint, mendStaleWrite } from './repoint';
import type {
  BusEvent,
  ChatHeadersInput,
  ChatMessageInput,
  ChatMessageOutput,
  Client,
  Hooks,
  OpenCodeConfig,
  PluginInput,
} from './types';

/** Agents OpenCode runs for its own housekeeping. */
const INTERNAL_AGENTS = new Set(['title', 'compaction', 'summary']);

/** Where the companion announces itself in OpenCode's log. */
const SERVICE = 'understudy';

/** The companion in one directory of an OpenCode 1.x process. */
export async function startOpenCode1({ client, directory }: PluginInput): Promise<Hooks> {
  const companion = await openCompanion({
    directory,
    warn: (message) => tellUser(client, message),
    version: () => versionOf(client),
  });
  const instance: Instance = {
    companion,
    client,
    directory,
    latest: new Map(),
    parents: new Map(),
    turns: new Map(),
    pending: new Map(),
    written: new Map(),
    leftovers: new Map(),
    leads: {},
    sharedKeyAgents: new Set(),
    defaultModel: null,
    isGone: false,
  };
  installFetch();
  return {
    config: guarded('config', client, (config) => readModels(instance, config)),
    'chat.message': guarded('chat.message', client, (input, output) => onMessage(instance, input, output)),
    'chat.params': guarded('chat.params', client, (input, output) =>
      stripOwnKeys(output.options, instance.sharedKeyAgents.has(agentName(input.agent))),
    ),
    'chat.headers': guarded('chat.headers', client, (input, output) => onHeaders(instance, input, output)),
    'experimental.chat.messages.transform': guarded('messages.transform', client, (_, output) => {
      hideLeftovers(instance, output.messages);
      sayContinue(instance, output.messages);
    }),
    event: guarded('event', client, ({ event }) => onEvent(instance, event)),
    dispose: guarded('dispose', client, () => close(instance)),
  };
}

/** A hook that never throws into OpenCode: what goes wrong in it is logged, and OpenCode goes on without us. */
function guarded<Args extends unknown[]>(
  name: string,
  client: Client,
  hook: (...args: Args) => void | Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await hook(...args);
    } catch (error) {
      const message = `${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
      writeLog(client, 'error', message);
    }
  };
}

/** Makes a call whose failure, thrown or rejected, is nobody's business. */
async function quietly<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch {
    return null;
  }
}

function writeLog(client: Client, level: 'warn' | 'error', message: string): void {
  void quietly(() => client.app.log({ body: { service: SERVICE, level, message } }));
}

function tellUser(client: Client, message: string): void {
  writeLog(client, 'warn', message);
  void quietly(() => client.tui.showToast({ body: { title: 'Understudy', message, variant: 'warning' } }));
}

async function versionOf(client: Client): Promise<string> {
  const answer = await quietly(() => client._client.get({ url: '/global/health' }));
  const version = (answer?.data as { version?: unknown } | undefined)?.version;
  return typeof version === 'string' ? version : '';
}

/** The models OpenCode is configured with. */
function readModels(instance: Instance, config: OpenCodeConfig): void {
  const model = (value: unknown): string | null => (typeof value === 'string' && value.includes('/') ? value : null);
  instance.defaultModel = model(config.model);
  const agents = Object.entries(config.agent ?? {}).filter(([, agent]) => agent && agent.disable !== true);
  instance.leads = Object.fromEntries(agents.map(([name, agent]) => [name, model(agent?.model)]));
  instance.sharedKeyAgents = new Set(agents.filter(([, agent]) => agent && usesSharedKey(agent)).map(([name]) => name));
  const { leads, defaultModel } = instance;
  instance.companion.configure({ leads, defaultModel });
  // Not waited for: OpenCode may still be starting what answers it.
  void modelsOf(instance.client).then((models) => {
    if (models.length > 0 && !instance.isGone) instance.companion.configure({ leads, defaultModel, models });
  });
}

/** Every model OpenCode could use, by name alone: what else the answer holds, keys among it, is not looked at. */
async function modelsOf(client: Client): Promise<string[]> {
  try {
    const { data } = await client.config.providers();
    return (data?.providers ?? []).flatMap(({ id, models }) =>
      Object.keys(models ?? {}).map((model) => `${id}/${model}`),
    );
  } catch {
    return [];
  }
}

/** A prompt arrives: it goes to whoever can speak. */
async function onMessage(instance: Instance, input: ChatMessageInput, output: ChatMessageOutput): Promise<void> {
  const { message } = output;
  if (applyRepoint(instance, input.sessionID, output)) return;
  if (await instance.companion.refresh()) redirect(instance, input, output);
  remember(instance.latest, input.sessionID, structuredClone(message));
}

function redirect(instance: Instance, input: ChatMessageInput, { message }: ChatMessageOutput): void {
  const parent = instance.parents.get(input.sessionID);
  const [decision] = instance.companion.brain.tell({
    type: 'prompt.submitted',
    turn: message.id,
    session: input.sessionID,
    directory: instance.directory,
    agent: message.agent,
    model: refOf(message.model),
    hostLead: instance.leads[message.agent] ?? instance.defaultModel,
    isExplicit: input.model !== undefined,
    ...(parent ? { parentSession: parent } : {}),
  });
  const action = decision?.action;
  if (action && 'to' in action && action.to !== refOf(message.model))
    message.model = { ...message.model, ...pairOf(action.to) };
}

const agentName = (agent: ChatHeadersInput['agent']): string => (typeof agent === 'string' ? agent : agent.name);

/** A request is about to be made: number it, so that the fetch wrapper knows whose it is. */
function onHeaders(instance: Instance, input: ChatHeadersInput, output: { headers: Record<string, string> }): void {
  if (!instance.companion.isArmed()) return;
  const { sessionID: session, message: user } = input;
  const agent = agentName(input.agent);
  const turn = turnOf(instance, session, user.id);
  const isInternal = INTERNAL_AGENTS.has(agent);
  const clone = structuredClone(user);
  if (!isInternal) turn.user = clone;
  output.headers[REQUEST_HEADER] = noteRequest({
    instance,
    session,
    user: clone,
    agent,
    model: `${input.model.providerID}/${input.model.id}`,
    npm: input.model.api?.npm ?? '',
    isInternal,
    turn,
  });
}

async function onEvent(instance: Instance, event: BusEvent): Promise<void> {
  switch (event.type) {
    case 'message.updated':
      if (event.properties.info.role === 'user') await mendStaleWrite(instance, event.properties.info);
      return;
    case 'session.created':
    case 'session.updated':
      if (event.properties.info.parentID)
        remember(instance.parents, event.properties.info.id, event.properties.info.parentID);
      return;
    case 'session.deleted':
      if (instance.companion.isArmed())
        instance.companion.brain.tell({ type: 'session.closed', session: event.properties.info.id });
      return;
    case 'session.idle':
      if (instance.companion.isArmed())
        instance.companion.brain.tell({ type: 'session.idle', session: event.properties.sessionID });
      await tidyAtIdle(instance, event.properties.sessionID);
      return;
    case 'other':
      return;
  }
}

async function close(instance: Instance): Promise<void> {
  if (instance.isGone) return;
  instance.isGone = true;
  await tidyAtEnd(instance);
  releaseFetch();
  instance.companion.close();
}
