import type { AttemptId, HealthKey, ModelId } from './ids';
import type { FailureKind } from './kinds';

/** `share`: a fraction of a plan; `tokens`: input and output; `credits`: anything sold, including money. */
export const WINDOW_UNITS = ['requests', 'tokens', 'input_tokens', 'output_tokens', 'share', 'credits'] as const;
export type WindowUnit = (typeof WINDOW_UNITS)[number];

/** The response, our own count, or the user. */
export const WINDOW_SOURCES = ['provider', 'counted', 'entered'] as const;
export type WindowSource = (typeof WINDOW_SOURCES)[number];

/** A limit as a response reports it; times are relative to the response. */
export type SeenWindow = Readonly<{
  /** Stable within the account: `unified-5h`, `tokens`, `codex-primary`. */
  id: string;
  unit: WindowUnit;
  /** Null if unknown. */
  lengthMs: number | null;
  /** All models, the requested one, or those whose name contains a text. */
  of: 'account' | 'model' | Readonly<{ family: string }>;
  /** From 0; above 1 if overdrawn. */
  used: number;
  /** Null if only the share is known. */
  limit: number | null;
  remaining: number | null;
  /** Null if unknown. */
  resetInMs: number | null;
  /** At once, or continuously until the reset. */
  refills: 'at_reset' | 'evenly';
  /** Admission counts a request's maximum or its actual use. */
  charges: 'maximum' | 'used';
  /** The provider marks it as the binding one. */
  isRuling?: true;
  isRefusing?: true;
  /** The provider continues beyond the limit for money. */
  isOverdrawable?: true;
  /** Displayed only: unclear whose requests it counts, or another comes first. */
  isShownOnly?: true;
}>;

/** A report of another machine. `resetInMs` counts from now; `agoMs` and `sentAgoMs` since its response and request. */
export type HeardWindow = Omit<SeenWindow, 'of'> &
  Readonly<{ model: ModelId | null; family: string | null; agoMs: number; sentAgoMs: number; machine: string }>;

/** Times are engine ms. */
export type Window = Readonly<{
  id: string;
  unit: WindowUnit;
  lengthMs: number | null;
  /** Null if several models share it. */
  model: ModelId | null;
  /** Contained in its models' names. */
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
  /** Time its request left; later is newer. */
  asOf: number;
  /** Use per local request. */
  step: Step | null;
  /** Ended local requests that no response includes yet. */
  owed: readonly Owed[];
  pace: Pace | null;
  /** Highest mark reported; 0 for none. */
  passed: number;
}>;

/** `part` is null until a later response shows it. */
export type Owed = Readonly<{ at: number; part: number | null }>;

/** In parts of a window: `sum` covers the latest requests with decaying weight, `most` is the recent maximum. */
export type Step = Readonly<{ sum: number; count: number; most: number }>;

/** Parts per hour, weighted exponentially by age. */
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
  isSeen?: boolean;
}>;

/** For work that would use up another plan within a day: prefer other models, request approval, or never use it. */
export const DRAIN_MODES = ['ask', 'auto', 'never'] as const;
export type DrainMode = (typeof DRAIN_MODES)[number];

/** Parts are from 0 to 1. */
export type HeadroomRules = Readonly<{
  /** `move`: switch before a refusal; `warn`: only notify. */
  act: 'move' | 'warn' | 'off';
  /** Highest level at which a turn may begin. */
  moveAt: number;
  /** By provider and agent. */
  reserve?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By the primary's failure kind; `auto` if absent. */
  drain?: DrainMode | Readonly<Partial<Record<FailureKind, DrainMode>>>;
  spread?: boolean;
  /** Windows that we counted or the user entered may move a turn. */
  trustsEstimates?: boolean;
}>;

/** Another account of the model has more headroom; no limit is near. */
export const SPREAD = 'headroom.spread';

/** `money.unpriced`: a price is unknown, so the budget cannot be counted. */
export type ShortageCode =
  | `headroom.${'refused' | 'plan' | 'reserve' | 'requests' | 'tokens' | 'drain'}`
  | typeof SPREAD
  | `money.${'day' | 'week' | 'session' | 'unpriced'}`;

/** A limit that excludes a model beforehand; engine ms. */
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
  /** Null if only the share counts. */
  needs: number | null;
  /** Null if unknown. */
  until: number | null;
  /** With `headroom.drain`: time until full. */
  fullInMs?: number;
  /** With `headroom.spread`: the other account's model and fullest plan. */
  there?: Readonly<{ model: ModelId; unit: WindowUnit; lengthMs: number | null; used: number }>;
  isEstimate?: true;
}>;
