/**
 * The slice of OpenCode 2.x's plugin interface that the companion uses, declared by us because `@opencode/plugin` pulls in
 * far more than its types. Read from OpenCode's source and from plugins that run on it, not seen on a binary: `[S]` is
 * OpenCode's own source, `[S~]` an older text of it, `[L]` what others report of a running one. What a host hands over is
 * checked again at the border (`border.ts`), since none of this is proven.
 */

import type { HostTokens } from '../../base/used';

/** A model as a session names it. [S: Model.Ref] */
export type ModelRef = { readonly providerID: string; readonly id: string; readonly variant?: string };

/** Why a session asks a model. [S: SessionRequestKind] */
export type RequestKind = 'primary' | 'compaction' | 'title' | 'generate';

/** How a call failed; types are `provider.rate-limit`, `.auth`, `.quota`, `.content-filter`, `.transport`, … [S: SessionError] */
export type SessionError = { readonly type: string; readonly message: string; readonly status?: number };

/** Before a prompt is admitted, once for each of the user; it names neither agent nor model. [S: SessionPrompt] */
export type PromptEvent = {
  readonly sessionID: string;
  readonly messageID: string;
  prompt: { text: string; files?: readonly { mime?: string }[] };
  metadata?: Record<string, unknown>;
  delivery?: 'steer' | 'queue';
};

/** What every hook of a request carries; `model` cannot be changed here, only `switchModel` changes it. [S] */
type Asking = { readonly sessionID: string; readonly agent: string; readonly model: ModelRef };

/** Before each call of the agent loop; not stored. [S: SessionContext] */
export type ContextEvent = Asking & {
  system: unknown[];
  messages: ContextMessage[];
  tools: Record<string, unknown>;
};
/** A message as a model is sent it; only sizes and kinds of it are looked at. [S~: ai Message] */
export type ContextMessage = { readonly role: string; readonly content: string | readonly unknown[] };

/** Before a request is built. [S: SessionModelRequest] */
export type ModelRequestEvent = Asking & {
  readonly kind: RequestKind;
  baseURL?: string;
  headers: Record<string, string>;
};

/** Before a request goes out; not for web sockets. [S: SessionHttpRequest] */
export type HttpRequestEvent = Asking & { readonly kind: RequestKind; request: Request };

/**
 * A response as it came, streams and errors included, before OpenCode looks at its status; `response` may be replaced.
 * Not for connections that failed. [S: SessionHttpResponse]
 */
export type HttpResponseEvent = Asking & { readonly kind: RequestKind; readonly request: Request; response: Response };

/**
 * A web socket is about to be opened, or to be used again, for one request; another `url` is taken, and one that leads nowhere has OpenCode
 * ask over HTTP from then on. [seen: 2.0.15]
 */
export type HandshakeEvent = Asking & { readonly kind: RequestKind; url: string; headers: Record<string, string> };
/** A text that is sent over it, or has come; `frame` may be replaced before OpenCode reads it. [seen: 2.0.15] */
export type FrameEvent = Asking & { readonly kind: RequestKind; frame: string };

/** `delay` is ms. [S: SessionRetryDecision] */
export type RetryDecision = { retry: false } | { retry: true; delay: number };

/**
 * A call failed and OpenCode proposes what to do; `decision` is read when the hooks are done. `attempt` is that of the
 * coming try, from 2. Not for too long a context, an error inside a stream, a stop, or an unknown model. [S: SessionRetry]
 */
export type RetryEvent = Asking & {
  readonly error: SessionError;
  readonly attempt: number;
  decision: RetryDecision;
};

/** The hooks of a session by name. `compaction`, `title` and `generate` may answer in the model's place. [S: SessionHooks] */
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

/** Something registered, gone with the plugin or by itself. [S: adapter] */
export type Registration = { dispose(): Promise<void> };

/** `session.get`'s answer, as far as it is read. [S: Session.Info] */
export type SessionInfo = {
  readonly id: string;
  readonly parentID?: string;
  readonly agent?: string;
  readonly model?: ModelRef;
  readonly title?: string;
};

/** A text to put into a session. `resume` false wakes nobody; `steer` comes at the next step. [S: inbox] */
export type Said = {
  readonly sessionID: string;
  readonly text: string;
  readonly delivery?: 'steer' | 'queue';
  readonly resume?: boolean;
  readonly description?: string;
  readonly metadata?: Record<string, unknown>;
};

