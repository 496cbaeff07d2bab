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

/** The library makes the calls, so it can hold one and change its model. */
const ABILITIES: readonly Ability[] = ['hold.other', 'hold.start'];

export type FallbackClock = Readonly<{
  /** Monotonic ms: a clock set back would lengthen cooldowns. */
  now(): number;
  /** May reject when `signal` aborts, and should then free its timer. */
  wait(ms: number, signal?: StopSignal): Promise<void>;
  /** Uniform sample in [0, 1); nothing is random without it. */
  random?(): number;
  /** Unix ms, only for limits with a point in time ("resets at 14:00 UTC"). */
  unixNow?(): number;
}>;

export type CallContext = Readonly<{
  signal: StopSignal;
  /** 1 for the first call of a consult. */
  attempt: number;
}>;

export type NamedFailure = Readonly<{
  kind: FailureKind;
  retryAfterMs?: number;
  /** Only the user can end it: pay, sign in or request access. */
  needsUser?: boolean;
}>;

/** A response that counts as a failure. */
export type FailedAnswer = NamedFailure | Readonly<{ error: unknown }>;

export type FallbackOptions<Question, Answer> = Readonly<{
  /** `provider/model`: a provider's fault (key, quota, network) skips all its models. */
  primaryModel: ModelId;
  fallbackModels: readonly ModelId[];
  /** `swift` by default. Steps that need a user are skipped. */
  policy?: string | Policy;
  /** Values of `FALLBACK_ON_WORDS`; all by default. */
  fallbackOn?: readonly string[];
  /** Failures within `windowMs` open a model's breaker. */
  circuitBreaker?: Partial<HealthNumbers['breaker']>;
  health?: Partial<Omit<HealthNumbers, 'breaker'>>;
  /** Switches per consult; by default the whole chain. */
  maxFallbackDepth?: number;
  /** Called after the chain. */
  backupModel?: ModelId;
  /** Time limit of a call; none by default. */
  attemptTimeoutMs?: number;
  /** Before a stream's first piece, and between pieces; none by default. */
  firstTokenTimeoutMs?: number;
  stallTimeoutMs?: number;
  /** Retries per consult. */
  retryBudget?: Partial<RetryBudget>;
  backoff?: Partial<Backoff>;
  models?: Catalogue;
  vendorLock?: boolean;
  /** Multiple of the primary's price; null for no limit. */
  maxPriceRatio?: number | null;
  /** Detects failures in a response, such as a refusal. */
  failureIn?: (answer: Answer, model: ModelId) => FailedAnswer | null;
  /** Precedes the engine's rules; null leaves the failure to them. */
  classify?: (error: unknown, model: ModelId) => NamedFailure | null;
  /** Precede the engine's rules; `default` applies to every provider. */
  providerMaps?: readonly ProviderMap[];
  /** Shared by fallbacks of this process, on one clock. */
  pool?: Pool;
  /** Result of `save`; replaces the pool's state. Damaged, too large or newer data is ignored. */
  saved?: unknown;
  /** Its errors are ignored. */
  onEvent?: (event: FallbackEvent) => void;
  /** Shortens a question that exceeded the context, for one retry. */
  compact?: (question: Question) => Question;
  clock: FallbackClock;
  /** Its error is the reason of the failure. */
  call: (model: ModelId, question: Question, context: CallContext) => Promise<Answer>;
}>;

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
