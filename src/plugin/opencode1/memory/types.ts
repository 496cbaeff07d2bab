/** The used part of the plugin API: `@opencode-ai/plugin` pulls in far more than its types. Observed on 1.18.33. */

import type { ListedModel } from '../../../core/base/offers';
import type { HostTokens } from '../../base/used';

export type ModelPair = { providerID: string; modelID: string; variant?: string };

export type UserMessage = {
  id: string;
  sessionID: string;
  role: 'user';
  agent: string;
  model: ModelPair;
  format?: unknown;
  system?: string;
  tools?: Record<string, boolean>;
  time: { created: number };
};

export type SessionError = {
  name?: string;
  data?: {
    message?: string;
    statusCode?: number;
    responseHeaders?: Record<string, string>;
    responseBody?: string;
  };
};

/** OpenCode retries at `next` (Unix ms). */
export type RetryStatus = { type: string; message?: string; next?: number };

export type AssistantInfo = {
  id: string;
  sessionID: string;
  role: 'assistant';
  parentID: string;
  providerID: string;
  modelID: string;
  agent?: string;
  error?: SessionError;
  finish?: string;
  time?: { created?: number; completed?: number };
  cost?: number;
  tokens?: HostTokens;
};

export type StepFinishPart = {
  id: string;
  sessionID?: string;
  messageID: string;
  type: 'step-finish';
  cost?: number;
  tokens?: HostTokens;
};

export type ToolPart = {
  id: string;
  messageID: string;
  type: 'tool';
  tool: string;
  state: {
    status: string;
    input?: unknown;
    output?: string;
    error?: string;
    metadata?: { interrupted?: boolean; exit?: number | null };
  };
};

export type Part = {
  type: string;
  tool?: string;
  text?: string;
  mime?: string;
  ignored?: boolean;
  synthetic?: boolean;
  time?: { start?: number };
  state?: {
    status?: string;
    input?: unknown;
    output?: string;
    error?: string;
    attachments?: { mime?: string }[];
    time?: { start?: number; compacted?: number };
  };
};
export type HistoryMessage = { info: UserMessage | AssistantInfo; parts: Part[] };

export type ListedModel1 = Omit<ListedModel, 'variants'> & Readonly<{ variants?: unknown }>;

/** Other fields are not read. */
export type ListedProvider = {
  id: string;
  source?: string;
  models?: Record<string, ListedModel1>;
  options?: { baseURL?: string };
};

/** Changed options persist in OpenCode. */
export type LiveProvider = { options?: { fetch?: unknown; headerTimeout?: unknown } };

/** Untrusted. */
export type ListedAgent = Readonly<{ name?: unknown; hidden?: unknown }>;

/** `response` is set if OpenCode responded. */
type Result<T> = Promise<{ data?: T; error?: unknown; response?: { status?: number } }>;

export type Client = {
  session: {
    create(options: {
      body: { parentID?: string; title?: string; permission?: readonly unknown[] };
    }): Result<{ id: string }>;
    delete(options: { path: { id: string } }): Result<unknown>;
    abort(options: { path: { id: string } }): Result<unknown>;
    prompt(options: { path: { id: string }; body: Record<string, unknown> }): Result<Partial<HistoryMessage>>;
    summarize?(options: { path: { id: string }; body: Record<string, unknown> }): Result<unknown>;
    messages(options: { path: { id: string }; query?: { limit?: number } }): Result<HistoryMessage[]>;
  };
  config: { providers(): Result<{ providers: ListedProvider[]; default?: Record<string, string> }> };
  app: {
    log(options: { body: { service: string; level: 'info' | 'warn' | 'error'; message: string } }): Result<unknown>;
  };
  tui: {
    showToast(options: {
      body: { title?: string; message: string; variant: 'info' | 'success' | 'warning' | 'error' };
    }): Result<unknown>;
    publish(options: { body: { type: 'tui.command.execute'; properties: { command: string } } }): Result<unknown>;
  };
  /** HTTP client for routes without an SDK method. */
  _client: {
    get(options: { url: string; query?: Record<string, unknown> }): Result<unknown>;
    post(options: { url: string; body: unknown }): Result<unknown>;
    patch(options: { url: string; path: Record<string, string>; body: unknown }): Result<unknown>;
    delete(options: { url: string; path: Record<string, string> }): Result<unknown>;
  };
};

export type PluginInput = { client: Client; directory: string };

export type AgentConfig = { model?: unknown; disable?: boolean; [key: string]: unknown };
export type OpenCodeConfig = {
  model?: unknown;
  agent?: Record<string, AgentConfig | undefined>;
  command?: Record<string, { template: string; description?: string } | undefined>;
  plugin?: unknown;
};

export type ChatMessageInput = { sessionID: string; agent?: string; model?: ModelPair; messageID?: string };
export type ChatMessageOutput = { message: UserMessage; parts: Part[] };
export type ChatHeadersInput = {
  sessionID: string;
  agent: string | { name: string };
  model: { id: string; providerID: string; api?: { npm?: string } };
  message: UserMessage;
};

/** `revert` is set while the user has undone the end. */
export type SessionInfo = { id: string; parentID?: string; title?: unknown; revert?: unknown };

export type BusEvent =
  | { type: 'message.updated'; properties: { info: UserMessage | AssistantInfo } }
  | {
      type: 'session.created' | 'session.updated' | 'session.deleted';
      properties: { info: SessionInfo };
    }
  | { type: 'message.part.updated'; properties: { part: StepFinishPart | ToolPart | { type: 'other' } } }
  | { type: 'session.error'; properties: { sessionID?: string; error?: SessionError } }
  | { type: 'session.status'; properties: { sessionID: string; status: RetryStatus } }
  | { type: 'session.idle'; properties: { sessionID: string } }
  | { type: 'permission.asked' | 'question.asked'; properties: { id: string; sessionID: string } }
  | {
      type: 'permission.replied' | 'question.replied' | 'question.rejected';
      properties: { requestID: string; sessionID: string };
    }
  | { type: 'tui.command.execute'; properties: { command?: string } }
  | { type: 'other'; properties: unknown };

export type Hooks = {
  config?(config: OpenCodeConfig): Promise<void>;
  'chat.message'?(input: ChatMessageInput, output: ChatMessageOutput): Promise<void>;
  'chat.params'?(
    input: Pick<ChatHeadersInput, 'agent' | 'sessionID'> & { provider?: LiveProvider },
    output: { options: Record<string, unknown> },
  ): Promise<void>;
  'chat.headers'?(input: ChatHeadersInput, output: { headers: Record<string, string> }): Promise<void>;
  'experimental.chat.messages.transform'?(input: unknown, output: { messages: HistoryMessage[] }): Promise<void>;
  'experimental.text.complete'?(input: { sessionID: string }, output: { text: string }): Promise<void>;
  'experimental.chat.system.transform'?(input: { sessionID?: string }, output: { system: string[] }): Promise<void>;
  'tool.execute.before'?(input: { tool: string; sessionID: string }, output: { args: unknown }): Promise<void>;
  event?(input: { event: BusEvent }): Promise<void>;
  dispose?(): Promise<void>;
};
