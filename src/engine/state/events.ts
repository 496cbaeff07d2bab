import type { Needs } from '../base/catalogue';
import type { ScopeConfig } from '../base/config';
import type { DecisionAction, HoldTask } from '../base/decision';
import type { AttemptId, HealthKey, ModelId, TurnId } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import type { CountedBudget } from '../base/money';
import type { PolicyStep } from '../base/policy';
import type { HeardWindow, SeenWindow, Spend, UnderWay, Window } from '../base/window';
import type { Health } from '../health/health';
import type { Manual } from '../health/manual';
import type { Pause, Pin } from '../health/pins';

/** Never contains prompts, responses or keys; the engine redacts the message before storing it. */
export type Evidence = Readonly<{
  /** `headers`: before a response; `body`: an error response; `stream`: after it began; `watchdog`: our time limit. */
  phase: 'headers' | 'body' | 'stream' | 'watchdog';
  status?: number;
  /** For example `insufficient_quota`. */
  code?: string;
  message?: string;
  /** Lower-case names; only those of `HINT_HEADERS` are sent. */
  headers?: Readonly<Record<string, string>>;
  /** Detected by the sensor itself. */
  observed?: 'early_termination' | 'empty_response' | 'stream_interrupted' | 'timeout' | 'aborted';
  outputChars?: number;
  /** From the provider map; outranks all but `observed`. */
  /** `isVague`: no phrase confirms the invalid request. */
  mapped?: Readonly<{ kind: FailureKind; needsUser?: boolean; isVague?: true }>;
  /** In ms, from the body or from a time in the provider's zone. */
  hintMs?: number;
  /** Unix ms, for hints with a point in time. */
  seenAt?: number;
  /** Replaces the policy's row. */
  steps?: readonly PolicyStep[];
}>;

type Base<T extends string, Fields> = Readonly<{ type: T } & Fields>;

/** Times are ms from now, so that clocks may differ. */
export type SyncedHealth = Readonly<{
  models: readonly (readonly [model: ModelId, health: Health])[];
  providers: readonly (readonly [provider: string, health: Health])[];
  /** Absent means no change. */
  manual?: readonly (readonly [model: ModelId, manual: Manual])[];
  /** By `pinKey`. Absent pins, or pause, mean no change. */
  pins?: readonly (readonly [agent: string, pin: Pin])[];
  pause?: Pause | null;
  windows?: readonly (readonly [account: HealthKey, windows: readonly Window[]])[];
  underWay?: readonly UnderWay[];
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
    /** OpenCode's titles and compactions are `internal`; they never switch. */
    purpose: 'turn' | 'internal';
    needs?: Needs;
    spend?: Spend;
    /** Run of the host; it may use a probe leased to it. */
    epoch?: string;
    /** Its host also reports failed tools and continued responses. */
    tellsFlaws?: true;
    decided?: DecidedAction;
  }
>;

export type AttemptFailed = Base<
  'attempt.failed',
  {
    attempt: AttemptId;
    evidence: Evidence;
    durationMs: number;
    decided?: DecidedAction;
  }
>;

/** Carried out by another host: replaces a decision here, while health is still recorded. */
export type DecidedAction = Readonly<{
  kind: DecisionAction['kind'];
  to?: ModelId;
  waitMs?: number;
  task?: HoldTask;
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
    model: ModelId;
    /** OpenCode's configuration for this agent. */
    hostLead: ModelId | null;
    /** False for an inherited model. */
    isExplicit: boolean;
    needs?: Needs;
    spend?: Spend;
    decided?: DecidedAction;
  }
>;

type Manually<T extends string, Fields = unknown> = Base<
  T,
  {
    model: ModelId;
    actor: string;
    /** Revision (`revisionOf`) that the user saw; outdated actions are rejected. */
    rev?: number;
  } & Fields
>;

