import {
  type Ability,
  type Backoff,
  type Catalogue,
  DEFAULT_HEALTH,
  type FailureKind,
  type HealthNumbers,
  type ModelId,
  type Policy,
  type RetryBudget,
  type ScopeConfig,
} from '../index';
import { DEFAULT_BACKOFF, DEFAULT_RETRY_BUDGET, narrowPolicy, PRESETS, type ProviderMap } from '../tools';
import type { FallbackEvent } from './events';
import type { Pool } from './pool';
import type { StopSignal } from './stop-signal';

/** The library makes the calls, so it can wait before one and change the model. */
const ABILITIES: readonly Ability[] = ['hold.other', 'hold.start'];

/** Supplied by the host. */
export type FallbackClock = Readonly<{
  /** Monotonic ms: a clock that users can set back would lengthen cooldowns. */
  now(): number;
  /** Resolves after `ms`; may reject when `signal` aborts, and should then free its timer. */
  wait(ms: number, signal?: StopSignal): Promise<void>;
  /** Uniform sample in [0, 1); without it nothing is random. */
  random?(): number;
  /** Unix ms, only for limits with a point in time ("resets at 14:00 UTC"). */
  unixNow?(): number;
}>;

export type CallContext = Readonly<{
  /** Aborts at the caller's stop or the time limit. */
  signal: StopSignal;
  /** 1 for the first call of a consult. */
  attempt: number;
}>;

export type NamedFailure = Readonly<{
  kind: FailureKind;
  /** Wait requested by the provider. */
  retryAfterMs?: number;
  /** Time does not end it: the user must pay, sign in or request access. */
  needsUser?: boolean;
}>;

/** A response that counts as a failure, named or as an error. */
export type FailedAnswer = NamedFailure | Readonly<{ error: unknown }>;

export type FallbackOptions<Question, Answer> = Readonly<{
  /** `provider/model`, so that a provider's fault (key, quota, network) skips all its models. */
  primaryModel: ModelId;
  /** In order. */
  fallbackModels: readonly ModelId[];
  /** A name or your own policy; `swift` by default. Steps that need a user are skipped. */
  policy?: string | Policy;
  /** Values of `FALLBACK_ON_WORDS`: only these failures switch models. All by default. */
  fallbackOn?: readonly string[];
  /** Failures within `windowMs` that open a model's breaker, and for how long. */
  circuitBreaker?: Partial<HealthNumbers['breaker']>;
  /** Cooldowns after limits, rests and the network breaker. */
  health?: Partial<Omit<HealthNumbers, 'breaker'>>;
  /** Switches per consult; the whole chain by default. */
  maxFallbackDepth?: number;
  /** Called if no model of the chain is left. */
  backupModel?: ModelId;
  /** Time limit of a call; none by default. */
  attemptTimeoutMs?: number;
  /** Until a stream's first piece, and between two pieces; no limit by default. */
  firstTokenTimeoutMs?: number;
  stallTimeoutMs?: number;
  /** Retries per consult and the delays between them. */
  retryBudget?: Partial<RetryBudget>;
  backoff?: Partial<Backoff>;
  /** Vendors, prices and context sizes, for `vendorLock` and `maxPriceRatio`. */
  models?: Catalogue;
  /** Only fallback models of the primary's vendor. */
  vendorLock?: boolean;
  /** Price limit as a multiple of the primary's; null for none. */
  maxPriceRatio?: number | null;
  /** Detects a failure in a response, such as a refusal; null for a good one. */
  failureIn?: (answer: Answer, model: ModelId) => FailedAnswer | null;
  /** Classifies a failure before the engine does; null leaves it to the engine. */
  classify?: (error: unknown, model: ModelId) => NamedFailure | null;
  /** Applied before the engine's rules; a map `default` applies to every provider. */
  providerMaps?: readonly ProviderMap[];
  /** Health shared with other fallbacks of this process, on the same clock. */
  pool?: Pool;
  /** Earlier result of `save`; it replaces the pool's state. Damaged, too large or newer data is ignored. */
  saved?: unknown;
  /** Receives all events in order; its errors are ignored. */
  onEvent?: (event: FallbackEvent) => void;
  /** Shortens a question that exceeded the context, for one retry. */
  compact?: (question: Question) => Question;
  clock: FallbackClock;
  /** Calls one model. Its error is the reason of the failure. */
  call: (model: ModelId, question: Question, context: CallContext) => Promise<Answer>;
}>;

