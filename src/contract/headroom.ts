import * as z from 'zod';
import { WINDOW_UNITS } from '../engine/names';

const WallMs = z.number();
const Part = z.number().min(0);
const Amount = z.number().min(0).nullable();
const Unit = z.enum(WINDOW_UNITS);

/**
 * The cause of an early move or wait: a nearly reached limit, a plan that another agent's work would use up, another
 * account with more headroom, or a spent budget.
 */
export const Near = z.object({
  /**
   * `headroom.plan`, `headroom.reserve`, `headroom.requests`, `headroom.tokens`, `headroom.refused`, `headroom.drain`,
   * `headroom.spread`, `money.day`, `money.week`, `money.session`, `money.unpriced`.
   */
  code: z.string().max(100),
  /** Name within the account; a budget's code. */
  window: z.string().max(100),
  /** US dollars for a budget. */
  unit: z.enum([...WINDOW_UNITS, 'dollars']),
  lengthMs: z.number().nullable(),
  /** From 0. */
  used: Part,
  limit: Amount,
  remaining: Amount,
  /** The request's estimated use, in the unit; null if only the share counts. */
  needs: Amount,
  /** The limited model or family; absent for the whole account. Or the budget's scope; absent for all. */
  of: z.string().max(300).optional(),
  /** Time until the present work uses up the plan, in ms; for `headroom.drain`. */
  fullInMs: z.number().min(0).optional(),
  /**
   * For `headroom.spread`: the account with more headroom, as `provider` or `provider@account`, and its fullest plan.
   */
  there: z.object({ account: z.string().max(300), unit: Unit, lengthMs: z.number().nullable(), used: Part }).optional(),
  /** Based only on our own count. */
  isEstimate: z.literal(true).optional(),
});
export type Near = z.infer<typeof Near>;

/** Forecast at the present pace; times are wall clock. */
export const WindowForecast = z.object({
  /** Part per hour, and half the width of its band. */
  perHour: z.number(),
  spread: z.number(),
  /** Time at which it is full, with the band's ends; null if it resets first. */
  fullAt: WallMs.nullable(),
  soonestAt: WallMs.nullable(),
  latestAt: WallMs.nullable(),
  /** Null without a reported reset time. */
  usedAtReset: Part.nullable(),
});
export type WindowForecast = z.infer<typeof WindowForecast>;

/** One limit of an account over a length of time. */
export const WindowRow = z.object({
  id: z.string(),
  unit: Unit,
  lengthMs: z.number().nullable(),
  /** Both null if the whole account shares the limit. */
  model: z.string().nullable(),
  family: z.string().nullable(),
  /** Null after a reset until the next report. */
  used: Part.nullable(),
  limit: Amount,
  remaining: Amount,
  resetAt: WallMs.nullable(),
  /** Time of the latest report. */
  seenAt: WallMs,
  source: z.enum(['provider', 'counted', 'entered']),
  /** The fleet machine that reported it, if not this one. */
  machine: z.string().max(60).optional(),
  /** The provider names it as the limit that applies. */
  isRuling: z.boolean(),
  /** The provider currently rejects requests for it. */
  isRefusing: z.boolean(),
  /** The provider allows paid use beyond it. */
  isOverdrawable: z.boolean(),
  /** It lasts hours or days. */
  isPlan: z.boolean(),
  /** It refills continuously and is full at its reset; otherwise nothing returns before the reset. */
  isRolling: z.literal(true).optional(),
  forecast: WindowForecast.nullable(),
});
export type WindowRow = z.infer<typeof WindowRow>;

export const AccountRow = z.object({
  /** The key of its health. */
  account: z.string(),
  provider: z.string(),
  /** One of several accounts of the provider; null for the one in use. */
  label: z.string().nullable(),
  /** Stored for one project, apart from other accounts of that name. */
  isApart: z.boolean(),
  /** Plans first, the longest last. */
  windows: z.array(WindowRow),
});
export type AccountRow = z.infer<typeof AccountRow>;

/** Headers that look like limits and have no reader. */
export const UnknownHeadersRow = z.object({ provider: z.string(), names: z.array(z.string()) });
export type UnknownHeadersRow = z.infer<typeof UnknownHeadersRow>;
