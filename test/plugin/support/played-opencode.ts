import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createUsageBook } from '../../../src/core/history/usage';
import type { EngineEvent, ScopeConfig } from '../../../src/engine';
import { createBrain } from '../../../src/plugin/base/brain';
import { newInstance, newMemory } from '../../../src/plugin/opencode1/memory/instance';
import { pairOf, refOf } from '../../../src/plugin/opencode1/memory/model-ref';
import type {
  AssistantInfo,
  BusEvent,
  Client,
  HistoryMessage,
  Part,
  UserMessage,
} from '../../../src/plugin/opencode1/memory/types';
import { openVoice } from '../../../src/plugin/opencode1/memory/voice';
import { hooksOf } from '../../../src/plugin/opencode1/plugin';
import { watchFirstTokens } from '../../../src/plugin/runtime/first-tokens';
import type { Companion } from '../../../src/plugin/runtime/host';
import { openSelfCheck } from '../../../src/plugin/runtime/self-check';
import { trackUserPrompts } from '../../../src/plugin/runtime/user-prompts';
import { tempFolder } from '../../node/temp-folder';
import { DIRECTORY, scopeOf } from './opencode-double';

export const [LEAD, SPARE, THIRD] = ['lead/one', 'spare/two', 'third/three'] as const;

/** Where a host may differ from the OpenCode of today. */
export type Knobs = {
  /** Tells whose request it is before it is made. */
  hasHeaders: boolean;
  /** Reads the model of the message anew before each step. */
  rereads: boolean;
  /** Takes another step after one that ended for tool calls. */
  goesOn: boolean;
  /** Answers a message again that is there already. */
  answersAgain: boolean;
  /** Deletes messages. */
  deletes: boolean;
  /** Says twice that a session rests: before and after it has written down how its turn failed. */
  restsTwice: boolean;
  /** Requests pass the fetch of the process. */
  usesFetch: boolean;
  /** What another plugin does to a message when it is written. */
  other: (message: UserMessage, before: UserMessage | null, isBusy: boolean) => void;
};
const TODAY: Knobs = {
  ...{ hasHeaders: true, rereads: true, goesOn: true, answersAgain: true, deletes: true, restsTwice: true },
  ...{ usesFetch: true, other: () => undefined },
};

/** How a provider answers a model: a text, or a status. */
export type Scripts = Readonly<Record<string, readonly (string | number)[]>>;

type Session = {
  id: string;
  parentID?: string;
  title: string;
  messages: HistoryMessage[];
  busy: number;
  stop: AbortController;
};
type Prompt = Readonly<{
  messageID?: string;
  noReply?: boolean;
  agent?: string;
  model?: UserMessage['model'];
  variant?: string;
  system?: string;
  tools?: Record<string, boolean>;
  parts: Part[];
}>;

const STEPS_MAX = 12;
const MODELS = [LEAD, SPARE, THIRD];
/** One at a time has the fetch of the process. */
const own = globalThis.fetch;

/**
 * A small OpenCode 1 with the companion in it: sessions, its loop, its hooks and its bus, as seen on real ones. Its
 * providers answer by script, and every request that reaches one is noted.
 */
