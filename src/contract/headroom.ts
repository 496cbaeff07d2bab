import * as z from 'zod';
import { WINDOW_UNITS } from '../engine/names';

const WallMs = z.number();
const Part = z.number().min(0);
const Amount = z.number().min(0).nullable();
const Unit = z.enum(WINDOW_UNITS);

/**
 * The limit before which an agent was moved, or waits; a plan that another one's work would use up, or that another account of the
 * same model has more left of; or a budget of the user’s that is spent.
 */
export const Near = z.object({
  /** Stable dotted reason: `headroom.plan`, `headroom.reserve`, `headroom.requests`, `headroom.tokens`, `headroom.refused`, `headroom.drain`, `headroom.spread`, `money.day`, `money.week`, `money.session`, `money.unpriced`. */
  code: z.string().max(100),
  /** The window's name within its account; of a budget its code. */
  window: z.string().max(100),
  /** Of a budget US dollars. */
  unit: z.enum([...WINDOW_UNITS, 'dollars']),
  lengthMs: z.number().nullable(),
  /** The spent part, from 0. */
  used: Part,
  limit: Amount,
  remaining: Amount,
  /** What the request would have taken, in the unit; null where only the share counts. */
  needs: Amount,
  /** The family of models, or the one model, whose limit it is, where it is not all of the account's; whose budget, where it is not everybody's. */
  of: z.string().max(300).optional(),
  /** How soon a plan would be used up by the work that goes there, in ms, of `headroom.drain`. */
  fullInMs: z.number().min(0).optional(),
  /** The emptier account of the same model that is asked, and its fullest plan, of `headroom.spread`: `account` as `provider` or `provider@account`. */
  there: z.object({ account: z.string().max(300), unit: Unit, lengthMs: z.number().nullable(), used: Part }).optional(),
  /** Nobody but ourselves has counted it. */
  isEstimate: z.literal(true).optional(),
});
export type Near = z.infer<typeof Near>;

/** Where a window is heading at its present pace; times are wall clock. */
export const WindowForecast = z.object({
  /** The part that is used in an hour, and half the width of the band it lies in. */
  perHour: z.number(),
  spread: z.number(),
  /** When it is full, and the ends of the band; null where it is not before its reset. */
  fullAt: WallMs.nullable(),
  soonestAt: WallMs.nullable(),
  latestAt: WallMs.nullable(),
  /** The part that will be used at its reset; null where nobody knows when that is. */
  usedAtReset: Part.nullable(),
});
export type WindowForecast = z.infer<typeof WindowForecast>;

/** One limit of an account over a length of time. */
export const WindowRow = z.object({
  id: z.string(),
  unit: Unit,
  lengthMs: z.number().nullable(),
  /** The one model it is of, or the family of models; both null where all of the account share it. */
  model: z.string().nullable(),
  family: z.string().nullable(),
  /** The spent part; null once it has begun anew and nothing was heard of it since. */
  used: Part.nullable(),
  limit: Amount,
  remaining: Amount,
  resetAt: WallMs.nullable(),
  /** When it was last heard of. */
  seenAt: WallMs,
  source: z.enum(['provider', 'counted', 'entered']),
  /** The machine of the fleet that has heard so, where it is another one. */
  machine: z.string().max(60).optional(),
  /** The provider names it as the one that rules. */
  isRuling: z.boolean(),
  /** Its provider refuses requests for it now. */
  isRefusing: z.boolean(),
  /** Its provider goes on beyond it, for money. */
  isOverdrawable: z.boolean(),
  /** It is spent over hours or days, and not refilled within minutes. */
  isPlan: z.boolean(),
  /** It fills up all the time, and is full at its reset; else nothing of it comes back before. */
  isRolling: z.literal(true).optional(),
  forecast: WindowForecast.nullable(),
});
export type WindowRow = z.infer<typeof WindowRow>;

/** The limits of one account, as its responses tell of them. */
export const AccountRow = z.object({
  /** Under which its health is kept. */
  account: z.string(),
  provider: z.string(),
  /** Which of several accounts of the provider; null for the one in use. */
  label: z.string().nullable(),
  /** What is known of it is kept apart from other accounts of the same name: that of one project. */
  isApart: z.boolean(),
  /** Plans first, the longest last. */
  windows: z.array(WindowRow),
});
export type AccountRow = z.infer<typeof AccountRow>;

/** Headers of a provider that sound like a limit and that no reader knows: their names alone. */
export const UnknownHeadersRow = z.object({ provider: z.string(), names: z.array(z.string()) });
export type UnknownHeadersRow = z.infer<typeof UnknownHeadersRow>;
