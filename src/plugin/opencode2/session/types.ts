/**
 * The part of OpenCode 2.x's plugin interface that the companion uses; `@opencode/plugin` would pull in far more than
 * types. From `[S]` OpenCode's source, `[S~]` an older source, `[L]` reports of running plugins. `border.ts` validates
 * every value.
 */

import type { HostTokens } from '../../base/used';

/** [S: Model.Ref] */
export type ModelRef = { readonly providerID: string; readonly id: string; readonly variant?: string };

/** [S: SessionRequestKind] */
export type RequestKind = 'primary' | 'compaction' | 'title' | 'generate';

/** Types are `provider.rate-limit`, `.auth`, `.quota`, `.content-filter`, `.transport`, … [S: SessionError] */
export type SessionError = { readonly type: string; readonly message: string; readonly status?: number };

/** Before a prompt is admitted. [S: SessionPrompt] */
export type PromptEvent = {
  readonly sessionID: string;
  readonly messageID: string;
  prompt: { text: string; files?: readonly { mime?: string }[] };
  metadata?: Record<string, unknown>;
  delivery?: 'steer' | 'queue';
};

/** Only `switchModel` can change the model. [S] */
type Asking = { readonly sessionID: string; readonly agent: string; readonly model: ModelRef };

/** Before each call of the agent loop; not stored. [S: SessionContext] */
export type ContextEvent = Asking & {
  system: unknown[];
  messages: ContextMessage[];
  tools: Record<string, unknown>;
};
/** [S~: ai Message] */
export type ContextMessage = { readonly role: string; readonly content: string | readonly unknown[] };

/** Before a request is built. [S: SessionModelRequest] */
export type ModelRequestEvent = Asking & {
  readonly kind: RequestKind;
  baseURL?: string;
  headers: Record<string, string>;
};

/** Before a request is sent; not for web sockets. [S: SessionHttpRequest] */
export type HttpRequestEvent = Asking & { readonly kind: RequestKind; request: Request };

/** Any response, before OpenCode reads its status; not for failed connections. [S: SessionHttpResponse] */
export type HttpResponseEvent = Asking & { readonly kind: RequestKind; readonly request: Request; response: Response };

/** Before a web socket is opened or reused. An invalid `url` makes OpenCode use HTTP from then on. [seen: 2.0.15] */
export type HandshakeEvent = Asking & { readonly kind: RequestKind; url: string; headers: Record<string, string> };
/** A sent or received text; `frame` may be replaced before OpenCode reads it. [seen: 2.0.15] */
export type FrameEvent = Asking & { readonly kind: RequestKind; frame: string };

/** `delay` is ms. [S: SessionRetryDecision] */
export type RetryDecision = { retry: false } | { retry: true; delay: number };

/**
 * OpenCode reads `decision` after all hooks. `attempt` counts the next attempt, from 2. Not for an overlong context,
 * an error inside a stream, a stop or an unknown model. [S: SessionRetry]
 */
export type RetryEvent = Asking & {
  readonly error: SessionError;
  readonly attempt: number;
  decision: RetryDecision;
};

/** `compaction`, `title` and `generate` may answer for the model. [S: SessionHooks] */
export type SessionHooks = {
  prompt: PromptEvent;
  context: ContextEvent;
  'model.request': ModelRequestEvent;
  'http.request': HttpRequestEvent;
  'http.response': HttpResponseEvent;
  'experimental.ws.handshake': HandshakeEvent;
  'experimental.ws.send': FrameEvent;
  'experimental.ws.receive': FrameEvent;
  retry: RetryEvent;
  compaction: Asking & { result?: unknown };
  title: Asking & { result?: unknown };
  generate: Asking;
};

/** [S: adapter] */
export type Registration = { dispose(): Promise<void> };

/** [S: Session.Info] */
export type SessionInfo = {
  readonly id: string;
  readonly parentID?: string;
  readonly agent?: string;
  readonly model?: ModelRef;
  readonly title?: string;
};

/** `resume: false` starts no turn; `steer` applies at the next step. [S: inbox] */
export type Said = {
  readonly sessionID: string;
  readonly text: string;
  readonly delivery?: 'steer' | 'queue';
  readonly resume?: boolean;
  readonly description?: string;
  readonly metadata?: Record<string, unknown>;
};

/** [seen: 2.0.15] */
export type NewSession = {
  /** Begins with `ses`; an existing session is returned unchanged. */
  readonly id?: string;
  readonly title?: string;
  readonly location?: { readonly directory: string };
  readonly metadata?: Record<string, unknown>;
  /** Applied after the agent's rules; the last match decides, and `*` matches slashes. */
  readonly permissions?: readonly {
    readonly action: string;
    readonly resource: string;
    readonly effect: 'allow' | 'deny';
  }[];
};

