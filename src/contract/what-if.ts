import * as z from 'zod';
import { ModelId } from './acts';

const Count = z.int().nonnegative();
const WallMs = z.number().nonnegative().max(8.64e15);

export const POLICY_NAMES = ['swift', 'steady', 'patient', 'council'] as const;

export const HEADROOM_ACTS = ['move', 'off'] as const;

/** Unix ms. */
export const WhatIfQuestion = z
  .object({
    sinceMs: WallMs.optional(),
    untilMs: WallMs.optional(),
    agent: z.string().min(1).max(100).nullable(),
    /** Null leaves the chain unchanged. */
    chain: z.array(ModelId).min(1).max(100).nullable(),
    policy: z.enum(POLICY_NAMES).nullable(),
    /** Configured value by default. */
    headroom: z.enum(HEADROOM_ACTS).optional(),
  })
  .refine(
    ({ chain, policy, headroom }) => chain !== null || policy !== null || headroom !== undefined,
    'Specify a chain, a policy, or the reaction to limits.',
  );
export type WhatIfQuestion = z.infer<typeof WhatIfQuestion>;

const WhatIfOutcome = z.object({
  turns: Count,
  answered: Count,
  failed: Count,
  /** They would call a model without data. */
  unknown: Count,
  switches: Count,
  /** For a limit or a spent quota; older versions omit it. */
  refusals: Count.default(0),
  /** Failed requests and waiting, in ms. */
  lostMs: z.number().nonnegative(),
  /** US dollars, at average cost per answer; null without a price. */
  cost: z.number().nonnegative().nullable(),
  /** Share of the answered turns with a price. */
  pricedShare: z.number().min(0).max(1).nullable(),
});
export type WhatIfOutcome = z.infer<typeof WhatIfOutcome>;

const Share = z.number().min(0).max(1);
const ShareLikely = z.object({ value: Share, lower: Share, upper: Share });
const Difference = z.number().min(-1).max(1);

/** Over an equally long time, with 95 % bounds; `value` covers turns with a known end. */
const Forecast = z.object({
  /** `known`: turns whose end is known on both sides. */
  turns: Count,
  known: Count,
  /** Shares of answered turns. */
  before: ShareLikely,
  after: ShareLikely,
  /** Compares the same turns: more certain than the two bounds suggest. */
  difference: z.object({ value: Difference, lower: Difference, upper: Difference }),
});

/**
 * `better`, `worse`: more or fewer answered turns across all bounds. `even`: at most two in a hundred apart.
 * `unclear`: the bounds allow either. `few`: too few turns for bounds.
 */
const VERDICTS = ['better', 'worse', 'even', 'unclear', 'few'] as const;

export const WhatIfAnswer = z.object({
  /** The same turns as configured, replayed with the same rules. */
  before: WhatIfOutcome,
  after: WhatIfOutcome,
  /** Negative if there are fewer. */
  stallsAvoided: z.int(),
  /** Too many turns: earlier ones are omitted, Unix ms. */
  cutAtMs: WallMs.nullable(),
  /** Null for too few turns. */
  forecast: Forecast.nullable(),
  verdict: z.enum(VERDICTS),
});
export type WhatIfAnswer = z.infer<typeof WhatIfAnswer>;
