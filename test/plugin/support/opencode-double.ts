import { onTestFinished } from 'vitest';
import { createUsageBook } from '../../../src/core/history/usage';
import { type ScriptedProvider, startScriptedProvider } from '../../../src/demo/scripted-provider';
import { DEFAULT_HEALTH, type EngineEvent, type ScopeConfig, SWIFT } from '../../../src/engine';
import { progressOf } from '../../../src/plugin/answer/wire';
import { type Brain, createBrain } from '../../../src/plugin/base/brain';
import type { Fetch } from '../../../src/plugin/opencode1/memory/fetch-wrap';
import type { GuardedRequest } from '../../../src/plugin/opencode1/memory/guarded-request';
import { beginTurn, newInstance, turnOf } from '../../../src/plugin/opencode1/memory/instance';
import { pairOf, refOf } from '../../../src/plugin/opencode1/memory/model-ref';
import { noteUser } from '../../../src/plugin/opencode1/memory/turn-memory';
import type { Client, HistoryMessage, Part, UserMessage } from '../../../src/plugin/opencode1/memory/types';
import { openVoice } from '../../../src/plugin/opencode1/memory/voice';
import { applyRepoint, mendStaleWrite } from '../../../src/plugin/opencode1/message/repoint';
import { guardedFetch } from '../../../src/plugin/opencode1/request/guard';
import { watchFirstTokens } from '../../../src/plugin/runtime/first-tokens';
import type { Companion, Limits } from '../../../src/plugin/runtime/host';
import type { Actuator } from '../../../src/plugin/runtime/self-check';
import { trackUserPrompts } from '../../../src/plugin/runtime/user-prompts';

export const DIRECTORY = '/project';
export const SESSION = 'ses_1';
export const TURN = 'msg_1';
/** Nothing a test waits for takes this long. */
const LIMITS: Limits = { firstTokenTimeoutMs: 5_000, stallTimeoutMs: 5_000 };
const STEPS_MAX = 20;

export type DoubleOptions = Readonly<{
  chain?: readonly string[];
  limits?: Partial<Limits>;
  scope?: Partial<ScopeConfig>;
  now?: () => number;
}>;

/** A directory's configuration with one chain for every agent. */
export const scopeOf = (chain: readonly string[], scope: Partial<ScopeConfig> = {}): ScopeConfig => ({
  enabled: true,
  health: DEFAULT_HEALTH,
  maxFallbackDepth: 3,
  onExhausted: 'error',
  backupModel: null,
  agents: { '*': { chain, policy: SWIFT } },
  ...scope,
});

/** The same with variants that are asked of its models. */
export const inVariants = (
  variants: Readonly<Record<string, string>>,
  chain = ['lead/one', 'spare/two'],
): Partial<ScopeConfig> => ({
  agents: { '*': { chain, policy: SWIFT, variants } },
});

type PromptCall = Parameters<Client['session']['prompt']>[0];
type RepointBody = Readonly<{
  messageID: string;
  agent: string;
  model: UserMessage['model'];
  variant?: string;
  format?: unknown;
  parts: Part[];
}>;

