import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { Count, Money, Ms, Percentiles, Rate, Share, Tokens } from './figures';
import { AgentFigures } from './scorecard';

export const USAGE_SPLITS = ['position', 'model', 'provider', 'agent'] as const;
export type UsageSplit = (typeof USAGE_SPLITS)[number];

export const USAGE_STEPS = ['hour', 'sixHours', 'day', 'week', 'month'] as const;
export type UsageStep = (typeof USAGE_STEPS)[number];

export const USAGE_POINTS_MAX = 500;

/** No model was called before this century. */
const Day = z.iso.date().refine((day) => day >= '2001-01-01', 'Use a date in 2001 or later.');

const TimeZone = z.string().max(60).refine(isTimeZone, 'Unknown time zone.');

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    // silent: only an unknown time zone throws
    return false;
  }
}

/** The last moment of a date. */
const LAST_MS = 8.64e15;
const Moment = z.number().nonnegative().max(LAST_MS);

/** A session includes sub-agents, days include today, custom days are inclusive, and a span has whole hours. */
export const UsageRange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), session: z.string().min(1).max(200) }),
  z.object({ kind: z.literal('days'), days: z.int().positive().max(366) }),
  z.object({ kind: z.literal('all') }),
  z
    .object({ kind: z.literal('custom'), from: Day, to: Day })
    .refine(({ from, to }) => from <= to, 'A range must end after it begins.'),
  z
    .object({ kind: z.literal('span'), sinceMs: Moment, untilMs: Moment })
    .refine(({ sinceMs, untilMs }) => sinceMs < untilMs, 'A range must end after it begins.'),
]);
export type UsageRange = z.infer<typeof UsageRange>;

/** In the caller's time zone; without a project all count. */
const usageQuery = {
  range: UsageRange,
  timeZone: TimeZone,
  /** Last folder name of the sessions' directories. */
  project: z.string().min(1).max(300).optional(),
} as const;

export const UsageQuestion = z.object({ ...usageQuery, splitBy: z.enum(USAGE_SPLITS) });
export type UsageQuestion = z.infer<typeof UsageQuestion>;

const figures = {
  attempts: Count,
  answered: Count,
  /** Includes limited attempts. */
  failed: Count,
  /** Of attempts on chain models; null if positions are not stored. */
  fallback: z.object({ past: Count, of: Count }).nullable(),
  tokens: Tokens.nullable(),
  cost: z.object({ total: Money.nullable(), pricedShare: Share }),
  /** Null if not stored for this split. */
  answer: z.object(Percentiles).nullable(),
  firstToken: z.object(Percentiles).nullable(),
} as const;
export const UsageFigures = z.object(figures);
export type UsageFigures = z.infer<typeof UsageFigures>;

const Outcomes = z.object({
  /** Answered in time. */
  answered: Count,
  slow: Count,
  /** Includes limited attempts. */
  failed: Count,
  /** Turns that another model answered because this primary was unavailable. */
  skipped: Count,
});

export const ModelUse = z.object({
  model: z.string(),
  /** Colour and pattern; null if not a model. */
  slot: Count.nullable(),
  outcomes: Outcomes,
  totalCalls: Count,
  successes: Count,
  failures: Count,
  successRate: Rate,
  avgResponseTimeMs: Ms.nullable(),
  ...Percentiles,
  circuitBreakerActivations: Count,
  failureReasons: z.partialRecord(z.enum(FAILURE_KINDS), Count),
});
export type ModelUse = z.infer<typeof ModelUse>;

const Turns = z.object({ total: Count, answered: Count, saved: Count, spared: Count, firstTryRate: Share });

const UsagePoint = z.object({
  at: Ms,
  until: Ms,
  /** Null before the first stored hour. */
  figures: UsageFigures.nullable(),
  /** In the order of `series`. */
  parts: z.array(Count),
  /** In the order of `costs`. */
  costs: z.array(Money.nullable()),
  /** Null if not stored. */
  switches: Count.nullable(),
  resets: Count.nullable(),
});
export type UsagePoint = z.infer<typeof UsagePoint>;

/** Same figures as the scorecard. Unix ms. */
export const UsageAnswer = z.object({
  question: UsageQuestion,
  /** Whole hours; null if nothing is stored. */
  range: z.object({ sinceMs: Ms, untilMs: Ms }).nullable(),
  step: z.enum(USAGE_STEPS),
  keptSinceMs: Ms.nullable(),
  /** False without a database: no agents and positions. */
  isSplitKept: z.boolean(),
  totals: UsageFigures,
  turns: Turns,
  /** The equally long period before; null if partly not stored, or empty. */
  before: z
    .object({
      sinceMs: Ms,
      untilMs: Ms,
      totals: UsageFigures,
      turns: Turns,
      /** False if partly imported: no attempts and turns. */
      isWatched: z.boolean(),
    })
    .nullable(),
  /** Busiest first; a null name sums up the others. */
  rows: z.array(z.object({ name: z.string().nullable(), ...figures })),
  /** Primary first; a null name sums up the others. */
  series: z.array(z.object({ name: z.string().nullable() })).max(6),
  /** Models, if the split is by position. */
  costBy: z.enum(USAGE_SPLITS),
  costs: z.array(z.object({ name: z.string().nullable() })).max(6),
  /** Busiest first. */
  models: z.array(ModelUse),
  /** Most frequent first. */
  standIns: z.array(z.object({ from: z.string(), to: z.string(), count: z.int().positive() })),
  /** Last active first; empty if they cannot be separated. */
  projects: z.array(z.string()),
  points: z.array(UsagePoint).max(USAGE_POINTS_MAX),
  /** By weekday, Monday first, and hour; null outside of the range. */
  hours: z.array(z.array(Count.nullable()).length(24)).length(7),
});
export type UsageAnswer = z.infer<typeof UsageAnswer>;

export const USAGE_PARTS = [
  'attempts',
  'fallback',
  'tokens',
  'cost',
  'times',
  'hours',
  'models',
  'standIns',
  'split',
] as const;
export type UsagePart = (typeof USAGE_PARTS)[number];

export const usageQueries = {
  'usage.get': { input: UsageQuestion, output: UsageAnswer },
  'usage.models': {
    input: z.object(usageQuery),
    output: z.object({
      question: z.object(usageQuery),
      range: z.object({ sinceMs: Ms, untilMs: Ms }).nullable(),
      models: z.array(ModelUse),
    }),
  },
  /**
   * Null if single attempts are not stored; `sinceMs` if they start after the range. Reads all attempts of the range.
   */
  'usage.agents': {
    input: z.object(usageQuery),
    output: z
      .object({ question: z.object(usageQuery), agents: z.array(AgentFigures), sinceMs: Ms.nullable() })
      .nullable(),
  },
  'usage.export': {
    input: UsageQuestion.extend({ part: z.enum(USAGE_PARTS), format: z.enum(['csv', 'json']) }),
    output: z.object({ name: z.string(), text: z.string() }),
  },
} as const;
