import type { Backoff } from './backoff';
import type { RetryBudget } from './budget';
import type { Catalogue } from './catalogue';
import type { ModelId } from './ids';
import type { Policy } from './policy';
import type { HeadroomRules } from './window';

/** Limit of a breaker's growth, in ms. Source: docs/failures.md, health. */
export const MAX_COOLDOWN_MS = 86_400_000;

export type HealthNumbers = Readonly<{
  /** After a rate limit, unless the response names a longer time. */
  cooldownMs: number;
  /** After a quota without a reset time. */
  quotaCooldownMs: number;
  /** Counted from the failure; until then the model is used only if no other is available. */
  retryOriginalAfterMs: number;
  /** After other failures that made a turn leave the model; it then ranks last. */
  restMs: number;
  breaker: Readonly<{
    failureThreshold: number;
    windowMs: number;
    cooldownMs: number;
    growth: number;
    /** 24 h if absent. */
    maxCooldownMs?: number | undefined;
  }>;
  network: Readonly<{ failureThreshold: number; cooldownMs: number }>;
  /** So many changes of availability hold the model open; {@link DEFAULT_FLAPPING} if absent. */
  flapping?: Readonly<{ changes: number; windowMs: number; holdMs: number }> | undefined;
  /** Breakers only report and refuse no request. */
  shadow?: boolean;
}>;

export type AgentPlan = Readonly<{
  /** Position 0 is the primary; no duplicates. */
  chain: readonly ModelId[];
  policy: Policy;
  /** Absent: the directory's numbers. */
  breaker?: Readonly<{ failureThreshold: number; cooldownMs: number }> | undefined;
  /** Caps each `retry` step; absent: the directory's cap. */
  maxRetries?: number | undefined;
  /** Position 0 was configured for this agent: an inherited model is no choice against it. */
  isNamed?: boolean | undefined;
  /** Reasoning variant that the host requests, by model; variants share one health. */
  variants?: Readonly<Record<ModelId, string>> | undefined;
}>;

/**
 * Optional abilities of a host; a step that needs an absent one is skipped. `hold.other`: hold, then use another
 * model. `hold.start`: hold a request before it is sent. `retry.output`: retry after the user has seen output.
 * `continue`: add a message that makes the model go on. `compact`: shorten the conversation, then retry. `ask`: show a
 * question while the turn waits. `defer`: let the other participants go first.
 */
export const ABILITIES = ['hold.other', 'hold.start', 'retry.output', 'continue', 'compact', 'ask', 'defer'] as const;
export type Ability = (typeof ABILITIES)[number];

/** The listed models, or all others; without accounts. */
export type Unpriced = Readonly<{ isAllBut: boolean; models: readonly ModelId[] }>;

export type ScopeConfig = Readonly<{
  enabled: boolean;
  health: HealthNumbers;
  maxFallbackDepth: number;
  onExhausted: 'error' | 'native';
  backupModel: ModelId | null;
  /** `*` applies to agents without an entry. */
  agents: Readonly<Record<string, AgentPlan>>;
  /** The host's other agents, for display; null if unknown. */
  unplanned?: Readonly<Record<string, ModelId | null>>;
  abilities?: readonly Ability[];
  maxRetries?: number;
  retryBudget?: RetryBudget;
  backoff?: Backoff;
  /** Longer hints are cooldowns; one minute if absent. */
  hintWaitMaxMs?: number;
  /** Own health partitions by provider or `*`; other providers use the user's shared health. */
  books?: Readonly<Record<string, string>>;
  models?: Catalogue;
  vendorLock?: boolean;
  maxPriceRatio?: number | null;
  /** One request per turn to the least bad model if all are unavailable. */
  panicProbe?: boolean;
  /** A message may try the model due first if only estimates exclude it; for hosts with a user. */
  guessProbe?: boolean;
  /** Models without a price that budgets may rely on. */
  unpriced?: Unpriced;
  headroom?: HeadroomRules;
}>;

/** Source: docs/failures.md, health. */
export const DEFAULT_FLAPPING = { changes: 4, windowMs: 600_000, holdMs: 600_000 };

/** Source: docs/failures.md, health. */
export const DEFAULT_HEALTH: HealthNumbers = {
  cooldownMs: 300_000,
  quotaCooldownMs: 3_600_000,
  retryOriginalAfterMs: 900_000,
  restMs: 60_000,
  breaker: {
    failureThreshold: 3,
    windowMs: 3_600_000,
    cooldownMs: 3_600_000,
    growth: 1,
    maxCooldownMs: MAX_COOLDOWN_MS,
  },
  network: { failureThreshold: 5, cooldownMs: 300_000 },
};
