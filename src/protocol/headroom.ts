import * as z from 'zod';
import { DRAIN_MODES, FAILURE_KINDS, WINDOW_UNITS } from '../engine';
import { boundedRecord, Count, Ms, RelativeMs, Tokens } from './measures';
import { MachineName, ModelRef, safeText } from './text';

/** Windows per response; more were never seen. */
const SEEN_MAX = 40;
const HEARD_MAX = 2_000;
/** Above 1 if the provider allows overdrawing. */
const Part = z.number().min(0).max(10);
const Amount = z.number().min(0).max(1e15);
const Unit = z.enum(WINDOW_UNITS);
const REFILLS = z.enum(['at_reset', 'evenly']);
const CHARGES = z.enum(['maximum', 'used']);
const Name = safeText(100).min(1);

export const Spend = z.lazy(() => z.object({ input: Tokens, fresh: Tokens, output: Tokens, most: Tokens }));

const SeenWindow = z.lazy(() =>
  z.object({
    id: Name,
    unit: Unit,
    lengthMs: Ms.nullable(),
    of: z.union([z.enum(['account', 'model']), z.object({ family: Name })]),
    used: Part,
    limit: Amount.nullable(),
    remaining: Amount.nullable(),
    resetInMs: Ms.nullable(),
    refills: REFILLS,
    charges: CHARGES,
    isRuling: z.literal(true).optional(),
    isRefusing: z.literal(true).optional(),
    isOverdrawable: z.literal(true).optional(),
    isShownOnly: z.literal(true).optional(),
  }),
);
export const SeenWindows = z.lazy(() => z.array(SeenWindow).max(SEEN_MAX));

const Window = z.lazy(() =>
  z.object({
    id: Name,
    unit: Unit,
    lengthMs: Ms.nullable(),
    model: ModelRef.nullable(),
    family: Name.nullable(),
    used: Part,
    limit: Amount.nullable(),
    remaining: Amount.nullable(),
    resetAt: RelativeMs.nullable(),
    refills: REFILLS,
    charges: CHARGES,
    source: z.enum(['provider', 'counted', 'entered']),
    isRuling: z.boolean(),
    isRefusing: z.boolean(),
    isOverdrawable: z.boolean(),
    isShownOnly: z.boolean().optional(),
    machine: MachineName.optional(),
    at: RelativeMs,
    asOf: RelativeMs,
    passed: Part,
    step: z.object({ sum: z.number().min(0), count: z.number().min(0), most: Part }).nullable(),
    owed: z.array(z.object({ at: RelativeMs, part: z.number().min(0).nullable() })).max(100),
    pace: z
      .object({
        perHour: z.number(),
        variance: z.number().min(0),
        weight: z.number().min(0),
        samples: Count,
        since: RelativeMs,
      })
      .nullable(),
  }),
);
const HeardWindow = z.lazy(() =>
  SeenWindow.unwrap()
    .omit({ of: true })
    .extend({ model: ModelRef.nullable(), family: Name.nullable(), machine: MachineName, agoMs: Ms, sentAgoMs: Ms }),
);
export const isHeardWindow = (window: unknown): boolean => HeardWindow.unwrap().safeParse(window).success;
export const HeardAccounts = z.lazy(() => z.array(z.tuple([Account, z.array(HeardWindow).max(HEARD_MAX)])).max(300));

/** Times are whole ms of the fleet's clock. */
export const SaidWindowText = z.lazy(() => {
  const { id, unit, lengthMs, used, limit, remaining, refills, charges } = SeenWindow.unwrap().shape;
  const At = z.int().min(0).max(1e14);
  return z.object({
    id,
    unit,
    lengthMs,
    used,
    limit,
    remaining,
    refills,
    charges,
    family: Name.nullable(),
    name: safeText(300).min(1).nullable(),
    resetAt: At.nullable(),
    at: At,
    asOf: At,
    isRuling: z.boolean(),
    isRefusing: z.boolean(),
    isOverdrawable: z.boolean(),
    isShownOnly: z.boolean().optional(),
  });
});

const Windows = z.lazy(() => z.array(Window).max(SEEN_MAX));
/** Several responses may report the same limit. */
const Words = z.lazy(() => z.array(Window).max(8 * SEEN_MAX));
const Account = safeText(200).min(1);

export const CountedAccounts = z.lazy(() => z.array(z.tuple([Account, SeenWindows])).max(300));

export const AccountWindows = z.lazy(() => z.array(z.tuple([Account, Windows])).max(300));

/** In the file that companions without an app share. */
export const SharedWindows = z.lazy(() =>
  z.array(z.tuple([Account, z.object({ windows: Words, clearedAt: z.number().optional() })])).max(300),
);

export const UnderWay = z.lazy(() =>
  z
    .array(
      z.object({
        attempt: safeText(600).min(1),
        account: Account,
        model: ModelRef,
        at: RelativeMs,
        spend: Spend.optional(),
        isSeen: z.boolean().optional(),
      }),
    )
    .max(1_000),
);

const Drain = z.enum(DRAIN_MODES);

export const HeadroomRules = z.lazy(() =>
  z.object({
    act: z.enum(['move', 'warn', 'off']),
    moveAt: z.number().min(0).max(1),
    reserve: boundedRecord(safeText(200), boundedRecord(safeText(100), z.number().min(0).max(1), 200), 200).optional(),
    drain: z.union([Drain, z.partialRecord(z.enum(FAILURE_KINDS), Drain)]).optional(),
    spread: z.boolean().optional(),
    trustsEstimates: z.boolean().optional(),
  }),
);
