import type { AttemptId, HealthKey, ModelId } from './ids';
import type { FailureKind } from './kinds';

/** `share`: a fraction of a plan; `tokens`: input and output; `credits`: anything sold, including money. */
export const WINDOW_UNITS = ['requests', 'tokens', 'input_tokens', 'output_tokens', 'share', 'credits'] as const;
export type WindowUnit = (typeof WINDOW_UNITS)[number];

/** The response, our own count, or the user. */
export const WINDOW_SOURCES = ['provider', 'counted', 'entered'] as const;
export type WindowSource = (typeof WINDOW_SOURCES)[number];

/** A limit of an account as a response reports it; times are relative to the response. */
export type SeenWindow = Readonly<{
  /** Stable within the account: `unified-5h`, `tokens`, `codex-primary`. */
  id: string;
  unit: WindowUnit;
  /** Null if unknown. */
  lengthMs: number | null;
  /** All models of the account, the requested one, or those whose name contains a text. */
  of: 'account' | 'model' | Readonly<{ family: string }>;
  /** From 0; above 1 if overdrawn. */
  used: number;
  /** Null if only the share is known. */
  limit: number | null;
  remaining: number | null;
  /** Null if unknown. */
  resetInMs: number | null;
  /** At once, or continuously until it is full at the reset. */
  refills: 'at_reset' | 'evenly';
  /** Whether admission counts a request's maximum or its actual use. */
  charges: 'maximum' | 'used';
  /** The provider marks it as the binding one. */
  isRuling?: true;
  isRefusing?: true;
  /** The provider serves requests beyond the limit for money. */
  isOverdrawable?: true;
  /** Displayed only: unclear whose requests it counts, or another window comes first. */
  isShownOnly?: true;
}>;

/**
 * A limit reported to another machine. `resetInMs` counts from now; `agoMs`: since its response; `sentAgoMs`: since
 * its request left.
 */
export type HeardWindow = Omit<SeenWindow, 'of'> &
  Readonly<{ model: ModelId | null; family: string | null; agoMs: number; sentAgoMs: number; machine: string }>;

/** A limit in the engine's state; times are engine ms. */
export type Window = Readonly<{
  id: string;
  unit: WindowUnit;
  lengthMs: number | null;
  /** Null if several models share it. */
  model: ModelId | null;
  /** Text in its models' names. */
  family: string | null;
  /** As of `at`. */
  used: number;
  limit: number | null;
  remaining: number | null;
  resetAt: number | null;
  refills: SeenWindow['refills'];
  charges: SeenWindow['charges'];
  source: WindowSource;
  isRuling: boolean;
  isRefusing: boolean;
  isOverdrawable: boolean;
  isShownOnly?: boolean;
  /** Absent for this machine. */
  machine?: string;
  /** Time of the response. */
  at: number;
  /** Time its request left; a later one is newer. */
  asOf: number;
  /** Use per local request; null without observations. */
  step: Step | null;
  /** Ended local requests that no response includes yet, the oldest first. */
  owed: readonly Owed[];
  pace: Pace | null;
  /** Highest mark passed; 0 for none. */
  passed: number;
}>;

/** `part` is null until a later response shows it. */
export type Owed = Readonly<{ at: number; part: number | null }>;

/**
 * In parts of a window: `sum` covers the `count` latest requests with decaying weight, `most` is the recent maximum.
 */
export type Step = Readonly<{ sum: number; count: number; most: number }>;

/** Parts of the window per hour, weighted exponentially by age. */
export type Pace = Readonly<{ perHour: number; variance: number; weight: number; samples: number; since: number }>;

/** Estimated tokens. */
export type Spend = Readonly<{
  /** Cached or not. */
  input: number;
  /** Input outside the provider's cache. */
  fresh: number;
  /** Likely and maximum. */
  output: number;
  most: number;
}>;

/** A request in flight at another host. */
export type UnderWay = Readonly<{
  attempt: AttemptId;
  account: HealthKey;
  model: ModelId;
  at: number;
  spend?: Spend;
  /** Its response has reported the windows. */
  isSeen?: boolean;
}>;

/**
 * Rule for work that would use up another plan within a day: prefer other models, request approval, or never use it.
 */
export const DRAIN_MODES = ['ask', 'auto', 'never'] as const;
export type DrainMode = (typeof DRAIN_MODES)[number];

/** Parts are from 0 to 1. */
export type HeadroomRules = Readonly<{
  /** `move`: switch before a refusal; `warn`: only notify. */
  act: 'move' | 'warn' | 'off';
  /** Highest fill level at which a turn may begin. */
  moveAt: number;
  /** Part reserved for an agent, by provider and agent. */
  reserve?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By the primary's failure kind; `auto` if absent. */
  drain?: DrainMode | Readonly<Partial<Record<FailureKind, DrainMode>>>;
  /** Prefer the account with more headroom. */
  spread?: boolean;
  /** Lets windows that we counted or the user entered move a turn. */
  trustsEstimates?: boolean;
}>;

/** A turn uses a less filled account of the same model, without a near limit. */
export const SPREAD = 'headroom.spread';

/** `money.unpriced`: a budget that cannot be counted because a price is unknown. */
export type ShortageCode =
  | `headroom.${'refused' | 'plan' | 'reserve' | 'requests' | 'tokens' | 'drain'}`
  | typeof SPREAD
  | `money.${'day' | 'week' | 'session' | 'unpriced'}`;

/** The limit that excludes a model beforehand; times are engine ms. */
export type Shortage = Readonly<{
  /** For example `headroom.plan`. */
  code: ShortageCode;
  /** Id of the window or budget. */
  window: string;
  /** A budget's provider, agent or folder. */
  of?: string;
  unit: WindowUnit | 'dollars';
  lengthMs: number | null;
  used: number;
  limit: number | null;
  remaining: number | null;
  /** The request's use; null if only its share counts. */
  needs: number | null;
  /** Null if unknown. */
  until: number | null;
  /** With `headroom.drain`: time until that plan is full. */
  fullInMs?: number;
  /** With `headroom.spread`: the model on the less filled account, and its fullest plan. */
  there?: Readonly<{ model: ModelId; unit: WindowUnit; lengthMs: number | null; used: number }>;
  /** Our own count. */
  isEstimate?: true;
}>;