export async function playOpenCode(
  knobs: Partial<Knobs> = {},
  scripts: Scripts = {},
  scope: Partial<ScopeConfig> = {},
) {
  const host = { ...TODAY, ...knobs };
  const home = join(await tempFolder(), 'u');
  const before = process.env.UNDERSTUDY_HOME;
  process.env.UNDERSTUDY_HOME = home;
  const sessions = new Map<string, Session>();
  const told: string[] = [];
  const asked: string[] = [];
  const events: BusEvent[] = [];
  let number = 100;
  const next = (kind: string): string => `${kind}_${number++}`;

  const provider = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const { model } = JSON.parse(String(init?.body)) as { model: string };
    const name = MODELS.find((ref) => ref.endsWith(`/${model}`)) ?? model;
    const script = scripts[name] ?? ['HELLO'];
    const turn = asked.filter((other) => other === name).length;
    asked.push(name);
    const said = script[Math.min(turn, script.length - 1)] ?? 'HELLO';
    return typeof said === 'number'
      ? Response.json({ error: { message: `status ${said}` } }, { status: said })
      : new Response(said === '' ? '' : chat(said), { headers: { 'content-type': 'text/event-stream' } });
  };
  globalThis.fetch = provider as typeof fetch;

  const brain = createBrain(undefined, () => 0.5);
  const seen: EngineEvent[] = [];
  brain.onStep((_, event) => void seen.push(event));
  const chain = [LEAD, SPARE, THIRD];
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf(chain, scope) });
  const selfCheck = openSelfCheck({
    ...{ home, plugin: '1.0.0', version: Promise.resolve('1.19.0'), build: Promise.resolve('a') },
    tell: (message) => void told.push(message),
    // A proof is made when a turn waits for it, or by the test.
    schedule: () => () => undefined,
  });
  const companion: Companion = {
    ...{ instance: 'test', brain, usage: createUsageBook(), configure: () => undefined, refresh: async () => true },
    ...{
      isArmed: () => true,
      titled: () => undefined,
      noteAsked: () => undefined,
      named: (_: unknown, evidence) => evidence,
      onDrill: () => undefined,
      selfCheck,
    },
    firstTokens: watchFirstTokens(brain, () => () => undefined),
    userPrompts: trackUserPrompts(brain),
    heardLimits: () => undefined,
    heardLimitsIn: () => undefined,
    spendOf: () => undefined,
    limits: () => ({ firstTokenTimeoutMs: 5_000, stallTimeoutMs: 5_000 }),
    close: async () => undefined,
  };

  const emit = (event: BusEvent): void => {
    events.push(structuredClone(event));
    void hooks.event?.({ event: structuredClone(event) });
  };
  const sessionOf = (id: string): Session => {
    const session = sessions.get(id);
    if (!session) throw new Error(`no session ${id}`);
    return session;
  };

  async function prompt({ path, body }: { path: { id: string }; body: Record<string, unknown> }) {
    const session = sessionOf(path.id);
    const { messageID, noReply, agent = 'build', model, variant, system, tools, parts } = body as Prompt;
    const present = session.messages.find(({ info }) => info.id === messageID);
    const old = present?.info.role === 'user' ? present.info : null;
    if (old && !noReply && !host.answersAgain) return { error: { name: 'NotFound' } };
    const message: UserMessage = {
      ...{ id: messageID ?? next('msg'), sessionID: session.id, role: 'user', agent, time: { created: number } },
      model: { ...(model ?? pairOf(LEAD)), ...(variant ? { variant } : {}) },
      ...(system ? { system } : {}),
      ...(tools ? { tools } : {}),
    };
    const input = { sessionID: session.id, ...(model ? { model } : {}), ...(messageID ? { messageID } : {}) };
    await hooks['chat.message']?.(input, { message, parts });
    host.other(message, old, session.busy > 0);
    if (present) present.info = message;
    else session.messages.push({ info: message, parts: [...parts] });
    emit({ type: 'message.updated', properties: { info: message } });
    return noReply ? { data: { info: message, parts } } : { data: await loop(session) };
  }

  async function loop(session: Session): Promise<HistoryMessage> {
    session.busy++;
    session.stop = new AbortController();
    const newest = (): UserMessage =>
      session.messages.findLast(({ info }) => info.role === 'user')?.info as UserMessage;
    const first = structuredClone(newest());
    try {
      for (let steps = 1; ; steps++) {
        const user = host.rereads ? structuredClone(newest()) : first;
        const answer = await step(session, user);
        const goesOn = answer.info.role === 'assistant' && /tool-calls|unknown/.test(answer.info.finish ?? '');
        if (!goesOn || !host.goesOn || steps === STEPS_MAX) return answer;
      }
    } finally {
      session.busy--;
      emit({ type: 'session.idle', properties: { sessionID: session.id } });
    }
  }

  async function step(session: Session, user: UserMessage): Promise<HistoryMessage> {
    const { providerID, modelID } = user.model;
    const history = structuredClone(session.messages);
    await hooks['experimental.chat.messages.transform']?.({}, { messages: history });
    const headers: Record<string, string> = {};
    const model = { id: modelID, providerID, api: { npm: '@ai-sdk/openai-compatible' } };
    const asking = { sessionID: session.id, agent: user.agent, model, message: structuredClone(user) };
    if (host.hasHeaders) await hooks['chat.headers']?.(asking, { headers });
    const info: AssistantInfo = {
      ...{ id: next('msg'), sessionID: session.id, role: 'assistant', parentID: user.id, providerID, modelID },
      agent: user.agent,
    };
    const answer: HistoryMessage = { info, parts: [] };
    session.messages.push(answer);
    emit({ type: 'message.updated', properties: { info } });
    const ask = host.usesFetch ? globalThis.fetch : provider;
    const texts = history.flatMap(({ parts }) => parts.flatMap(({ text }) => (text ? [text] : [])));
    const response = await ask('http://provider.invalid/v1/chat/completions', {
      ...{ method: 'POST', headers, body: JSON.stringify({ model: modelID, stream: true, messages: texts }) },
      signal: session.stop.signal,
    }).catch((cause: unknown) => {
      if (!session.stop.signal.aborted) throw cause;
      return null;
    });
    const body = (await response?.text()) ?? '';
    if (response === null) {
      info.error = { name: 'MessageAbortedError', data: { message: 'Aborted' } };
      emit({ type: 'session.error', properties: { sessionID: session.id, error: info.error } });
    } else if (response.ok) {
      const text = textOf(body);
      if (text !== '') answer.parts.push({ type: 'text', text });
      info.finish = /"finish_reason":"tool_calls"/.test(body) ? 'tool-calls' : body === '' ? 'unknown' : 'stop';
    } else {
      info.error = { name: 'APIError', data: { message: body, statusCode: response.status, responseBody: body } };
      emit({ type: 'session.error', properties: { sessionID: session.id, error: info.error } });
      if (host.restsTwice) emit({ type: 'session.idle', properties: { sessionID: session.id } });
    }
    info.time = { completed: number };
    emit({ type: 'message.updated', properties: { info } });
    return answer;
  }

  const client: Client = {
    session: {
      async create({ body }) {
        const session: Session = {
          id: next('ses'),
          title: body.title ?? '',
          messages: [],
          busy: 0,
          stop: new AbortController(),
        };
        if (body.parentID) session.parentID = body.parentID;
        sessions.set(session.id, session);
        emit({ type: 'session.created', properties: { info: { id: session.id, ...body } } });
        return { data: { id: session.id } };
      },
      async delete({ path }) {
        const gone = [...sessions.values()].filter(({ id, parentID }) => parentID === path.id || id === path.id);
        for (const { id } of gone.reverse()) {
          sessions.delete(id);
          emit({ type: 'session.deleted', properties: { info: { id } } });
        }
        return { data: true };
      },
      async abort({ path }) {
        sessionOf(path.id).stop.abort(new DOMException('Aborted', 'AbortError'));
        return {};
      },
      prompt,
      messages: async ({ path }) => ({ data: structuredClone(sessionOf(path.id).messages) }),
    },
    config: {
      providers: async () => ({
        data: {
          providers: MODELS.map(pairOf).map(({ providerID, modelID }) => ({
            ...{ id: providerID, source: 'config' },
            models: { [modelID]: { api: { npm: '@ai-sdk/openai-compatible' } } },
          })),
        },
      }),
    },
    app: { log: async () => ({}) },
    tui: {
      showToast: async ({ body }) => void told.push(`toast: ${body.message}`) as never,
      publish: async () => ({}),
    },
    _client: {
      post: async () => ({}),
      get: async ({ query }) => ({
        data: [...sessions.values()].filter(({ title }) => !query?.search || title.includes(String(query.search))),
      }),
      patch: async () => ({}),
      async delete({ path }) {
        const session = sessionOf(path.id ?? '');
        if (!host.deletes || session.busy > 0) return { error: { name: 'Refused' } };
        session.messages = session.messages.filter(({ info }) => info.id !== path.message);
        return { data: true };
      },
    },
  };
  const instance = newInstance(companion, client, DIRECTORY, openVoice(client), newMemory());
  instance.exitsAtRest = false;
  instance.staysOpen = true;
  const hooks = hooksOf(instance, () => true);
  onTestFinished(async () => {
    await hooks.dispose?.();
    globalThis.fetch = own;
    if (before === undefined) delete process.env.UNDERSTUDY_HOME;
    else process.env.UNDERSTUDY_HOME = before;
  });
  await hooks.config?.({ model: LEAD });
  await instance.listing;

  return {
    ...{ instance, client, host, home, sessions, told, asked, events, seen, selfCheck },
    close: async () => hooks.dispose?.(),
    /** Sends a message in a session and returns its last answer as OpenCode gives it back. */
    async say(text: string, session?: string) {
      const id = session ?? (await client.session.create({ body: { title: 'A conversation' } })).data?.id ?? '';
      const answer = (await client.session.prompt({ path: { id }, body: { parts: [{ type: 'text', text }] } })).data;
      return { id, answer };
    },
    /** What a session holds: who said it, and the text or the error. */
    history: (id: string): string[] =>
      sessionOf(id).messages.map(({ info, parts }) => {
        const text = parts.map((part) => part.text ?? `[${part.type}]`).join('');
        return info.role === 'user'
          ? `user: ${text} (${refOf(info.model)})`
          : `${refOf(info)}: ${text || (info.error?.name ?? '')}`;
      }),
  };
}

const chat = (text: string): string =>
  [{ delta: { role: 'assistant', content: text } }, { delta: {}, finish_reason: 'stop' }]
    .map((choice) => JSON.stringify({ id: '1', choices: [{ index: 0, ...choice }] }))
    .concat('[DONE]')
    .map((data) => `data: ${data}\n\n`)
    .join('');

const textOf = (body: string): string => [...body.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text).join('');
