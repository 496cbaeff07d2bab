import type { ModelRef, RequestKind, SessionError, SessionInfo } from '../../../src/plugin/opencode2/session/types';
import type { Sleep } from './clock';
import type { Hooks } from './hooks';
import type { Answer } from './wire';

/** A model the host offers: where its provider answers, over the chat wire. */
export type Offered = Readonly<{
  ref: ModelRef;
  baseURL: string;
  contextTokens?: number;
  /** Listed, and yet the session cannot resolve it. */
  isBroken?: boolean;
}>;

/** Where a host answers differently than the documents of OpenCode 2 say. */
export type Knobs = Readonly<{
  /** False: a retry goes to the model the step began with. */
  resolvesOnRetry: boolean;
  /** Failures that are never put to the retry hooks. */
  hidesFromRetry: (error: SessionError) => boolean;
  /** `ignores`: it resolves and nothing changes. */
  switchModel: 'works' | 'rejects' | 'ignores';
  shape: (name: string, event: object) => object;
  hasModelList: boolean;
  hasEvents: boolean;
  /** How often each hook is called for one event. */
  hookCalls: number;
  takesRequest: boolean;
  /** `ignored`: another response is taken and not used; `frozen`: it cannot even be set. */
  response: 'replaceable' | 'ignored' | 'frozen';
  asksForHousekeeping: boolean;
  /** Whose agent the requests for titles and compactions name: one of their own, or the session's. */
  housekeepingAgent: 'own' | 'session';
  /** True if a session nobody has chosen a model for asks its agent's own model; on 2.0.15 it asks the default. */
  heedsAgentModel: boolean;
}>;

/** A host that does as its documents say. */
export const AS_DOCUMENTED: Knobs = {
  resolvesOnRetry: true,
  hidesFromRetry: () => false,
  switchModel: 'works',
  shape: (_, event) => event,
  hasModelList: true,
  hasEvents: true,
  hookCalls: 1,
  takesRequest: true,
  response: 'replaceable',
  asksForHousekeeping: true,
  housekeepingAgent: 'own',
  heedsAgentModel: false,
};

/** One line of a session as it is kept. */
export type Row =
  | Readonly<{ type: 'user' | 'synthetic' | 'summary'; text: string }>
  | Readonly<{ type: 'model-switched'; model: ModelRef }>
  | AssistantRow;
export type AssistantRow = {
  readonly type: 'assistant';
  readonly id: string;
  model: ModelRef | null;
  answer: Answer;
  results: Map<string, string>;
  status: 'running' | 'done' | 'failed';
};

export type Letter = Readonly<{
  kind: 'prompt' | 'synthetic';
  text: string;
  delivery: 'steer' | 'queue';
  wakes: boolean;
}>;

/** One session of a location. */
export type SessionState = {
  readonly id: string;
  readonly parentID: string | null;
  readonly agent: string;
  model: ModelRef | null;
  rows: Row[];
  inbox: Letter[];
  title: string | null;
  /** Ends the execution that runs; null while none does. */
  running: AbortController | null;
  asides: Promise<void>[];
};

/** An event as plugins hear it. */
export type EmittedEvent = Readonly<{
  id: string;
  created: number;
  type: string;
  location: Readonly<{ directory: string }>;
  data: Readonly<Record<string, unknown>>;
}>;

/** A tool of the host: what it does with its arguments. */
export type Tool = (args: Readonly<Record<string, unknown>>, session: SessionState) => Promise<string>;

export type World = Readonly<{
  directory: string;
  models: readonly Offered[];
  /** Their models, and how many steps they may take in a turn. */
  agents: Readonly<Record<string, Readonly<{ model?: ModelRef; steps?: number }>>>;
  defaultModel: ModelRef;
  knobs: Knobs;
  sleep: Sleep;
  limits: Readonly<{ headerMs: number; chunkMs: number }>;
  hooks: Hooks;
  tools: Map<string, Tool>;
  sessions: Map<string, SessionState>;
  hasTitles: boolean;
  nextId(kind: string): string;
  /** True if the configured models and agents are listed yet: not before every plugin is loaded. */
  isConfigured(): boolean;
  emit(type: string, data: Readonly<Record<string, unknown>>): void;
  /** Starts an execution of a session where none runs. */
  wake(session: SessionState): void;
}>;

/** One request of a session to a model. */
export type Asked = Readonly<{
  session: SessionState;
  kind: RequestKind;
  signal: AbortSignal;
  /** The agent has no step after it: its model is told so, and given no tool. */
  isLast?: boolean;
}>;

/** The agent a request is made for. */
export const agentOf = ({ knobs }: World, { session, kind }: Pick<Asked, 'session' | 'kind'>): string =>
  kind === 'primary' || knobs.housekeepingAgent === 'session' ? session.agent : kind;

/** The model a session would ask now: what was selected for it, else the default. */
export const modelOf = ({ agents, defaultModel, knobs }: World, session: SessionState): ModelRef =>
  session.model ?? (knobs.heedsAgentModel ? agents[session.agent]?.model : undefined) ?? defaultModel;

export const isSameModel = (one: ModelRef, other: ModelRef): boolean =>
  one.providerID === other.providerID && one.id === other.id && one.variant === other.variant;

/** A session as `session.get` tells of it. */
export const infoOf = ({ id, parentID, agent, model }: SessionState): SessionInfo => ({
  id,
  agent,
  ...(parentID === null ? {} : { parentID }),
  ...(model === null ? {} : { model }),
});
