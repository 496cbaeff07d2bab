import type { ScopeConfig } from './config';
import type { DecisionAction } from './decision';
import type { Health } from './health';
import type { AttemptId, ModelId, TurnId } from './ids';
import type { FailureKind } from './kinds';

/**
 * What a sensor saw of a failed attempt. Never prompts, answers or keys: the text is an error message, and the engine
 * redacts and shortens it before it keeps a word.
 */
export type Evidence = Readonly<{
  /** `headers`: before a response; `body`: an error response; `stream`: after the stream began; `watchdog`: a limit of ours. */
  phase: 'headers' | 'body' | 'stream' | 'watchdog';
  status?: number;
  /** The provider's own error code or type, for example `insufficient_quota`. */
  code?: string;
  message?: string;
  /** Lower-case names; only those of `HINT_HEADERS` travel. */
  headers?: Readonly<Record<string, string>>;
  /** A kind the sensor knows by construction (`early_termination`, `empty_response`, `stream_interrupted`, `timeout`). */
  observed?: 'early_termination' | 'empty_response' | 'stream_interrupted' | 'timeout' | 'aborted';
  /** Characters of the answer that had arrived. */
  outputChars?: number;
  /** What the provider's own map says of it; outranks the general rules, never what was observed. */
  mapped?: Readonly<{ kind: FailureKind; needsUser?: boolean }>;
  /** How long the body asks to be left alone, in ms, where neither a header nor its message says it. */
  hintMs?: number;
  /** Wall clock of the sensor, Unix ms: needed only to read hints that name a point in time. */
  seenAt?: number;
}>;

type Base<T extends string, Fields> = Readonly<{ type: T } & Fields>;

/** Health as it travels between hosts: all times are milliseconds from now, so clocks need not agree. */
export type SyncedHealth = Readonly<{
  models: readonly (readonly [model: ModelId, health: Health])[];
  providers: readonly (readonly [provider: string, health: Health])[];
}>;

export type AttemptStarted = Base<
  'attempt.started',
  {
    attempt: AttemptId;
    turn: TurnId;
    session: string;
    parentSession?: string;
    directory: string;
    agent: string;
    model: ModelId;
    /** `title` and `compaction` requests are OpenCode's own and never switch. */
    purpose: 'turn' | 'internal';
    decided?: DecidedAction;
  }
>;

export type AttemptFailed = Base<
  'attempt.failed',
  {
    attempt: AttemptId;
    evidence: Evidence;
    /** Milliseconds from the request to the failure. */
    durationMs: number;
    decided?: DecidedAction;
  }
>;

/**
 * Set when another host has already decided and acted: health is recorded here as well, and its decision is taken as it
 * is instead of a second one.
 */
export type DecidedAction = Readonly<{
  kind: DecisionAction['kind'];
  to?: ModelId;
  waitMs?: number;
  code: string;
}>;

export type PromptSubmitted = Base<
  'prompt.submitted',
  {
    turn: TurnId;
    session: string;
    parentSession?: string;
    directory: string;
    agent: string;
    /** The model OpenCode would use. */
    model: ModelId;
    /** The model OpenCode is configured to use for this agent; null when it is configured nowhere. */
    hostLead: ModelId | null;
    /** Whether the prompt named its model; an unnamed one is inherited, never a choice. */
    isExplicit: boolean;
    decided?: DecidedAction;
  }
>;

/** Everything the engine can be told. Hosts stamp the time; events carry none that the engine would trust. */
export type EngineEvent =
  | Base<'scope.configured', { directory: string; config: ScopeConfig }>
  | Base<'scope.closed', { directory: string }>
  | PromptSubmitted
  | AttemptStarted
  | AttemptFailed
  | Base<'attempt.succeeded', { attempt: AttemptId; durationMs: number; firstTokenMs: number; outputChars: number }>
  | Base<'attempt.aborted', { attempt: AttemptId }>
  | Base<'switch.carried', { turn: TurnId; from: ModelId; ok: boolean; durationMs: number; reason?: string }>
  | Base<'session.idle', { session: string }>
  | Base<'session.closed', { session: string }>
  | Base<'health.reset', { target: Readonly<{ model: ModelId } | { provider: string } | { all: true }>; actor: string }>
  | Base<'health.synced', { health: SyncedHealth }>
  | Base<'tick', Record<never, never>>;

/** Response headers that say when a limit ends; no other header is kept or sent anywhere. */
export const HINT_HEADERS = [
  'retry-after',
  'retry-after-ms',
  'x-ratelimit-reset',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
  'anthropic-ratelimit-requests-reset',
  'anthropic-ratelimit-tokens-reset',
  'anthropic-ratelimit-input-tokens-reset',
  'anthropic-ratelimit-output-tokens-reset',
  'anthropic-ratelimit-unified-reset',
] as const;
