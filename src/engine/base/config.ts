import type { Backoff } from './backoff';
import type { RetryBudget } from './budget';
import type { Catalogue } from './catalogue';
import type { ModelId } from './ids';
import type { Policy } from './policy';
import type { HeadroomRules } from './window';

/** The time a breaker is open does not grow beyond this by itself, in ms. Source: docs/failures.md, health. */
export const MAX_COOLDOWN_MS = 86_400_000;

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
  breaker: Readonly<{
    failureThreshold: number;
    windowMs: number;
    cooldownMs: number;
    growth: number;
    /** What growth stops at; 24 h where it is left out. */
    maxCooldownMs?: number | undefined;
  }>;
  network: Readonly<{ failureThreshold: number; cooldownMs: number }>;
  /** So many changes between usable and not within the window hold a model open; {@link DEFAULT_FLAPPING} where it is left out. */
  flapping?: Readonly<{ changes: number; windowMs: number; holdMs: number }> | undefined;
  /** Breakers only tell that they would have opened; nothing is refused for them. */
  shadow?: boolean;
}>;

/** What one agent does when its model fails. */
export type AgentPlan = Readonly<{
  /** Position 0 is the lead; duplicates are already collapsed. */
  chain: readonly ModelId[];
  policy: Policy;
  /** How its failures count against a model; absent: as in its directory. */
  breaker?: Readonly<{ failureThreshold: number; cooldownMs: number }> | undefined;
  /** Caps the number of its every `retry` step; absent: as in its directory. */
  maxRetries?: number | undefined;
  /** Position 0 is named for this agent, and by nobody else: a model that only came along is no choice against it. */
  isNamed?: boolean | undefined;
  /** The way of answering that the host is to ask of models of the chain, by model. The engine decides nothing by it: a model's health is one. */
  variants?: Readonly<Record<ModelId, string>> | undefined;
}>;

/**
 * What a host can carry out besides the seven plain actions with a hold of the same model. A step that needs more is
 * left out for a host without it, and the row goes on to its next step.
 *
 * `hold.other`: hold, then use another model. `hold.start`: hold a request before it is sent. `retry.output`: ask again although part of the answer has been shown.
 * `continue`: add a message that tells the model to go on. `compact`: shorten the conversation, then ask again.
 * `ask`: show a question while the turn waits. `defer`: let the other speakers go first, then ask again.
 */
export const ABILITIES = ['hold.other', 'hold.start', 'retry.output', 'continue', 'compact', 'ask', 'defer'] as const;
export type Ability = (typeof ABILITIES)[number];

/** So many models, or all but so many; by their names without an account. */
export type Unpriced = Readonly<{ isAllBut: boolean; models: readonly ModelId[] }>;

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
  /** Agents the host has beside those, each with the model it asks for them; null where it does not say. Only told of. */
  unplanned?: Readonly<Record<string, ModelId | null>>;
  /** What the host can do more than the plain actions; absent means nothing more. */
  abilities?: readonly Ability[];
  /** Caps the number of every `retry` step. */
  maxRetries?: number;
  retryBudget?: RetryBudget;
  backoff?: Backoff;
  /** A provider's hint longer than this is a cooldown and no wait of a `retry`, in ms; a minute where it is left out. */
  hintWaitMaxMs?: number;
  /**
   * Books of health that this directory keeps by itself, by provider, `*` for every other one: what it finds out is told to
   * no other directory. Where there is none, health is the user's, wherever it was found out.
   */
  books?: Readonly<Record<string, string>>;
  /** What is known of models, for capability, vendor and price checks. */
  models?: Catalogue;
  vendorLock?: boolean;
  maxPriceRatio?: number | null;
  /** Whether one request a turn may ask the least bad model although every model is out. */
  panicProbe?: boolean;
  /** Whether a message asks the model due first where nothing but our own estimates keeps it out: for hosts with a person. */
  guessProbe?: boolean;
  /** Models of which nobody whom budgets may believe says what they cost. */
  unpriced?: Unpriced;
  /** What is done about limits that come near; nothing where it is left out. */
  headroom?: HeadroomRules;
}>;

/** Source: docs/failures.md, health. */
export const DEFAULT_FLAPPING = { changes: 4, windowMs: 600_000, holdMs: 600_000 };

/** The published defaults. Source: docs/failures.md, health. */
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
