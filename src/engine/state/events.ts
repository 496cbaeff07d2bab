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
  /** `isVague`: an invalid request by its code or status, which no phrase confirms. */
  mapped?: Readonly<{ kind: FailureKind; needsUser?: boolean; isVague?: true }>;
  /** How long the body asks to be left alone, in ms, or its message by the clock of a zone that only the sensor knows. */
  hintMs?: number;
  /** Wall clock of the sensor, Unix ms: needed only to read hints that name a point in time. */
  seenAt?: number;
  /** The row a provider map gives this failure, in place of the policy's. */
  steps?: readonly PolicyStep[];
}>;

type Base<T extends string, Fields> = Readonly<{ type: T } & Fields>;

/** Health as it travels between hosts: all times are milliseconds from now, so clocks need not agree. */
export type SyncedHealth = Readonly<{
  models: readonly (readonly [model: ModelId, health: Health])[];
  providers: readonly (readonly [provider: string, health: Health])[];
  /** What people have said of models; absent leaves what this host knows. */
  manual?: readonly (readonly [model: ModelId, manual: Manual])[];
  /** Agents held on one model, by `pinKey`; absent leaves what this host knows, and so does an absent pause. */
  pins?: readonly (readonly [agent: string, pin: Pin])[];
  pause?: Pause | null;
  /** How full the limits of accounts are; absent leaves what this host knows. */
  windows?: readonly (readonly [account: HealthKey, windows: readonly Window[]])[];
  /** Requests of those accounts that are under way. */
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
    /** `title` and `compaction` requests are OpenCode's own and never switch. */
    purpose: 'turn' | 'internal';
    needs?: Needs;
    spend?: Spend;
    /** The life of the host that sends it: a probe leased to that life is its own. */
    epoch?: string;
    /** Its host also tells of tools that failed in its answers and of answers that were gone on from: for figures alone. */
    tellsFlaws?: true;
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
    /** The model OpenCode is configured to use for this agent; null when it is configured nowhere. */
    hostLead: ModelId | null;
    /** Whether the prompt named its model; an unnamed one is inherited, never a choice. */
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
    /** What the person saw (`revisionOf`); an act on a model that has changed since is refused. */
    rev?: number;
  } & Fields
>;

/** What people do, beside a reset. */
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
  /** Without an id the open question is meant. */
  | Base<'question.answered', { yes: boolean; question?: string; actor: string }>
  /** `/retry NAME`, or `/retry all` with a null name. */
  | Base<'speaker.retried', { session: string; agent: string | null; actor: string }>;

/** What happens to the host itself. */
export type HostEvent =
  /** The machine slept; `asleepMs` is the time its monotonic clock did not count. */
  | Base<'host.resumed', { asleepMs: number }>
  /** OpenCode itself is asking again: no retry of ours comes on top. */
  | Base<'host.retrying', { turn: TurnId }>
  | Base<'lease.requested', { model: ModelId; epoch: string }>;

/** Everything the engine can be told. Hosts stamp the time; events carry none that the engine would trust. */
export type EngineEvent =
  | Base<'scope.configured', { directory: string; config: ScopeConfig }>
  | Base<'scope.closed', { directory: string }>
  | PromptSubmitted
  | AttemptStarted
  | AttemptFailed
  /** `unknownEnd`: the reason of its end, where no list names it. */
  | Base<
      'attempt.succeeded',
      { attempt: AttemptId; durationMs: number; firstTokenMs: number; outputChars: number; unknownEnd?: string }
    >
  | Base<'attempt.aborted', { attempt: AttemptId }>
  /** No token of its response for {@link FIRST_TOKEN_QUIET_MS}; then its first token. */
  | Base<'attempt.silent', { attempt: AttemptId }>
  | Base<'attempt.answering', { attempt: AttemptId }>
  /** A response came, and said how full the limits of its account are. `attempt` null: of a request nobody has told of. */
  | Base<
      'headroom.seen',
      { attempt: AttemptId | null; directory: string; model: ModelId; windows: readonly SeenWindow[] }
    >
  /** How full limits are that a user has entered, by our own count, all of them: those not named are none any more. */
  | Base<'headroom.counted', { accounts: readonly (readonly [account: HealthKey, windows: readonly SeenWindow[]])[] }>
  /** What has been spent of the budgets in force, all of them: those not named are none any more. */
  | Base<'money.counted', { levels: readonly CountedBudget[] }>
  | Base<'switch.carried', { turn: TurnId; from: ModelId; ok: boolean; durationMs: number; reason?: string }>
  | Base<'session.idle', { session: string }>
  /** OpenCode asks the user for a permission or an answer; null when no such prompt is open. */
  | Base<'session.waiting', { session: string; for: UserPrompt | null }>
  | Base<'session.closed', { session: string }>
  | Base<
      'health.reset',
      { target: Readonly<{ model: ModelId } | { provider: string } | { all: true }>; actor: string; rev?: number }
    >
  | Base<'health.synced', { health: SyncedHealth }>
  /** What other machines say of accounts has become another: the health that models and providers have with it. */
  | Base<
      'fleet.heard',
      {
        /** With `windows` where a log holds the windows of accounts as several reports left them. */
        health: Pick<SyncedHealth, 'models' | 'providers' | 'windows'>;
        /** How full limits are by what others have heard. */
        windows?: readonly (readonly [account: HealthKey, windows: readonly HeardWindow[]])[];
        /** What these machines have heard of these accounts counts no more. */
        forgotten?: readonly (readonly [account: HealthKey, machine: string])[];
      }
    >
  | PersonEvent
  | HostEvent
  | Base<'tick', Record<never, never>>;

export type EventType = EngineEvent['type'];
export type EventOf<T extends EventType> = { [E in EngineEvent as E['type']]: E }[T];

/** What OpenCode asks its user for in the middle of a turn. */
export type UserPrompt = 'permission' | 'answer';

/** Time without a token after which a request counts as waiting for its first one, in ms. */
export const FIRST_TOKEN_QUIET_MS = 5_000;

/** Response headers that name when a limit is reset, as a point in time or as a duration. */
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

/** Response headers that say when a limit ends or whether to try again; no other header is kept or sent anywhere. */
export const HINT_HEADERS = ['retry-after', 'retry-after-ms', 'x-should-retry', ...RESET_HEADERS] as const;