export type PersonEvent =
  | Manually<'health.isolated'>
  | Manually<'health.released'>
  /** `state` null ends a hold. */
  | Manually<'health.held', { state: 'open' | 'closed' | null; forMs: number | null }>
  | Base<
      'agent.pinned',
      { directory: string; agent: string; model: ModelId | null; forMs: number | null; actor: string }
    >
  | Base<'switching.paused', { forMs: number | null; actor: string }>
  | Base<'switching.resumed', { actor: string }>
  /** Without an id: the open question. */
  | Base<'question.answered', { yes: boolean; question?: string; actor: string }>
  /** `/retry NAME`; a null name is `/retry all`. */
  | Base<'speaker.retried', { session: string; agent: string | null; actor: string }>;

export type HostEvent =
  /** `asleepMs` is not counted by the monotonic clock. */
  | Base<'host.resumed', { asleepMs: number }>
  /** OpenCode retries, so the engine must not. */
  | Base<'host.retrying', { turn: TurnId }>
  | Base<'lease.requested', { model: ModelId; epoch: string }>;

/** Hosts stamp the time; events carry none. */
export type EngineEvent =
  | Base<'scope.configured', { directory: string; config: ScopeConfig }>
  | Base<'scope.closed', { directory: string }>
  | PromptSubmitted
  | AttemptStarted
  | AttemptFailed
  /** `unknownEnd`: an end reason outside all lists. */
  | Base<
      'attempt.succeeded',
      { attempt: AttemptId; durationMs: number; firstTokenMs: number; outputChars: number; unknownEnd?: string }
    >
  | Base<'attempt.aborted', { attempt: AttemptId }>
  /** No token for {@link FIRST_TOKEN_QUIET_MS}, then the first token. */
  | Base<'attempt.silent', { attempt: AttemptId }>
  | Base<'attempt.answering', { attempt: AttemptId }>
  /** `attempt` null: an unknown request. */
  | Base<
      'headroom.seen',
      { attempt: AttemptId | null; directory: string; model: ModelId; windows: readonly SeenWindow[] }
    >
  /** Replaces all windows that the user entered. */
  | Base<'headroom.counted', { accounts: readonly (readonly [account: HealthKey, windows: readonly SeenWindow[]])[] }>
  /** Replaces all budgets in force. */
  | Base<'money.counted', { levels: readonly CountedBudget[] }>
  | Base<'switch.carried', { turn: TurnId; from: ModelId; ok: boolean; durationMs: number; reason?: string }>
  | Base<'session.idle', { session: string }>
  /** Null if OpenCode shows no prompt. */
  | Base<'session.waiting', { session: string; for: UserPrompt | null }>
  | Base<'session.closed', { session: string }>
  | Base<
      'health.reset',
      { target: Readonly<{ model: ModelId } | { provider: string } | { all: true }>; actor: string; rev?: number }
    >
  | Base<'health.synced', { health: SyncedHealth }>
  /** Changes in other machines' reports. */
  | Base<
      'fleet.heard',
      {
        /** `windows` occur only in logs. */
        health: Pick<SyncedHealth, 'models' | 'providers' | 'windows'>;
        windows?: readonly (readonly [account: HealthKey, windows: readonly HeardWindow[]])[];
        /** These machines' reports are withdrawn. */
        forgotten?: readonly (readonly [account: HealthKey, machine: string])[];
      }
    >
  | PersonEvent
  | HostEvent
  | Base<'tick', Record<never, never>>;

export type EventType = EngineEvent['type'];
export type EventOf<T extends EventType> = { [E in EngineEvent as E['type']]: E }[T];

export type UserPrompt = 'permission' | 'answer';

/** The request then counts as waiting for its first token. */
export const FIRST_TOKEN_QUIET_MS = 5_000;

export const RESET_HEADERS = [
  'x-ratelimit-reset',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
  'anthropic-ratelimit-requests-reset',
  'anthropic-ratelimit-tokens-reset',
  'anthropic-ratelimit-input-tokens-reset',
  'anthropic-ratelimit-output-tokens-reset',
  'anthropic-ratelimit-unified-reset',
] as const;

/** No other header is stored or sent. */
export const HINT_HEADERS = ['retry-after', 'retry-after-ms', 'x-should-retry', ...RESET_HEADERS] as const;
