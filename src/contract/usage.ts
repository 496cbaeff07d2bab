import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { Count, Money, Ms, Percentiles, Rate, Share, Tokens } from './figures';
import { AgentFigures } from './scorecard';

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
    // silent: only an unknown time zone throws
    return false;
  }
}

/** The last moment a date can say. */
const LAST_MS = 8.64e15;
const Moment = z.number().nonnegative().max(LAST_MS);

/**
 * Of when: one conversation with its sub-agents, the last days with today, days from one to another, both included, or the
 * whole hours of a stretch of time.
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

/** Of when and where. Days begin at midnight in the asker's own time zone; without a project it is all of them. */
const asked = {
  range: UsageRange,
  timeZone: TimeZone,
  /** The last folder name of the directories of sessions. */
  project: z.string().min(1).max(300).optional(),
} as const;

export const UsageQuestion = z.object({ ...asked, splitBy: z.enum(USAGE_SPLITS) });
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

const Outcomes = z.object({
  /** In good time. */
  answered: Count,
  slow: Count,
  /** Limited ones included. */
  failed: Count,
  /** Turns it leads that another model answered, as it was known to be out and was not asked. */
  skipped: Count,
});

/** How one model fared: what its outcome bar shows, how long it took, and the figures a chain is judged by. */
export const ModelUse = z.object({
  model: z.string(),
  /** Its own number, by which it has its colour and its pattern for good; null where no model has one. */
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
  /** Null before the first hour that is kept: that is not zero. */
  figures: UsageFigures.nullable(),
  /** What each of `series` has of it, in their order. */
  parts: z.array(Count),
  /** What each of `costs` did cost, in their order. */
  costs: z.array(Money.nullable()),
  /** How often a turn was moved to another model, and how often a person reset one; null where it is not kept. */
  switches: Count.nullable(),
  resets: Count.nullable(),
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
  turns: Turns,
  /** The same of as many hours as have gone by, so many days earlier; null where not all of them are kept, or none were. */
  before: z
    .object({
      sinceMs: Ms,
      untilMs: Ms,
      totals: UsageFigures,
      turns: Turns,
      /** False where some of it was imported: nobody counted attempts and turns of that. */
      isWatched: z.boolean(),
    })
    .nullable(),
  /** Of the split, the busiest first, positions in their order; a null name is what all others have together. */
  rows: z.array(z.object({ name: z.string().nullable(), ...figures })),
  /** What the charts tell apart, the primary first; a null name is what all others have together. */
  series: z.array(z.object({ name: z.string().nullable() })).max(6),
  /** What the cost is told apart by: models, where the split is by position. */
  costBy: z.enum(USAGE_SPLITS),
  costs: z.array(z.object({ name: z.string().nullable() })).max(6),
  /** Every model that was asked or used, the busiest first. */
  models: z.array(ModelUse),
  /** Who took turns over from whom, the most frequent first. */
  standIns: z.array(z.object({ from: z.string(), to: z.string(), count: z.int().positive() })),
  /** Projects of the sessions that are kept one by one, the last active first; empty where none can be told apart. */
  projects: z.array(z.string()),
  points: z.array(UsagePoint).max(USAGE_POINTS_MAX),
  /** Attempts by day of the week, Monday first, and hour of the day; null for an hour that is not in the range. */
  hours: z.array(z.array(Count.nullable()).length(24)).length(7),
});
export type UsageAnswer = z.infer<typeof UsageAnswer>;

/** What can be exported: the data of each chart, and the table of the split. */
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

/** What the panel may ask of usage. */
export const usageQueries = {
  'usage.get': { input: UsageQuestion, output: UsageAnswer },
  /** How each model fared, the busiest first; `range` is the whole hours covered. */
  'usage.models': {
    input: z.object(asked),
    output: z.object({
      question: z.object(asked),
      range: z.object({ sinceMs: Ms, untilMs: Ms }).nullable(),
      models: z.array(ModelUse),
    }),
  },
  /**
   * How each agent fared; null where single attempts are not kept. `sinceMs` says since when they are, where the range begins
   * before. Goes through all attempts of the range.
   */
  'usage.agents': {
    input: z.object(asked),
    output: z.object({ question: z.object(asked), agents: z.array(AgentFigures), sinceMs: Ms.nullable() }).nullable(),
  },
  /** The same as a file: what its table shows, exactly. */
  'usage.export': {
    input: UsageQuestion.extend({ part: z.enum(USAGE_PARTS), format: z.enum(['csv', 'json']) }),
    output: z.object({ name: z.string(), text: z.string() }),
  },
} as const;
