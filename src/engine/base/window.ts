import type { AttemptId, HealthKey, ModelId } from './ids';
import type { FailureKind } from './kinds';

/**
 * What a window counts: `share` is a part of a plan that the provider states as a fraction alone; `tokens` are those of input
 * and output together; `credits` are whatever the provider sells, money included.
 */
export const WINDOW_UNITS = ['requests', 'tokens', 'input_tokens', 'output_tokens', 'share', 'credits'] as const;
export type WindowUnit = (typeof WINDOW_UNITS)[number];

/** Who says how full a window is: the provider's response, our own count of what was used, or a person. */
export const WINDOW_SOURCES = ['provider', 'counted', 'entered'] as const;
export type WindowSource = (typeof WINDOW_SOURCES)[number];

/** One limit of an account over a length of time, as a response tells of it; all times are relative to that response. */
export type SeenWindow = Readonly<{
  /** Names it within its account and stays the same from response to response: `unified-5h`, `tokens`, `codex-primary`. */
  id: string;
  unit: WindowUnit;
  /** How long it is, in ms; null where nobody says. */
  lengthMs: number | null;
  /** `account`: all models of the account share it; `model`: it is that of the model that was asked; else of every model whose name holds this text. */
  of: 'account' | 'model' | Readonly<{ family: string }>;
  /** The spent part, from 0; above 1 where the provider lets it be overdrawn. */
  used: number;
  /** What it holds and what is left of that, in its unit; null where only the share is known. */
  limit: number | null;
  remaining: number | null;
  /** Milliseconds from the response until it is as good as new; null where nobody says. */
  resetInMs: number | null;
  /** `at_reset`: nothing comes back before the reset; `evenly`: it fills up all the time and is full at the reset. */
  refills: 'at_reset' | 'evenly';
  /** Whether a request is weighed by the most it may say (`maximum`) when it is admitted, or by what it has used (`used`). */
  charges: 'maximum' | 'used';
  /** The provider names this window as the one that rules. */
  isRuling?: true;
  /** The provider says that it refuses requests for this window now. */
  isRefusing?: true;
  /** The provider goes on beyond the limit, for money. */
  isOverdrawable?: true;
  /** It is told of, and nothing is done by it: whose requests it counts is not known, or it comes after another one. */
  isShownOnly?: true;
}>;

/**
 * One limit of an account as a response to another machine told of it: `resetInMs` is reckoned from now, `agoMs` is how long ago that
 * response came, `sentAgoMs` how long ago its request left.
 */
export type HeardWindow = Omit<SeenWindow, 'of'> &
  Readonly<{ model: ModelId | null; family: string | null; agoMs: number; sentAgoMs: number; machine: string }>;

/** One limit of an account over a length of time, as the engine keeps it. Times are engine ms. */
export type Window = Readonly<{
  id: string;
  unit: WindowUnit;
  lengthMs: number | null;
  /** The one model it is of; null where several share it. */
  model: ModelId | null;
  /** What the names of its models hold; null where it is no family's. */
  family: string | null;
  /** The spent part at `at`, and what it holds and was left then, in its unit. */
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
  /** The machine that has heard so, where it is another one. */
  machine?: string;
  /** When the response came that says so. */
  at: number;
  /** When the request left whose response that was: what another one says that left later is newer. */
  asOf: number;
  /** The part that one of our requests takes, as far as was seen; null where nothing was. */
  step: Step | null;
  /** Our requests that have ended since, the oldest first: no response has told yet what they took. */
  owed: readonly Owed[];
  pace: Pace | null;
  /** The highest mark that it was seen to pass, 0 for none. */
  passed: number;
}>;

/** A request that has ended, engine ms; `part` is what it took of a window, null where that is only seen afterwards. */
export type Owed = Readonly<{ at: number; part: number | null }>;

/**
 * What requests were seen to take of a window, parts of it: `sum` is that of the `count` latest ones, older ones weighing less,
 * and `most` is the most that one took lately.
 */
export type Step = Readonly<{ sum: number; count: number; most: number }>;

/** How fast a window is used up, weighed exponentially by age: parts of it an hour. */
export type Pace = Readonly<{ perHour: number; variance: number; weight: number; samples: number; since: number }>;

/** What a request takes, in tokens, as far as its host can tell before it leaves. */
export type Spend = Readonly<{
  /** All that it sends, cached or not. */
  input: number;
  /** What of that no cache of the provider holds. */
  fresh: number;
  /** What it is likely to be answered, and at most. */
  output: number;
  most: number;
}>;

/** A request of an account that is under way at another host. */
export type UnderWay = Readonly<{
  attempt: AttemptId;
  account: HealthKey;
  model: ModelId;
  /** When it left. */
  at: number;
  spend?: Spend;
  /** Its response has told how full the windows of its account are. */
  isSeen?: boolean;
}>;

/**
 * What is done before the work of one plan goes to another that it would use up within a day: another model comes first where
 * one is usable (`auto`), a person is asked before (`ask`), or it does not go there (`never`).
 */
export const DRAIN_MODES = ['ask', 'auto', 'never'] as const;
export type DrainMode = (typeof DRAIN_MODES)[number];

/** What one directory wants done about limits that come near. Parts are from 0 to 1. */
export type HeadroomRules = Readonly<{
  /** `move`: another model is asked before a request would be refused; `warn`: it is only told; `off`: neither. */
  act: 'move' | 'warn' | 'off';
  /** How full a plan is at most when a turn begins with it. */
  moveAt: number;
  /** The last part of a plan that is kept for an agent, by provider and agent. */
  reserve?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By what the lead is away for; `auto` where nothing is said. */
  drain?: DrainMode | Readonly<Partial<Record<FailureKind, DrainMode>>>;
  /** Of two accounts of one model the one with more headroom answers. */
  spread?: boolean;
  /** Windows that nobody but ourselves, or the user, has counted may move a turn as well. */
  trustsEstimates?: boolean;
}>;

/** The code of a turn that another account of its model answers, which has more headroom: no limit is near. */
export const SPREAD = 'headroom.spread';

/** `money.*` is a budget of the user's that is spent; `money.unpriced` one that cannot be counted, as nobody says what the model costs. */
export type ShortageCode =
  | `headroom.${'refused' | 'plan' | 'reserve' | 'requests' | 'tokens' | 'drain'}`
  | typeof SPREAD
  | `money.${'day' | 'week' | 'session' | 'unpriced'}`;

/** Why a model is not asked before its limit: the window or the budget in the way, with its numbers. Times are engine ms. */
export type Shortage = Readonly<{
  /** Stable dotted reason, for example `headroom.plan`. */
  code: ShortageCode;
  /** The id of the window, or of the budget. */
  window: string;
  /** Whose budget it is, where it is not everybody's: a provider, an agent or a folder. */
  of?: string;
  /** Of a budget `dollars`. */
  unit: WindowUnit | 'dollars';
  lengthMs: number | null;
  /** The spent part, as its provider last said. */
  used: number;
  limit: number | null;
  remaining: number | null;
  /** What the request would take, in the window's unit; null where only its share counts. */
  needs: number | null;
  /** When it fits again; null where nobody can tell. */
  until: number | null;
  /** Of a plan that another one's work would use up (`headroom.drain`): how soon, in ms. */
  fullInMs?: number;
  /** Of a model that is asked by an emptier account (`headroom.spread`): that model, and the fullest plan there. */
  there?: Readonly<{ model: ModelId; unit: WindowUnit; lengthMs: number | null; used: number }>;
  /** Nobody but ourselves has counted it. */
  isEstimate?: true;
}>;
