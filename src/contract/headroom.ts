import * as z from 'zod';
import { WINDOW_UNITS } from '../engine/names';

const WallMs = z.number();
const Part = z.number().min(0);
const Amount = z.number().min(0).nullable();
const Unit = z.enum(WINDOW_UNITS);

/** Cause of an early move or wait: a nearly reached limit or spent budget, or another account with more headroom. */
export const Near = z.object({
  /**
   * `headroom.plan`, `headroom.reserve`, `headroom.requests`, `headroom.tokens`, `headroom.refused`, `headroom.drain`,
   * `headroom.spread`, `money.day`, `money.week`, `money.session`, `money.unpriced`.
   */
  code: z.string().max(100),
  window: z.string().max(100),
  /** US dollars for a budget. */
  unit: z.enum([...WINDOW_UNITS, 'dollars']),
  lengthMs: z.number().nullable(),
  used: Part,
  limit: Amount,
  remaining: Amount,
  /** Estimate in the unit; null if only the share counts. */
  needs: Amount,
  /** The limited model, family or budget scope; absent for all. */
  of: z.string().max(300).optional(),
  /** Time until the plan is used up, in ms; for `headroom.drain`. */
  fullInMs: z.number().min(0).optional(),
  /**
   * For `headroom.spread`: the account with more headroom, as `provider` or `provider@account`, and its fullest plan.
   */
  there: z.object({ account: z.string().max(300), unit: Unit, lengthMs: z.number().nullable(), used: Part }).optional(),
  isEstimate: z.literal(true).optional(),
});
export type Near = z.infer<typeof Near>;

/** At the present pace; wall clock. */
export const WindowForecast = z.object({
  /** Increase of the used part per hour, and half the width of its band. */
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

export const WindowRow = z.object({
  id: z.string(),
  unit: Unit,
  lengthMs: z.number().nullable(),
  /** Both null if it covers the account. */
  model: z.string().nullable(),
  family: z.string().nullable(),
  /** Null after a reset until reported. */
  used: Part.nullable(),
  limit: Amount,
  remaining: Amount,
  resetAt: WallMs.nullable(),
  seenAt: WallMs,
  source: z.enum(['provider', 'counted', 'entered']),
  /** Fleet machine, if not this one. */
  machine: z.string().max(60).optional(),
  /** The provider names it as the limit that applies. */
  isRuling: z.boolean(),
  isRefusing: z.boolean(),
  /** The provider allows paid use beyond it. */
  isOverdrawable: z.boolean(),
  /** Lasts hours or days. */
  isPlan: z.boolean(),
  /** Refills continuously; otherwise nothing returns before the reset. */
  isRolling: z.literal(true).optional(),
  forecast: WindowForecast.nullable(),
});
export type WindowRow = z.infer<typeof WindowRow>;

export const AccountRow = z.object({
  /** Key of its health. */
  account: z.string(),
  provider: z.string(),
  /** Null for the account in use. */
  label: z.string().nullable(),
  /** Stored for one project, apart from accounts of the same name. */
  isApart: z.boolean(),
  /** Plans first, the longest last. */
  windows: z.array(WindowRow),
});
export type AccountRow = z.infer<typeof AccountRow>;

/** Headers that look like limits and have no reader. */
export const UnknownHeadersRow = z.object({ provider: z.string(), names: z.array(z.string()) });
export type UnknownHeadersRow = z.infer<typeof UnknownHeadersRow>;
