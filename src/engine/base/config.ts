import type { Backoff } from './backoff';
import type { RetryBudget } from './budget';
import type { Catalogue } from './catalogue';
import type { ModelId } from './ids';
import type { Policy } from './policy';
import type { HeadroomRules } from './window';

/** Longest cooldown that a breaker's growth reaches, in ms. Source: docs/failures.md, health. */
export const MAX_COOLDOWN_MS = 86_400_000;

/** Numbers of a model's health; times in ms. */
export type HealthNumbers = Readonly<{
  /** Cooldown after a rate limit; a longer time in the response wins. */
  cooldownMs: number;
  /** Cooldown after an exhausted quota without a reset time. */
  quotaCooldownMs: number;
  /** Counted from the failure; until then the model is used only if no other is available. */
  retryOriginalAfterMs: number;
  /** Time a model ranks last after other failures that made a turn leave it. */
  restMs: number;
  breaker: Readonly<{
    failureThreshold: number;
    windowMs: number;
    cooldownMs: number;
    growth: number;
    /** Limit of the growth; 24 h if absent. */
    maxCooldownMs?: number | undefined;
  }>;
  network: Readonly<{ failureThreshold: number; cooldownMs: number }>;
  /** This many changes of availability within the window hold the model open; {@link DEFAULT_FLAPPING} if absent. */
  flapping?: Readonly<{ changes: number; windowMs: number; holdMs: number }> | undefined;
  /** Breakers only report; no request is refused. */
  shadow?: boolean;
}>;

export type AgentPlan = Readonly<{
  /** Position 0 is the primary; duplicates are already removed. */
  chain: readonly ModelId[];
  policy: Policy;
  /** Absent: the directory's numbers. */
  breaker?: Readonly<{ failureThreshold: number; cooldownMs: number }> | undefined;
  /** Caps each `retry` step; absent: the directory's cap. */
  maxRetries?: number | undefined;
  /** Position 0 was configured for this agent: an inherited model is then no choice against it. */
  isNamed?: boolean | undefined;
  /** Variant that the host requests, by model. Unused by the engine: variants share one health. */
  variants?: Readonly<Record<ModelId, string>> | undefined;
}>;

/**
 * Optional abilities of a host. A step that needs an absent one is skipped.
 * `hold.other`: hold, then use another model. `hold.start`: hold a request before it is sent. `retry.output`: retry
 * after the user has seen output. `continue`: add a message that makes the model go on. `compact`: shorten the
 * conversation, then retry. `ask`: show a question while the turn waits. `defer`: let the other participants go first.
 */
export const ABILITIES = ['hold.other', 'hold.start', 'retry.output', 'continue', 'compact', 'ask', 'defer'] as const;
export type Ability = (typeof ABILITIES)[number];

/** The listed models, or all others; names carry no account. */
export type Unpriced = Readonly<{ isAllBut: boolean; models: readonly ModelId[] }>;

export type ScopeConfig = Readonly<{
  enabled: boolean;
  health: HealthNumbers;
  /** Per turn. */
  maxFallbackDepth: number;
  onExhausted: 'error' | 'native';
  backupModel: ModelId | null;
  /** By agent name; `*` applies to agents without an entry. */
  agents: Readonly<Record<string, AgentPlan>>;
  /** Other agents of the host and their models, for display only; null if unknown. */
  unplanned?: Readonly<Record<string, ModelId | null>>;
  abilities?: readonly Ability[];
  /** Caps each `retry` step. */
  maxRetries?: number;
  retryBudget?: RetryBudget;
  backoff?: Backoff;
  /** Longer hints are cooldowns, in ms; one minute if absent. */
  hintWaitMaxMs?: number;
  /**
   * Own health partitions, by provider or `*`; other directories never see their contents. Providers without one share
   * the user's health.
   */
  books?: Readonly<Record<string, string>>;
  models?: Catalogue;
  vendorLock?: boolean;
  maxPriceRatio?: number | null;
  /** When all models are unavailable, allow one request per turn to the least bad one. */
  panicProbe?: boolean;
  /** A user's message may try the model due first if only estimates exclude it; for hosts with a user. */
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
