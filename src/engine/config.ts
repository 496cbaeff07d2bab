import type { ModelId } from './ids';
import type { FailureKind } from './kinds';
import type { PolicyStep } from './policy';

/** The numbers of a model's health lanes, all in milliseconds unless named otherwise. */
export type HealthNumbers = Readonly<{
  /** Unusable after a rate limit that names no longer time. */
  cooldownMs: number;
  /** Unusable after a spent quota that names no reset. */
  quotaCooldownMs: number;
  /** Counted from the hit: until then the model is used only when nothing else is ready. */
  retryOriginalAfterMs: number;
  /** After any other failure that made a turn leave the model, it is preferred last for this long. */
  restMs: number;
  breaker: Readonly<{ failureThreshold: number; windowMs: number; cooldownMs: number; growth: number }>;
  network: Readonly<{ failureThreshold: number; cooldownMs: number }>;
}>;

export type Policy = Readonly<Record<FailureKind, readonly PolicyStep[]>>;

/** What one agent does when its model fails. */
export type AgentPlan = Readonly<{
  /** Position 0 is the lead; duplicates are already collapsed. */
  chain: readonly ModelId[];
  policy: Policy;
}>;

/** One directory's resolved configuration, as the engine needs it. */
export type ScopeConfig = Readonly<{
  enabled: boolean;
  health: HealthNumbers;
  /** Switches allowed in one turn. */
  maxFallbackDepth: number;
  /** What happens when nothing in the chain is left. */
  onExhausted: 'error' | 'native';
  backupModel: ModelId | null;
  /** By agent name; `*` answers for every agent without an entry of its own. */
  agents: Readonly<Record<string, AgentPlan>>;
}>;

/** The published defaults. Source: configuration specification, `defaults`. */
export const DEFAULT_HEALTH: HealthNumbers = {
  cooldownMs: 300_000,
  quotaCooldownMs: 3_600_000,
  retryOriginalAfterMs: 900_000,
  restMs: 60_000,
  breaker: { failureThreshold: 3, windowMs: 3_600_000, cooldownMs: 3_600_000, growth: 1 },
  network: { failureThreshold: 5, cooldownMs: 300_000 },
};
