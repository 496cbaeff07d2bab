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

/**
 * A sensor's view of a failed attempt. Never contains prompts, responses or keys; the engine redacts the message
 * before storing it.
 */
export type Evidence = Readonly<{
  /** `headers`: before a response; `body`: an error response; `stream`: after it began; `watchdog`: our time limit. */
  phase: 'headers' | 'body' | 'stream' | 'watchdog';
  status?: number;
  /** The provider's error code or type, for example `insufficient_quota`. */
  code?: string;
  message?: string;
  /** Lower-case names; only those of `HINT_HEADERS` are sent. */
  headers?: Readonly<Record<string, string>>;
  /** A kind that the sensor detects by construction. */
  observed?: 'early_termination' | 'empty_response' | 'stream_interrupted' | 'timeout' | 'aborted';
  /** Characters received before the failure. */
  outputChars?: number;
  /** Result of the provider map; outranks the general rules, but not `observed`. */
  /** `isVague`: an invalid request by code or status without a matching phrase. */
  mapped?: Readonly<{ kind: FailureKind; needsUser?: boolean; isVague?: true }>;
  /** Wait in ms from the body, or from a message in a time zone that only the sensor knows. */
  hintMs?: number;
  /** Unix ms on the sensor's clock, only for hints with a point in time. */
  seenAt?: number;
  /** Row of a provider map; replaces the policy's. */
  steps?: readonly PolicyStep[];
}>;

type Base<T extends string, Fields> = Readonly<{ type: T } & Fields>;

/** Exchanged between hosts: times are ms from now, so that clocks may differ. */
export type SyncedHealth = Readonly<{
  models: readonly (readonly [model: ModelId, health: Health])[];
  providers: readonly (readonly [provider: string, health: Health])[];
  /** Absent: no change. */
  manual?: readonly (readonly [model: ModelId, manual: Manual])[];
  /** By `pinKey`; absent pins or pause: no change. */
  pins?: readonly (readonly [agent: string, pin: Pin])[];
  pause?: Pause | null;
  /** Absent: no change. */
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
    /** OpenCode's titles and compactions are `internal` and never switch. */
    purpose: 'turn' | 'internal';
    needs?: Needs;
    spend?: Spend;
    /** Run of the sending host; a probe leased to it is its own. */
    epoch?: string;
    /** Its host also reports failed tools and continued responses, for statistics. */
    tellsFlaws?: true;
    decided?: DecidedAction;
  }
>;

export type AttemptFailed = Base<
  'attempt.failed',
  {
    attempt: AttemptId;
    evidence: Evidence;
    /** From the request. */
    durationMs: number;
    decided?: DecidedAction;
  }
>;

/** A decision that another host has carried out; it replaces one here, and health is still recorded. */
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
    /** The model OpenCode would use. */
    model: ModelId;
    /** The model configured in OpenCode for this agent; null for none. */
    hostLead: ModelId | null;
    /** False if the model was inherited and not chosen. */
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
    /** Revision (`revisionOf`) that the user saw; the action is rejected if the model has changed since. */
    rev?: number;
  } & Fields
>;

/** User actions other than a reset. */
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
  /** `asleepMs`: time that the monotonic clock missed. */
  | Base<'host.resumed', { asleepMs: number }>
  /** OpenCode retries: the engine adds no retry. */
  | Base<'host.retrying', { turn: TurnId }>
  | Base<'lease.requested', { model: ModelId; epoch: string }>;

/** Hosts stamp the time; the engine trusts no time in an event. */
export type EngineEvent =
  | Base<'scope.configured', { directory: string; config: ScopeConfig }>
  | Base<'scope.closed', { directory: string }>
  | PromptSubmitted
  | AttemptStarted
  | AttemptFailed
  /** `unknownEnd`: end reason that no list contains. */
  | Base<
      'attempt.succeeded',
      { attempt: AttemptId; durationMs: number; firstTokenMs: number; outputChars: number; unknownEnd?: string }
    >
  | Base<'attempt.aborted', { attempt: AttemptId }>
  /** No token for {@link FIRST_TOKEN_QUIET_MS}, then the first token. */
  | Base<'attempt.silent', { attempt: AttemptId }>
  | Base<'attempt.answering', { attempt: AttemptId }>
  /** A response reported its account's windows; `attempt` null for an unknown request. */
  | Base<
      'headroom.seen',
      { attempt: AttemptId | null; directory: string; model: ModelId; windows: readonly SeenWindow[] }
    >
  /** All windows that the user entered, by our count; replaces earlier ones. */
  | Base<'headroom.counted', { accounts: readonly (readonly [account: HealthKey, windows: readonly SeenWindow[]])[] }>
  /** All budgets in force with their spending; replaces earlier ones. */
  | Base<'money.counted', { levels: readonly CountedBudget[] }>
  | Base<'switch.carried', { turn: TurnId; from: ModelId; ok: boolean; durationMs: number; reason?: string }>
  | Base<'session.idle', { session: string }>
  /** OpenCode's open prompt in the session; null for none. */
  | Base<'session.waiting', { session: string; for: UserPrompt | null }>
  | Base<'session.closed', { session: string }>
  | Base<
      'health.reset',
      { target: Readonly<{ model: ModelId } | { provider: string } | { all: true }>; actor: string; rev?: number }
    >
  | Base<'health.synced', { health: SyncedHealth }>
  /** Health after a change in other machines' reports. */
  | Base<
      'fleet.heard',
      {
        /** `windows` only in logs with windows after several reports. */
        health: Pick<SyncedHealth, 'models' | 'providers' | 'windows'>;
        /** Fill levels reported by other machines. */
        windows?: readonly (readonly [account: HealthKey, windows: readonly HeardWindow[]])[];
        /** Removes these machines' reports of these accounts. */
        forgotten?: readonly (readonly [account: HealthKey, machine: string])[];
      }
    >
  | PersonEvent
  | HostEvent
  | Base<'tick', Record<never, never>>;

export type EventType = EngineEvent['type'];
export type EventOf<T extends EventType> = { [E in EngineEvent as E['type']]: E }[T];

export type UserPrompt = 'permission' | 'answer';

/** Silence after which a request counts as waiting for its first token, in ms. */
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
