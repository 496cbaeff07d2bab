import * as z from 'zod';
import { WINDOW_UNITS } from '../engine/names';

const WallMs = z.number();
const Part = z.number().min(0);
const Amount = z.number().min(0).nullable();
const Unit = z.enum(WINDOW_UNITS);

/**
 * The cause of an early move or wait: a limit that is nearly reached, a plan that another agent's work would use up,
 * more headroom in another account of the same model, or a spent budget.
 */
export const Near = z.object({
  /** Stable dotted reason: `headroom.plan`, `headroom.reserve`, `headroom.requests`, `headroom.tokens`, `headroom.refused`, `headroom.drain`, `headroom.spread`, `money.day`, `money.week`, `money.session`, `money.unpriced`. */
  code: z.string().max(100),
  /** Name of the window within its account; for a budget its code. */
  window: z.string().max(100),
  /** US dollars for a budget. */
  unit: z.enum([...WINDOW_UNITS, 'dollars']),
  lengthMs: z.number().nullable(),
  /** The used part, from 0. */
  used: Part,
  limit: Amount,
  remaining: Amount,
  /** Estimated use of the request, in the unit; null if only the share counts. */
  needs: Amount,
  /** The model or family with the limit, unless it covers the account; the scope of the budget, unless it is global. */
  of: z.string().max(300).optional(),
  /** Time until the present work uses up the plan, in ms; for `headroom.drain`. */
  fullInMs: z.number().min(0).optional(),
  /**
   * For `headroom.spread`: the other account of the same model with more headroom, as `provider` or `provider@account`,
   * and its fullest plan.
   */
  there: z.object({ account: z.string().max(300), unit: Unit, lengthMs: z.number().nullable(), used: Part }).optional(),
  /** Only our own count is its source. */
  isEstimate: z.literal(true).optional(),
});
export type Near = z.infer<typeof Near>;

/** Forecast of a window at its present pace; times are wall clock. */
export const WindowForecast = z.object({
  /** The part used per hour, and half the width of its band. */
  perHour: z.number(),
  spread: z.number(),
  /** The time at which it is full, with the ends of the band; null if its reset comes first. */
  fullAt: WallMs.nullable(),
  soonestAt: WallMs.nullable(),
  latestAt: WallMs.nullable(),
  /** The part used at its reset; null without a known reset time. */
  usedAtReset: Part.nullable(),
});
export type WindowForecast = z.infer<typeof WindowForecast>;

/** One limit of an account over a length of time. */
export const WindowRow = z.object({
  id: z.string(),
  unit: Unit,
  lengthMs: z.number().nullable(),
  /** The model or the family of models; both null if the whole account shares the limit. */
  model: z.string().nullable(),
  family: z.string().nullable(),
  /** The used part; null after a reset until the next report. */
  used: Part.nullable(),
  limit: Amount,
  remaining: Amount,
  resetAt: WallMs.nullable(),
  /** Time of the latest report. */
  seenAt: WallMs,
  source: z.enum(['provider', 'counted', 'entered']),
  /** The machine of the fleet that reported it, if not this one. */
  machine: z.string().max(60).optional(),
  /** The provider names it as the limit that applies. */
  isRuling: z.boolean(),
  /** The provider currently rejects requests because of it. */
  isRefusing: z.boolean(),
  /** The provider allows use beyond it, at a price. */
  isOverdrawable: z.boolean(),
  /** It lasts hours or days, and is not refilled within minutes. */
  isPlan: z.boolean(),
  /** It refills continuously and is full at its reset; without this nothing returns before the reset. */
  isRolling: z.literal(true).optional(),
  forecast: WindowForecast.nullable(),
});
export type WindowRow = z.infer<typeof WindowRow>;

/** The limits of one account, as its responses report them. */
export const AccountRow = z.object({
  /** The key of its health. */
  account: z.string(),
  provider: z.string(),
  /** One of several accounts of the provider; null for the one in use. */
  label: z.string().nullable(),
  /** Stored apart from other accounts of the same name, for one project. */
  isApart: z.boolean(),
  /** Plans first, the longest last. */
  windows: z.array(WindowRow),
});
export type AccountRow = z.infer<typeof AccountRow>;

/** Names of a provider's headers that look like limits and have no reader. */
export const UnknownHeadersRow = z.object({ provider: z.string(), names: z.array(z.string()) });
export type UnknownHeadersRow = z.infer<typeof UnknownHeadersRow>;
