import * as z from 'zod';
import { ModelId } from './acts';

const Count = z.int().nonnegative();
const WallMs = z.number().nonnegative().max(8.64e15);

/** The policies that can be tried. */
export const POLICY_NAMES = ['swift', 'steady', 'patient', 'council'] as const;

/** What can be tried about limits that come near. */
export const HEADROOM_ACTS = ['move', 'off'] as const;

/** What would have been: the turns of a time, under another chain, another policy, or with another answer to limits. Unix ms. */
export const WhatIfQuestion = z
  .object({
    sinceMs: WallMs.optional(),
    untilMs: WallMs.optional(),
    agent: z.string().min(1).max(100).nullable(),
    /** Null leaves it. */
    chain: z.array(ModelId).min(1).max(100).nullable(),
    policy: z.enum(POLICY_NAMES).nullable(),
    /** Whether turns move before a limit; left out, as they are configured. */
    headroom: z.enum(HEADROOM_ACTS).optional(),
  })
  .refine(
    ({ chain, policy, headroom }) => chain !== null || policy !== null || headroom !== undefined,
    'Name a chain, a policy, or what is done about limits.',
  );
export type WhatIfQuestion = z.infer<typeof WhatIfQuestion>;

const WhatIfOutcome = z.object({
  turns: Count,
  answered: Count,
  failed: Count,
  /** A model would have been asked that nothing is known of. */
  unknown: Count,
  switches: Count,
  /** Requests that were refused for a limit or a spent quota; older versions do not tell. */
  refusals: Count.default(0),
  /** Time spent in failed requests and in waiting, in ms. */
  lostMs: z.number().nonnegative(),
  /** US dollars, at what an answer of each model has cost on average; null where no price is known. */
  cost: z.number().nonnegative().nullable(),
  /** The part of the answered turns that has a price. */
  pricedShare: z.number().min(0).max(1).nullable(),
});
export type WhatIfOutcome = z.infer<typeof WhatIfOutcome>;

const Share = z.number().min(0).max(1);
const ShareLikely = z.object({ value: Share, lower: Share, upper: Share });
const Difference = z.number().min(-1).max(1);

/**
 * How turns would end in a time as long again, for the agent that was asked about, or for all. Shares of them, each
 * with the bounds it stays within 95 times in 100; `value` is of the turns whose end is known.
 */
const Forecast = z.object({
  /** Turns it is made from, and those of them whose end is known on both sides. */
  turns: Count,
  known: Count,
  /** Answered as it is, and with the change. */
  before: ShareLikely,
  after: ShareLikely,
  /** `after` less `before`, of the same turns: more certain than the two bounds would say. */
  difference: z.object({ value: Difference, lower: Difference, upper: Difference }),
});

/**
 * `better`, `worse`: more, fewer turns will be answered, by all that the bounds allow. `even`: two in a hundred more or
 * fewer at most. `unclear`: the bounds allow either. `few`: too few turns for any bounds.
 */
const VERDICTS = ['better', 'worse', 'even', 'unclear', 'few'] as const;

export const WhatIfAnswer = z.object({
  /** The same turns as they are configured, played by the same rules. */
  before: WhatIfOutcome,
  after: WhatIfOutcome,
  /** Turns that would have been answered and were not; below zero when it is the other way round. */
  stallsAvoided: z.int(),
  /** Only the turns since then were played, in Unix ms, because there are too many; null when all were. */
  cutAtMs: WallMs.nullable(),
  /** Null where too few turns are known. */
  forecast: Forecast.nullable(),
  verdict: z.enum(VERDICTS),
});
export type WhatIfAnswer = z.infer<typeof WhatIfAnswer>;