/** A session to be made. [seen: 2.0.15] */
export type NewSession = {
  /** Begins with `ses`; where there is one of it already, that one comes back as it is. */
  readonly id?: string;
  readonly title?: string;
  readonly location?: { readonly directory: string };
  readonly metadata?: Record<string, unknown>;
  /** Behind those of its agent; of all that fit, the last decides, and `*` goes across slashes. */
  readonly permissions?: readonly {
    readonly action: string;
    readonly resource: string;
    readonly effect: 'allow' | 'deny';
  }[];
};

/** An entry of a session's history, as far as it is read. [seen: 2.0.15] */
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
  /** Of an `idle` one, which ends an execution: `succeeded`, `failed` or `interrupted`. */
  readonly outcome?: string;
};

/** Before a tool runs: a rejection is what its model reads in the place of a result. [seen: 2.0.15] */
export type ToolEvent = { readonly tool: string; readonly sessionID: string; input: unknown };
/** What rules have come to; a `deny` of theirs is final and does not come by. [seen: 2.0.15] */
export type PermissionEvent = { readonly sessionID: string; effect: 'allow' | 'ask' | 'deny' };

/** The session part of the context; what a host lacks is absent. [S: SessionDomain] */
export type Sessions = {
  /** Callbacks run one after another; one that rejects becomes a defect of the host, and none has a time limit. [S] */
  hook<Name extends keyof SessionHooks>(
    name: Name,
    callback: (event: SessionHooks[Name]) => void | Promise<void>,
    filter?: { providerID?: string },
  ): Promise<Registration>;
  get?(input: { sessionID: string }): Promise<unknown>;
  /** [seen: 2.0.15] */
  switchAgent?(input: { sessionID: string; agent: string }): Promise<unknown>;
  /** Stored at once; the next try or step takes it, and so do later turns. [S, L] */
  switchModel?(input: { sessionID: string; model: ModelRef }): Promise<unknown>;
  synthetic?(input: Said): Promise<unknown>;
  prompt?(input: Said): Promise<unknown>;
  interrupt?(input: { sessionID: string }): Promise<unknown>;
  create?(input: NewSession): Promise<unknown>;
  /** Until nothing runs in it, however that ended; it has no limit of its own. [seen: 2.0.15] */
  wait?(input: { sessionID: string }): Promise<unknown>;
  /** Its history since it was compacted last, oldest first. [seen: 2.0.15] */
  context?(input: { sessionID: string }): Promise<unknown>;
};

export type RpcMethods = Readonly<Record<string, () => Promise<unknown>>>;
/** What came of registering it; `emit` reaches every terminal of the process. [seen: 2.0.15] */
export type RpcDoor = {
  readonly events: { emit(name: string, value: unknown): Promise<void> };
  dispose?(): Promise<void> | void;
};

/** What a command of ours is called with; what it resolves to is not shown. [L] */
export type CommandCall = { readonly sessionID: string; readonly prompt?: { readonly text?: string } };
/** A command to add. [L] */
export type CommandDefinition = {
  name: string;
  description?: string;
  execute(input: CommandCall): Promise<void>;
};

export type StreamPart = Readonly<{ type: string }>;
/** A model of the AI SDK, as far as it is used. [observed: 2.0.15] */
export type LanguageModel = {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: unknown;
  doStream(options: Readonly<{ abortSignal?: AbortSignal }>): Promise<Readonly<{ stream: ReadableStream<StreamPart> }>>;
  doGenerate(options: unknown): Promise<unknown>;
};
/** Before the model of a package that OpenCode does not implement itself is first used. [observed: 2.0.15] */
export type LanguageEvent = {
  readonly model: ModelRef & Readonly<{ modelID: string }>;
  readonly sdk: Readonly<{ languageModel(id: string): LanguageModel }>;
  language?: LanguageModel;
};

