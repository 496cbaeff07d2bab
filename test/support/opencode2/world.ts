import type { ModelRef, RequestKind, SessionError, SessionInfo } from '../../../src/plugin/opencode2/session/types';
import type { Sleep } from './clock';
import type { Hooks } from './hooks';
import type { Answer } from './wire';

export type Offered = Readonly<{
  ref: ModelRef;
  baseURL: string;
  contextTokens?: number;
  /** Listed, but the session cannot resolve it. */
  isBroken?: boolean;
}>;

/** Behaviour that differs from the documents of OpenCode 2. */
export type Knobs = Readonly<{
  /** False: a retry uses the model with which the step began. */
  resolvesOnRetry: boolean;
  /** Failures that do not reach the retry hooks. */
  hidesFromRetry: (error: SessionError) => boolean;
  /** `ignores`: resolves without effect. */
  switchModel: 'works' | 'rejects' | 'ignores';
  shape: (name: string, event: object) => object;
  hasModelList: boolean;
  hasEvents: boolean;
  /** Calls of each hook per event. */
  hookCalls: number;
  takesRequest: boolean;
  /** `ignored`: a replaced response is not used; `frozen`: it cannot be set. */
  response: 'replaceable' | 'ignored' | 'frozen';
  asksForHousekeeping: boolean;
  /** Agent of title and compaction requests: their own, or the session's. */
  housekeepingAgent: 'own' | 'session';
  /** True if a session without a chosen model uses its agent's model; 2.0.15 uses the default. */
  heedsAgentModel: boolean;
}>;

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

export type SessionState = {
  readonly id: string;
  readonly parentID: string | null;
  readonly agent: string;
  model: ModelRef | null;
  rows: Row[];
  inbox: Letter[];
  title: string | null;
  /** Aborts the running execution; null if none runs. */
  running: AbortController | null;
  asides: Promise<void>[];
};

export type EmittedEvent = Readonly<{
  id: string;
  created: number;
  type: string;
  location: Readonly<{ directory: string }>;
  data: Readonly<Record<string, unknown>>;
}>;

export type Tool = (args: Readonly<Record<string, unknown>>, session: SessionState) => Promise<string>;

export type World = Readonly<{
  directory: string;
  models: readonly Offered[];
  /** Models of agents, and their maximum steps in a turn. */
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
  /** True once configured models and agents are listed: not before every plugin is loaded. */
  isConfigured(): boolean;
  emit(type: string, data: Readonly<Record<string, unknown>>): void;
  wake(session: SessionState): void;
}>;

export type Asked = Readonly<{
  session: SessionState;
  kind: RequestKind;
  signal: AbortSignal;
  /** The last step: the model gets a notice and no tool. */
  isLast?: boolean;
}>;

export const agentOf = ({ knobs }: World, { session, kind }: Pick<Asked, 'session' | 'kind'>): string =>
  kind === 'primary' || knobs.housekeepingAgent === 'session' ? session.agent : kind;

/** The selected model of a session, else the default. */
export const modelOf = ({ agents, defaultModel, knobs }: World, session: SessionState): ModelRef =>
  session.model ?? (knobs.heedsAgentModel ? agents[session.agent]?.model : undefined) ?? defaultModel;

export const isSameModel = (one: ModelRef, other: ModelRef): boolean =>
  one.providerID === other.providerID && one.id === other.id && one.variant === other.variant;

export const infoOf = ({ id, parentID, agent, model }: SessionState): SessionInfo => ({
  id,
  agent,
  ...(parentID === null ? {} : { parentID }),
  ...(model === null ? {} : { model }),
});
