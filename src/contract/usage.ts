import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { Count, Money, Ms, Percentiles, Rate, Share, Tokens } from './figures';
import { AgentFigures } from './scorecard';

export const USAGE_SPLITS = ['position', 'model', 'provider', 'agent'] as const;
export type UsageSplit = (typeof USAGE_SPLITS)[number];

/** Length of a chart's points. */
export const USAGE_STEPS = ['hour', 'sixHours', 'day', 'week', 'month'] as const;
export type UsageStep = (typeof USAGE_STEPS)[number];

export const USAGE_POINTS_MAX = 500;

/** No model was called before this century. */
const Day = z.iso.date().refine((day) => day >= '2001-01-01', 'Nothing is known of a day before 2001.');

const TimeZone = z.string().max(60).refine(isTimeZone, 'This is no time zone.');

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

/**
 * One conversation with its sub-agents, the last days including today, days from one to another, both inclusive, or
 * whole hours.
 */
export const UsageRange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), session: z.string().min(1).max(200) }),
  z.object({ kind: z.literal('days'), days: z.int().positive().max(366) }),
  z.object({ kind: z.literal('all') }),
  z
    .object({ kind: z.literal('custom'), from: Day, to: Day })
    .refine(({ from, to }) => from <= to, 'A range ends after it begins.'),
  z
    .object({ kind: z.literal('span'), sinceMs: Moment, untilMs: Moment })
    .refine(({ sinceMs, untilMs }) => sinceMs < untilMs, 'A range ends after it begins.'),
]);
export type UsageRange = z.infer<typeof UsageRange>;

/** Days begin at midnight in the caller's time zone; without a project all count. */
const asked = {
  range: UsageRange,
  timeZone: TimeZone,
  /** Last folder name of the sessions' directories. */
  project: z.string().min(1).max(300).optional(),
} as const;

export const UsageQuestion = z.object({ ...asked, splitBy: z.enum(USAGE_SPLITS) });
export type UsageQuestion = z.infer<typeof UsageQuestion>;

const figures = {
  attempts: Count,
  answered: Count,
  /** Includes limited attempts. */
  failed: Count,
  /** Attempts on fallback models, of those on chain models; null if positions are not stored. */
  fallback: z.object({ past: Count, of: Count }).nullable(),
  /** Null if not reported. */
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
  /** Turns that another model answered because this primary was unavailable and not called. */
  skipped: Count,
});

/** Figures that judge one model in a chain. */
export const ModelUse = z.object({
  model: z.string(),
  /** Selects colour and pattern; null for rows that are not models. */
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
  /** Share of each of `series`, in their order. */
  parts: z.array(Count),
  /** Cost of each of `costs`, in their order. */
  costs: z.array(Money.nullable()),
  /** Switches, and resets by the user; null if not stored. */
  switches: Count.nullable(),
  resets: Count.nullable(),
});
export type UsagePoint = z.infer<typeof UsagePoint>;

/** Same figures as the range's scorecard. Times are Unix ms. */
export const UsageAnswer = z.object({
  question: UsageQuestion,
  /** Whole hours covered; null if nothing is stored. A session's first to last hour. */
  range: z.object({ sinceMs: Ms, untilMs: Ms }).nullable(),
  step: z.enum(USAGE_STEPS),
  /** Oldest hour with figures. */
  keptSinceMs: Ms.nullable(),
  /** False without a database: then agents and positions are not stored. */
  isSplitKept: z.boolean(),
  totals: UsageFigures,
  turns: Turns,
  /** An equally long period before; null if partly not stored, or empty. */
  before: z
    .object({
      sinceMs: Ms,
      untilMs: Ms,
      totals: UsageFigures,
      turns: Turns,
      /** False if partly imported: imports contain no attempts and turns. */
      isWatched: z.boolean(),
    })
    .nullable(),
  /** Busiest first, positions in order; a null name sums up the others. */
  rows: z.array(z.object({ name: z.string().nullable(), ...figures })),
  /** Primary first; a null name sums up the others. */
  series: z.array(z.object({ name: z.string().nullable() })).max(6),
  /** Models if the split is by position. */
  costBy: z.enum(USAGE_SPLITS),
  costs: z.array(z.object({ name: z.string().nullable() })).max(6),
  /** Busiest first. */
  models: z.array(ModelUse),
  /** Models that took turns over, the most frequent first. */
  standIns: z.array(z.object({ from: z.string(), to: z.string(), count: z.int().positive() })),
  /** Projects of the sessions stored one by one, the last active first; empty if they cannot be separated. */
  projects: z.array(z.string()),
  points: z.array(UsagePoint).max(USAGE_POINTS_MAX),
  /** Attempts by weekday, Monday first, and hour; null outside of the range. */
  hours: z.array(z.array(Count.nullable()).length(24)).length(7),
});
export type UsageAnswer = z.infer<typeof UsageAnswer>;

/** Data of each chart, and the table of the split. */
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
  /** Busiest first; `range` is the whole hours covered. */
  'usage.models': {
    input: z.object(asked),
    output: z.object({
      question: z.object(asked),
      range: z.object({ sinceMs: Ms, untilMs: Ms }).nullable(),
      models: z.array(ModelUse),
    }),
  },
  /**
   * Null if single attempts are not stored; `sinceMs` is the oldest stored one, if later than the range's start. Reads
   * all attempts of the range.
   */
  'usage.agents': {
    input: z.object(asked),
    output: z.object({ question: z.object(asked), agents: z.array(AgentFigures), sinceMs: Ms.nullable() }).nullable(),
  },
  /** Exactly the table's data. */
  'usage.export': {
    input: UsageQuestion.extend({ part: z.enum(USAGE_PARTS), format: z.enum(['csv', 'json']) }),
    output: z.object({ name: z.string(), text: z.string() }),
  },
} as const;