/** [seen: 2.0.15] */
export type HistoryEntry = {
  /** `user`, `assistant`, `synthetic`, `idle`, … */
  readonly type: string;
  readonly time?: { readonly created?: number; readonly completed?: number };
  readonly text?: string;
  readonly content?: readonly {
    readonly type: string;
    readonly text?: string;
    readonly name?: string;
    readonly time?: { readonly created?: number };
    readonly state?: { readonly input?: unknown; readonly error?: { readonly message?: string } };
  }[];
  readonly agent?: string;
  readonly model?: ModelRef;
  readonly cost?: number;
  readonly tokens?: HostTokens;
  /** Set on `idle`, which ends an execution: `succeeded`, `failed` or `interrupted`. */
  readonly outcome?: string;
};

/** The model reads a rejection as the tool's result. [seen: 2.0.15] */
export type ToolEvent = { readonly tool: string; readonly sessionID: string; input: unknown };
/** Not called if a rule denies. [seen: 2.0.15] */
export type PermissionEvent = { readonly sessionID: string; effect: 'allow' | 'ask' | 'deny' };

/** Missing functions are absent. [S: SessionDomain] */
export type Sessions = {
  /** Callbacks run in sequence without a time limit; a rejection becomes an OpenCode defect. [S] */
  hook<Name extends keyof SessionHooks>(
    name: Name,
    callback: (event: SessionHooks[Name]) => void | Promise<void>,
    filter?: { providerID?: string },
  ): Promise<Registration>;
  get?(input: { sessionID: string }): Promise<unknown>;
  /** [seen: 2.0.15] */
  switchAgent?(input: { sessionID: string; agent: string }): Promise<unknown>;
  /** Stored at once, and used from the next attempt or step. [S, L] */
  switchModel?(input: { sessionID: string; model: ModelRef }): Promise<unknown>;
  synthetic?(input: Said): Promise<unknown>;
  prompt?(input: Said): Promise<unknown>;
  interrupt?(input: { sessionID: string }): Promise<unknown>;
  create?(input: NewSession): Promise<unknown>;
  /** Resolves when nothing runs in the session, without a time limit. [seen: 2.0.15] */
  wait?(input: { sessionID: string }): Promise<unknown>;
  /** History since the last compaction, oldest first. [seen: 2.0.15] */
  context?(input: { sessionID: string }): Promise<unknown>;
};

export type RpcMethods = Readonly<Record<string, () => Promise<unknown>>>;
/** `emit` reaches every terminal of the process. [seen: 2.0.15] */
export type RpcDoor = {
  readonly events: { emit(name: string, value: unknown): Promise<void> };
  dispose?(): Promise<void> | void;
};

/** OpenCode does not show the result. [L] */
export type CommandCall = { readonly sessionID: string; readonly prompt?: { readonly text?: string } };
/** [L] */
export type CommandDefinition = {
  name: string;
  description?: string;
  execute(input: CommandCall): Promise<void>;
};

export type StreamPart = Readonly<{ type: string }>;
/** [observed: 2.0.15] */
export type LanguageModel = {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: unknown;
  doStream(options: Readonly<{ abortSignal?: AbortSignal }>): Promise<Readonly<{ stream: ReadableStream<StreamPart> }>>;
  doGenerate(options: unknown): Promise<unknown>;
};
/** Before first use of a package that OpenCode does not implement itself. [observed: 2.0.15] */
export type LanguageEvent = {
  readonly model: ModelRef & Readonly<{ modelID: string }>;
  readonly sdk: Readonly<{ languageModel(id: string): LanguageModel }>;
  language?: LanguageModel;
};

/** A 1.x host also calls `setup`, without `session.hook`. [S: adapter; L] */
export type PluginContext = {
  readonly app?: { readonly name?: string; readonly version?: string; readonly channel?: string };
  readonly location?: { readonly directory?: string };
  readonly options?: Readonly<Record<string, unknown>>;
  /** In OpenCode's database, shared by all locations of this plugin; survives a kill. [seen: 2.0.15] */
  readonly storage?: {
    get?(key: string): Promise<unknown>;
    set?(key: string, value: unknown): Promise<void>;
    remove?(key: string): Promise<void>;
    /** Sorted by key: `{ entries: [{ key, value }] }`. */
    scan?(range: { prefix: string; limit?: number }): Promise<unknown>;
  };
  /** A list of `ListedModel`, or an object with it in `data`. [S, L] */
  readonly model?: { list?(): Promise<unknown>; default?(): Promise<unknown> };
  readonly provider?: { list?(): Promise<unknown> };
  /** `active` returns the account in use, `resolve` an account's credentials. [seen: 2.0.15] */
  readonly integration?: {
    list?(): Promise<unknown>;
    readonly connection?: {
      active?(integrationID: string): Promise<unknown>;
      resolve?(connection: unknown): Promise<unknown>;
    };
  };
  /** Returns `{ text }` without a session; no hooks run. [seen: 2.0.15] */
  readonly generate?: { text?(input: { prompt: string; model?: ModelRef }): Promise<unknown> };
  readonly agent?: { list?(): Promise<unknown> };
  readonly aisdk?: {
    hook?(name: 'language', callback: (event: LanguageEvent) => void | Promise<void>): Promise<Registration>;
  };
  /** `register` once per location. [seen: 2.0.15] */
  readonly rpc?: { register?(definition: unknown, methods: RpcMethods): Promise<RpcDoor> };
  readonly command?: {
    transform?(callback: (editor: { add(definition: CommandDefinition): void }) => void): Promise<Registration>;
  };
  /** Yields `{ id, created, type, location?, data }` of all locations until the signal aborts. [seen: 2.0.15] */
  readonly event?: { subscribe?(options: { signal: AbortSignal }): AsyncIterable<unknown> };
  readonly session?: Sessions;
  readonly tool?: {
    hook?(name: 'execute.before', callback: (event: ToolEvent) => void | Promise<void>): Promise<Registration>;
  };
  readonly permission?: {
    hook?(name: 'evaluate', callback: (event: PermissionEvent) => void | Promise<void>): Promise<Registration>;
  };
};

