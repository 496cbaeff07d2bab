import * as z from 'zod';
import { Count, Money, Ms, Percentiles, Share, Tokens } from './figures';

/** What usage can be split by. */
export const USAGE_SPLITS = ['position', 'model', 'provider', 'agent'] as const;
export type UsageSplit = (typeof USAGE_SPLITS)[number];

/** How long a point of a chart is: the longer the range, the longer its points. */
export const USAGE_STEPS = ['hour', 'sixHours', 'day', 'week', 'month'] as const;
export type UsageStep = (typeof USAGE_STEPS)[number];

/** Points of a chart at most. */
export const USAGE_POINTS_MAX = 500;

/** Days as a calendar says them. Before this century nobody asked a model. */
const Day = z.iso.date().refine((day) => day >= '2001-01-01', 'Nothing is known of a day before 2001.');

const TimeZone = z.string().max(60).refine(isTimeZone, 'This is no time zone.');

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Of when: one conversation with its sub-agents, the last days with today, or days from one to another, both included. */
export const UsageRange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), session: z.string().min(1).max(200) }),
  z.object({ kind: z.literal('days'), days: z.int().positive().max(366) }),
  z.object({ kind: z.literal('all') }),
  z
    .object({ kind: z.literal('custom'), from: Day, to: Day })
    .refine(({ from, to }) => from <= to, 'A range ends after it begins.'),
]);
export type UsageRange = z.infer<typeof UsageRange>;

/** Which usage is wanted. Days begin at midnight in the asker's own time zone. */
export const UsageQuestion = z.object({ range: UsageRange, splitBy: z.enum(USAGE_SPLITS), timeZone: TimeZone });
export type UsageQuestion = z.infer<typeof UsageQuestion>;

const figures = {
  attempts: Count,
  answered: Count,
  /** Failed and limited attempts. */
  failed: Count,
  /** Of the attempts at models of a chain, those past its primary; null where positions are not kept. */
  fallback: z.object({ past: Count, of: Count }).nullable(),
  /** Null when nothing was reported. */
  tokens: Tokens.nullable(),
  cost: z.object({ total: Money.nullable(), pricedShare: Share }),
  /** Null where times are not kept by what is split by. */
  answer: z.object(Percentiles).nullable(),
  firstToken: z.object(Percentiles).nullable(),
} as const;
export const UsageFigures = z.object(figures);
export type UsageFigures = z.infer<typeof UsageFigures>;

/** A point of the charts. */
const UsagePoint = z.object({
  at: Ms,
  until: Ms,
  /** Null before the first hour that is kept: that is not zero. */
  figures: UsageFigures.nullable(),
  /** What each of `series` has of it, in their order. */
  parts: z.array(z.object({ attempts: Count, cost: Money.nullable() })),
});
export type UsagePoint = z.infer<typeof UsagePoint>;

/** What was asked and used in a range: the same figures as the scorecard's for it. Times are Unix ms. */
export const UsageAnswer = z.object({
  question: UsageQuestion,
  /** The whole hours covered; null when nothing is kept. Of a session, from its first hour to its last. */
  range: z.object({ sinceMs: Ms, untilMs: Ms }).nullable(),
  step: z.enum(USAGE_STEPS),
  /** Begin of the oldest hour that has figures; null without any. */
  keptSinceMs: Ms.nullable(),
  /** False where this machine has no database: agents and positions are not kept then. */
  isSplitKept: z.boolean(),
  totals: UsageFigures,
  turns: z.object({ total: Count, answered: Count, saved: Count, spared: Count, firstTryRate: Share }),
  /** Of the split, the busiest first, positions in their order; a null name is what all others have together. */
  rows: z.array(z.object({ name: z.string().nullable(), ...figures })),
  /** What the charts tell apart, the primary first; a null name is what all others have together. */
  series: z.array(z.object({ name: z.string().nullable() })).max(6),
  points: z.array(UsagePoint).max(USAGE_POINTS_MAX),
  /** Attempts by day of the week, Monday first, and hour of the day; null for an hour that is not in the range. */
  hours: z.array(z.array(Count.nullable()).length(24)).length(7),
});
export type UsageAnswer = z.infer<typeof UsageAnswer>;

/** What can be exported: the data of each chart, and the table of the split. */
export const USAGE_PARTS = ['attempts', 'tokens', 'cost', 'times', 'hours', 'split'] as const;
export type UsagePart = (typeof USAGE_PARTS)[number];

/** What the panel may ask of usage. */
export const usageQueries = {
  'usage.get': { input: UsageQuestion, output: UsageAnswer },
  /** The same as a file: what its table shows, exactly. */
  'usage.export': {
    input: UsageQuestion.extend({ part: z.enum(USAGE_PARTS), format: z.enum(['csv', 'json']) }),
    output: z.object({ name: z.string(), text: z.string() }),
  },
} as const;