/** OpenCode as far as a turn needs it: one user message, whose model the next step reads, and the hooks around it. */
export function openDouble(options: DoubleOptions = {}) {
  const chain = options.chain ?? ['lead/one', 'spare/two'];
  const brain = createBrain(options.now, () => 0.5);
  const limits = { ...LIMITS, ...options.limits };
  const prompts: PromptCall[] = [];
  const deleted: string[] = [];
  const stopped: string[] = [];
  const placed: unknown[] = [];
  const ours: boolean[] = [];
  const control = {
    /** Awaited before OpenCode carries out a prompt call. */
    before: async (_call: PromptCall, _count: number): Promise<void> => undefined,
    /** What OpenCode answers instead of carrying it out. */
    refusal: null as unknown,
    history: [] as HistoryMessage[],
    isBusy: false,
    actuator: 'soft' as Actuator,
    /** Its version; empty where it is unknown. */
    opencode: '',
  };
  let stored: UserMessage = {
    id: TURN,
    sessionID: SESSION,
    role: 'user',
    agent: 'build',
    model: pairOf(chain[0] ?? ''),
    system: 'Be kind.',
    tools: { webfetch: false },
    time: { created: 1 },
  };

  const client: Client = {
    session: {
      create: async () => ({ error: { name: 'NotScripted' } }),
      delete: async () => ({}),
      async abort({ path }) {
        stopped.push(path.id);
        return control.refusal === null ? {} : { error: control.refusal };
      },
      async prompt(call) {
        const count = prompts.push(call);
        await control.before(call, count);
        if (control.refusal !== null) return { error: control.refusal };
        const { messageID, agent, model, variant, format, parts } = call.body as RepointBody;
        const fresh: UserMessage = {
          id: messageID,
          sessionID: call.path.id,
          role: 'user',
          agent,
          model: { ...model, ...(variant ? { variant } : {}) },
          ...(format ? { format } : {}),
          time: { created: Date.now() },
        };
        ours.push(applyRepoint(instance, call.path.id, { message: fresh, parts }));
        await write(fresh);
        return { data: {} };
      },
      messages: async () => ({ data: control.history }),
    },
    config: { providers: async () => ({ data: { providers: [] } }) },
    app: { log: async () => ({}) },
    tui: { showToast: async () => ({}), publish: async () => ({}) },
    _client: {
      post: async () => ({}),
      get: async () => ({ data: { version: '1.18.33' } }),
      patch: async ({ body }) => {
        placed.push(body);
        return {};
      },
      delete: async ({ path }) => {
        if (control.isBusy) return { error: { name: 'SessionBusyError' } };
        deleted.push(path.part ?? path.message ?? '');
        return { data: true };
      },
    },
  };
  const companion: Companion = {
    instance: 'test',
    brain,
    usage: createUsageBook(),
    firstTokens: watchFirstTokens(brain, () => () => undefined),
    userPrompts: trackUserPrompts(brain),
    configure: () => undefined,
    refresh: async () => true,
    isArmed: () => true,
    titled: () => undefined,
    noteAsked: () => undefined,
    heardLimits: () => undefined,
    heardLimitsIn: () => undefined,
    spendOf: () => undefined,
    limits: () => limits,
    named: (_, evidence) => evidence,
    selfCheck: {
      opencode: () => control.opencode,
      actuator: () => control.actuator,
      isKnown: () => true,
      offer: () => undefined,
      settled: async () => control.actuator,
      learn: async () => undefined,
    },
    onDrill: () => undefined,
    close: async () => undefined,
  };
  const instance = newInstance(companion, client, DIRECTORY, openVoice(client));

  /** The user message is written, and the bus says so. */
  async function write(message: UserMessage): Promise<void> {
    stored = message;
    await mendStaleWrite(instance, structuredClone(message));
  }

  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf(chain, options.scope) });
  let number = 0;

  return {
    brain,
    instance,
    chain,
    prompts,
    deleted,
    stopped,
    /** Parts that were put into messages. */
    placed,
    control,
    /** True if each prompt call was known as a re-point of ours. */
    ours,
    model: () => refOf(stored.model),
    user: () => stored,
    turn: () => turnOf(instance, SESSION, stored.id),
    write,
    /** OpenCode writes an old copy of the message back, as its summary does. */
    staleWrite: (model: string) => write({ ...structuredClone(stored), model: pairOf(model) }),
    /** The user sends another message, to the lead. */
    nextMessage(id: string): void {
      stored = { ...structuredClone(stored), id, model: pairOf(chain[0] ?? '') };
    },
    setModel(model: string): void {
      stored = { ...stored, model: pairOf(model) };
    },
    /** What `chat.headers` notes before a request. */
    request(over: Partial<GuardedRequest> = {}): GuardedRequest {
      const user = structuredClone(stored);
      const turn = turnOf(instance, SESSION, stored.id);
      noteUser(turn, user);
      return {
        ...{
          instance,
          session: SESSION,
          user,
          agent: user.agent,
          model: refOf(user.model),
          npm: '',
          isInternal: false,
        },
        turn,
        number: String(++number),
        ...over,
      };
    },
    submit(): void {
      const { id, agent, model } = stored;
      const lead = refOf(model);
      beginTurn(instance, stored, { model: lead, variant: null });
      brain.tell({
        ...{ type: 'prompt.submitted', turn: id, session: SESSION, directory: DIRECTORY, agent, model: lead },
        ...{ hostLead: lead, isExplicit: false },
      } as EngineEvent);
    },
  };
}

export type Double = ReturnType<typeof openDouble>;

/** The events the brain has journalled, without those every test begins with. */
export const journalOf = (brain: Brain): string[] =>
  brain
    .since(0)
    .map(({ event }) => event.type)
    .filter((type) => type !== 'scope.configured' && type !== 'prompt.submitted');

/** A provider on loopback that goes with the test. */
export async function openProvider(): Promise<ScriptedProvider> {
  const provider = await startScriptedProvider();
  onTestFinished(() => provider.close());
  return provider;
}

export const CHAT_PATH = '/v1/chat/completions';
export const realFetch: Fetch = (input, init) => fetch(input, init);

/** The request OpenCode's SDK would make for a model. */
export const bodyOf = (model: string): string =>
  JSON.stringify({
    model: model.slice(model.indexOf('/') + 1),
    stream: true,
    messages: [{ role: 'user', content: 'PROMPT WORDS' }],
  });

export type AskOptions = Readonly<{ url: string; init?: RequestInit; over?: Partial<GuardedRequest> }>;

/** One step of the turn: a request with the model the user message names now. */
export function ask(double: Double, { url, init = {}, over = {} }: AskOptions): Promise<Response> {
  const request = double.request(over);
  return guardedFetch(request, realFetch, {
    input: url,
    init: { method: 'POST', headers: { 'content-type': 'application/json' }, body: bodyOf(request.model), ...init },
  });
}

/** What a whole turn gave: the text, the models asked in order, and the last response's status. */
export type Played = Readonly<{ text: string; status: number; body: string; steps: number }>;

/** Plays a turn as OpenCode's loop does: an empty step that finished for tool calls, or for nothing, is followed by another. */
export async function play(double: Double, options: AskOptions): Promise<Played> {
  double.submit();
  for (let steps = 1; ; steps++) {
    const response = await ask(double, options);
    const body = await response.text();
    const text = textIn(body);
    const goesOn = response.ok && (body === '' || /"finish_reason":"tool_calls"/.test(body));
    if (!goesOn || steps === STEPS_MAX) return { text, status: response.status, body, steps };
  }
}

/** The visible text of a chat stream. */
export function textIn(body: string): string {
  return body
    .split('\n\n')
    .filter((event) => progressOf('chat', `${event}\n\n`).text > 0)
    .map((event) => JSON.parse(event.slice(event.indexOf('{'))).choices[0].delta.content as string)
    .join('');
}