/** [S~: Model.Info] */
export type ListedModel = {
  readonly id: string;
  readonly providerID: string;
  readonly family?: string;
  readonly status?: string;
  readonly enabled?: boolean;
  /** `aisdk:` and the package, if OpenCode does not implement the model itself. [observed: 2.0.15] */
  readonly package?: string;
  readonly capabilities?: { readonly tools?: boolean; readonly input?: readonly string[] };
  readonly cost?: readonly { readonly input?: number; readonly output?: number }[];
  readonly limit?: { readonly context?: number };
  /** Present in all responses seen; any other variant ends the turn. [seen: 2.0.15] */
  readonly variants?: readonly { readonly id: string }[];
};

/** [L] */
export type ListedAgent = { readonly id: string; readonly model?: ModelRef | null | undefined };

export type Tokens = {
  readonly input?: number;
  readonly output?: number;
  readonly reasoning?: number;
  readonly cache?: { readonly read?: number; readonly write?: number };
};

/** The configured models and agents come with these events, after every plugin is loaded. [seen: 2.0.15] */
export type ListEvent = { readonly type: 'model.updated' | 'provider.updated' | 'agent.updated' } | AccountEvent;

/** Does not name the cause. Sent only for changes by this process. [seen: 2.0.15] */
export type AccountEvent = { readonly type: 'credential.updated' | 'credential.switched' | 'integration.updated' };

/** [S, S~, L] */
export type HostEvent = ListEvent | SessionEvent;
export type SessionEvent =
  | {
      readonly type: 'session.created';
      readonly data: { readonly sessionID: string; readonly parentID?: string; readonly agent?: string };
    }
  /** A title from OpenCode or anyone else. [seen: 2.0.15] */
  | { readonly type: 'session.renamed'; readonly data: { readonly sessionID: string; readonly title: string } }
  | { readonly type: 'session.deleted'; readonly data: { readonly sessionID: string } }
  | { readonly type: 'session.execution.started'; readonly data: { readonly sessionID: string } }
  /** [seen: 2.0.15] */
  | {
      readonly type: 'permission.asked' | 'form.created';
      readonly data: { readonly sessionID: string; readonly id: string };
    }
  | {
      readonly type: 'form.replied' | 'form.cancelled';
      readonly data: { readonly sessionID: string; readonly id: string };
    }
  | {
      readonly type: 'permission.replied';
      readonly data: { readonly sessionID: string; readonly requestID: string };
    }
  | { readonly type: 'session.execution.succeeded'; readonly data: { readonly sessionID: string } }
  | {
      readonly type: 'session.execution.failed';
      readonly data: { readonly sessionID: string; readonly error: SessionError };
    }
  | {
      readonly type: 'session.execution.interrupted';
      readonly data: { readonly sessionID: string; readonly reason?: string };
    }
  /** Sent for our changes and the user's. */
  | {
      readonly type: 'session.model.selected';
      readonly data: { readonly sessionID: string; readonly model: ModelRef; readonly previous?: ModelRef };
    }
  /** Names the model that really answers. */
  | {
      readonly type: 'session.step.started';
      readonly data: {
        readonly sessionID: string;
        readonly assistantMessageID: string;
        readonly agent: string;
        readonly model: ModelRef;
      };
    }
  | {
      readonly type: 'session.step.ended';
      readonly data: {
        readonly sessionID: string;
        readonly assistantMessageID: string;
        readonly finish?: string;
        readonly cost?: number;
        readonly tokens?: Tokens;
      };
    }
  | {
      readonly type: 'session.step.failed';
      readonly data: {
        readonly sessionID: string;
        readonly assistantMessageID: string;
        readonly error: SessionError;
        readonly cost?: number;
        readonly tokens?: Tokens;
      };
    }
  /** May follow its step's end. [seen: 2.0.15] */
  | {
      readonly type: 'session.tool.success';
      readonly data: ToolCall & { readonly metadata?: { readonly timeout?: boolean } };
    }
  | { readonly type: 'session.tool.failed'; readonly data: ToolCall & { readonly error: SessionError } };

type ToolCall = { readonly sessionID: string; readonly assistantMessageID: string; readonly id: string };
