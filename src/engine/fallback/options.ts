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

/** A host of the engine that asks by itself can wait before a call, and then for whichever model it likes. */
const ABILITIES: readonly Ability[] = ['hold.other', 'hold.start'];

/** Time, waiting and chance, given by the host. */
export type FallbackClock = Readonly<{
  /** Monotonic milliseconds: a clock that people can set back would lengthen every cooldown. */
  now(): number;
  /** Resolves after `ms`; may reject once `signal` aborts, and should free its timer then. */
  wait(ms: number, signal?: StopSignal): Promise<void>;
  /** Uniform sample in [0, 1); without it no chance is involved. */
  random?(): number;
  /** Unix milliseconds: needed only to read limits that name a point in time ("resets at 14:00 UTC"). */
  unixNow?(): number;
}>;

/** What one call is made with. */
export type CallContext = Readonly<{
  /** Aborts when the caller stops the consult or the attempt has had its time. */
  signal: StopSignal;
  /** 1 for the first call of a consult. */
  attempt: number;
}>;

/** A failure by its name among the engine's kinds. */
export type NamedFailure = Readonly<{
  kind: FailureKind;
  /** How long the provider asks to be left alone, in ms. */
  retryAfterMs?: number;
  /** No clock heals it: a person has to pay, sign in or ask for access. */
  needsUser?: boolean;
}>;

/** An answer that is none: named, or as if this had been thrown. */
export type FailedAnswer = NamedFailure | Readonly<{ error: unknown }>;

export type FallbackOptions<Question, Answer> = Readonly<{
  /** `provider/model`, so that what is wrong with a provider (key, quota, network) skips all its models at once. */
  primaryModel: ModelId;
  /** Who stands in, in order. */
  fallbackModels: readonly ModelId[];
  /** A policy by name, or one of your own; `swift` by default. Steps that need a person are left out. */
  policy?: string | Policy;
  /** Words of `FALLBACK_ON_WORDS`: only these failures move a consult to another model. All by default. */
  fallbackOn?: readonly string[];
  /** Failures within `windowMs` that open a model's circuit, and for how long. */
  circuitBreaker?: Partial<HealthNumbers['breaker']>;
  /** The other lanes of health: cooldowns after limits, rests, the network circuit. */
  health?: Partial<Omit<HealthNumbers, 'breaker'>>;
  /** Failed calls that may move one consult to another model; the whole chain by default. */
  maxFallbackDepth?: number;
  /** Asked when nobody of the chain is left. */
  backupModel?: ModelId;
  /** Milliseconds one call may take; without it a call takes as long as it takes. */
  attemptTimeoutMs?: number;
  /** Milliseconds until the first piece of a stream, and between two of them; without them a stream takes as long as it takes. */
  firstTokenTimeoutMs?: number;
  stallTimeoutMs?: number;
  /** Retries that one consult may use, and the pauses between them. */
  retryBudget?: Partial<RetryBudget>;
  backoff?: Partial<Backoff>;
  /** What is known of models: vendor, prices, context. `vendorLock` and `maxPriceRatio` are checked against it. */
  models?: Catalogue;
  /** Only models of the primary's vendor stand in. */
  vendorLock?: boolean;
  /** What a stand-in may cost at most, as a multiple of the primary; null for whatever it costs. */
  maxPriceRatio?: number | null;
  /** The failure in an answer, such as a refusal or an empty response; null for a good one. */
  failureIn?: (answer: Answer, model: ModelId) => FailedAnswer | null;
  /** Names a failure before the engine's own rules do; null leaves it to them. */
  classify?: (error: unknown, model: ModelId) => NamedFailure | null;
  /** What errors of providers mean, as data, before the engine's own rules. A map `default` speaks for every provider. */
  providerMaps?: readonly ProviderMap[];
  /** Health shared with other fallbacks of this process, on the same clock; a pool of its own without it. */
  pool?: Pool;
  /** Earlier result of `save`; it replaces the pool's state. Damaged, too large or newer data is ignored. */
  saved?: unknown;
  /** Hears of everything that happens, in order. It must not throw; what it throws is lost. */
  onEvent?: (event: FallbackEvent) => void;
  /** Shortens a question that did not fit the model, which is then asked once more; without it the error comes back. */
  compact?: (question: Question) => Question;
  clock: FallbackClock;
  /** Asks one model. Whatever it throws is read as the reason of the failure. */
  call: (model: ModelId, question: Question, context: CallContext) => Promise<Answer>;
}>;

/** What the engine needs of the options: who is asked first, everybody who may be, and one scope for all consults. */
export type Plan = Readonly<{ lead: ModelId; models: readonly ModelId[]; scope: ScopeConfig }>;

/**
 * Reads the options as the engine's configuration.
 *
 * @throws RangeError for a model without a name, an unknown policy, or a number out of range: bugs of the caller.
 */
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