/** One scope for all consults. */
export type Plan = Readonly<{ lead: ModelId; models: readonly ModelId[]; scope: ScopeConfig }>;

/** @throws RangeError for an empty model name, an unknown policy or a number out of range. */
export function planOf<Question, Answer>(options: FallbackOptions<Question, Answer>): Plan {
  const { primaryModel, fallbackModels, backupModel = null, compact } = options;
  const chain = [...new Set([primaryModel, ...fallbackModels])];
  const models = backupModel === null || chain.includes(backupModel) ? chain : [...chain, backupModel];
  const { maxFallbackDepth = models.length } = options;
  for (const model of models) if (model.trim() === '') throw new RangeError('a model needs a name, got ""');
  atLeast(0, 'maxFallbackDepth', maxFallbackDepth);
  for (const name of ['attemptTimeoutMs', 'firstTokenTimeoutMs', 'stallTimeoutMs'] as const)
    if (options[name] !== undefined) atLeast(1, name, options[name]);
  const retryBudget = { ...DEFAULT_RETRY_BUDGET, ...options.retryBudget };
  for (const [name, number = 0] of Object.entries(retryBudget)) atLeast(0, `retryBudget.${name}`, number);
  const backoff = { ...DEFAULT_BACKOFF, ...options.backoff };
  for (const name of ['baseMs', 'capMs', 'jitter'] as const) atLeast(0, `backoff.${name}`, backoff[name]);
  if (options.maxPriceRatio != null) atLeast(0, 'maxPriceRatio', options.maxPriceRatio);
  const scope: ScopeConfig = {
    enabled: true,
    health: healthOf(options),
    maxFallbackDepth,
    onExhausted: 'error',
    backupModel,
    retryBudget,
    backoff,
    ...(options.models === undefined ? {} : { models: options.models }),
    ...(options.vendorLock === undefined ? {} : { vendorLock: options.vendorLock }),
    ...(options.maxPriceRatio === undefined ? {} : { maxPriceRatio: options.maxPriceRatio }),
    agents: { '*': { chain, policy: policyOf(options.policy ?? 'swift', options.fallbackOn) } },
    abilities: compact ? [...ABILITIES, 'compact'] : ABILITIES,
  };
  return { lead: primaryModel, models, scope };
}

function healthOf(options: Pick<FallbackOptions<never, unknown>, 'health' | 'circuitBreaker'>): HealthNumbers {
  const breaker = { ...DEFAULT_HEALTH.breaker, ...options.circuitBreaker };
  atLeast(1, 'circuitBreaker.failureThreshold', breaker.failureThreshold);
  atLeast(1, 'circuitBreaker.windowMs', breaker.windowMs);
  atLeast(1, 'circuitBreaker.cooldownMs', breaker.cooldownMs);
  atLeast(1, 'circuitBreaker.growth', breaker.growth);
  if (breaker.maxCooldownMs !== undefined) atLeast(1, 'circuitBreaker.maxCooldownMs', breaker.maxCooldownMs);
  const health = { ...DEFAULT_HEALTH, ...options.health, breaker };
  for (const name of ['cooldownMs', 'quotaCooldownMs', 'retryOriginalAfterMs', 'restMs'] as const)
    atLeast(0, `health.${name}`, health[name]);
  atLeast(1, 'health.network.failureThreshold', health.network.failureThreshold);
  atLeast(0, 'health.network.cooldownMs', health.network.cooldownMs);
  return health;
}

function policyOf(policy: string | Policy, fallbackOn: readonly string[] | undefined): Policy {
  const presets: Readonly<Record<string, Policy>> = PRESETS;
  const named = typeof policy !== 'string' ? policy : Object.hasOwn(presets, policy) ? presets[policy] : undefined;
  if (!named) throw new RangeError(`policy must be one of ${Object.keys(presets).join(', ')}, got "${String(policy)}"`);
  return fallbackOn ? narrowPolicy(named, fallbackOn) : named;
}

function atLeast(min: number, name: string, value: number): void {
  if (!(value >= min && value < Number.POSITIVE_INFINITY))
    throw new RangeError(`${name} must be a number of at least ${min}, got ${value}`);
}