/** What `setup` is given. A 1.x host calls it too, with less: without `session.hook`. [S: adapter; L] */
export type PluginContext = {
  readonly app?: { readonly name?: string; readonly version?: string; readonly channel?: string };
  readonly location?: { readonly directory?: string };
  readonly options?: Readonly<Record<string, unknown>>;
  /** In OpenCode's database, for the plugins of this id in all locations; what `set` has taken survives a kill. [seen: 2.0.15] */
  readonly storage?: {
    get?(key: string): Promise<unknown>;
    set?(key: string, value: unknown): Promise<void>;
    remove?(key: string): Promise<void>;
    /** By key, in order: `{ entries: [{ key, value }] }`. */
    scan?(range: { prefix: string; limit?: number }): Promise<unknown>;
  };
  /** Lists of `ListedModel`, or an object with them in `data`. [S, L] */
  readonly model?: { list?(): Promise<unknown>; default?(): Promise<unknown> };
  readonly provider?: { list?(): Promise<unknown> };
  /** What is logged in to. `active` is the account in use, `resolve` what any of them is asked with. [seen: 2.0.15] */
  readonly integration?: {
    list?(): Promise<unknown>;
    readonly connection?: {
      active?(integrationID: string): Promise<unknown>;
      resolve?(connection: unknown): Promise<unknown>;
    };
  };
  /** One text of a model, in no session; `{ text }`. No hook hears of it. [seen: 2.0.15] */
  readonly generate?: { text?(input: { prompt: string; model?: ModelRef }): Promise<unknown> };
  readonly agent?: { list?(): Promise<unknown> };
  readonly aisdk?: {
    hook?(name: 'language', callback: (event: LanguageEvent) => void | Promise<void>): Promise<Registration>;
  };
  /** Carries what the parts of a plugin say to each other; `register` once for each location. [seen: 2.0.15] */
  readonly rpc?: { register?(definition: unknown, methods: RpcMethods): Promise<RpcDoor> };
  readonly command?: {
    transform?(callback: (editor: { add(definition: CommandDefinition): void }) => void): Promise<Registration>;
  };
  /** Events of all locations, of `{ id, created, type, location?, data }`; the iterable ends with the signal. [seen: 2.0.15] */
  readonly event?: { subscribe?(options: { signal: AbortSignal }): AsyncIterable<unknown> };
  readonly session?: Sessions;
  readonly tool?: {
    hook?(name: 'execute.before', callback: (event: ToolEvent) => void | Promise<void>): Promise<Registration>;
  };
  readonly permission?: {
    hook?(name: 'evaluate', callback: (event: PermissionEvent) => void | Promise<void>): Promise<Registration>;
  };
};

/** A model of the host's list. [S~: Model.Info] */
export type ListedModel = {
  readonly id: string;
  readonly providerID: string;
  readonly family?: string;
  readonly status?: string;
  readonly enabled?: boolean;
  /** `aisdk:` and the package, where OpenCode does not implement the model itself. [observed: 2.0.15] */
  readonly package?: string;
  readonly capabilities?: { readonly tools?: boolean; readonly input?: readonly string[] };
  readonly cost?: readonly { readonly input?: number; readonly output?: number }[];
  readonly limit?: { readonly context?: number };
  /** Absent in none seen; one that it does not have ends the turn. [seen: 2.0.15] */
  readonly variants?: readonly { readonly id: string }[];
};

/** An agent of the host's list. [L] */
export type ListedAgent = { readonly id: string; readonly model?: ModelRef | null | undefined };

export type Tokens = {
  readonly input?: number;
  readonly output?: number;
  readonly reasoning?: number;
  readonly cache?: { readonly read?: number; readonly write?: number };
};

/** What is listed has changed; the configured models and agents come with these, after every plugin is loaded. [seen: 2.0.15] */
export type ListEvent = { readonly type: 'model.updated' | 'provider.updated' | 'agent.updated' } | AccountEvent;

/** An account was added, renamed or removed, or another one is in use; by whom nobody tells. Of this process alone. [seen: 2.0.15] */
export type AccountEvent = { readonly type: 'credential.updated' | 'credential.switched' | 'integration.updated' };

/** The events that are listened to; every other one is ignored. [S, S~, L] */
export type HostEvent = ListEvent | SessionEvent;
export type SessionEvent =
  | {
      readonly type: 'session.created';
      readonly data: { readonly sessionID: string; readonly parentID?: string; readonly agent?: string };
    }
  /** OpenCode has made a title, or somebody has. [seen: 2.0.15] */
  | { readonly type: 'session.renamed'; readonly data: { readonly sessionID: string; readonly title: string } }
  | { readonly type: 'session.deleted'; readonly data: { readonly sessionID: string } }
  | { readonly type: 'session.execution.started'; readonly data: { readonly sessionID: string } }
  /** Prompts to the user. [seen: 2.0.15] */
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
  /** Ours and the user's alike. */
  | {
      readonly type: 'session.model.selected';
      readonly data: { readonly sessionID: string; readonly model: ModelRef; readonly previous?: ModelRef };
    }
  /** The model that really answers. */
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
  /** A call of a tool, also after its step has ended. [seen: 2.0.15] */
  | {
      readonly type: 'session.tool.success';
      readonly data: ToolCall & { readonly metadata?: { readonly timeout?: boolean } };
    }
  | { readonly type: 'session.tool.failed'; readonly data: ToolCall & { readonly error: SessionError } };

type ToolCall = { readonly sessionID: string; readonly assistantMessageID: string; readonly id: string };
