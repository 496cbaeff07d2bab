import * as z from 'zod';
import { FAILURE_KINDS } from '../engine';
import { TOOL_REASONS } from '../engine/scorecard';
import { Count, Money, Ms, Percentiles, Share, Tokens } from './figures';

const rate = () =>
  z
    .object({ value: Share, lower: Share, upper: Share, n: Count })
    .describe('A share with its 95 % Wilson bounds and the number it rests on; null without data.');
const Instant = z.iso.datetime();

const figures = () => ({
  totalCalls: Count,
  outcomes: z.object({
    success: Count,
    slow: Count,
    failure: Count,
    limited: Count,
    neutral: Count,
    inFlight: Count,
  }),
  successes: Count,
  failures: Count,
  successRate: rate(),
  avgResponseTimeMs: Ms.nullable(),
  ...Percentiles,
  firstToken: z.object(Percentiles),
  tokens: Tokens,
  cost: z.object({ total: Money.nullable(), perReport: Money.nullable(), pricedShare: Share }),
  circuitBreakerActivations: Count,
  networkActivations: Count,
  failureReasons: z.partialRecord(z.enum(FAILURE_KINDS), Count),
  fallbacksIn: Count,
  fallbacksOut: Count,
  switchesFailed: Count,
  retries: Count,
  waits: z.object({ count: Count, totalMs: Ms, ...Percentiles }),
  turns: z.object({
    total: Count,
    open: Count,
    answered: Count,
    failed: Count,
    neutral: Count,
    firstTry: Count,
    firstTryRate: Share,
    byLead: Count,
    saved: Count,
    spared: Count,
    rescues: Count,
    exhausted: Count,
  }),
  time: z.object({ lostMs: Ms, savedMs: Ms, savedStatedMs: Ms, turnsWithoutClock: Count }),
  availability: z.object({ withFallback: rate(), withoutFallback: rate() }),
  quality: z.object({
    answers: Count,
    emptyShare: Share,
    cutShare: Share,
    continued: Count.nullable()
      .optional()
      .describe('How often a model was told to go on; null where nobody would have told, absent in older documents.'),
    continuedPerAnswer: z.number().nonnegative().nullable(),
    badArgumentsPerAnswer: z.number().nonnegative().nullable(),
    flawedShare: Share,
  }),
  errors: z
    .object({
      tool: Count.nullable(),
      toolReasons: z.record(z.enum(TOOL_REASONS), Count).nullable(),
      toolRepeats: Count.nullable().describe('The call before, of the same model and session, failed the same way.'),
      provider: Count,
      providerRepeats: Count.optional().describe('Same kind as the failure before of that provider; absent for none.'),
    })
    .describe('Tools that failed; null where no OpenCode would have told of them.'),
  abandoned: Count,
});

/** `saved`: another model finished after the primary failed; `spared`: the unavailable primary was not called. */
export const AgentFigures = z.lazy(() =>
  z.object({
    agent: z.string(),
    turns: z.object({
      total: Count,
      open: Count,
      answered: Count,
      failed: Count.describe('Turns that found everybody out, and asked nobody, are among them.'),
      neutral: Count.describe('Stopped by a person, or never answered.'),
      firstTry: Count,
      byLead: Count,
      saved: Count,
      spared: Count,
    }),
    availability: z
      .object({ withFallback: rate(), withoutFallback: rate() })
      .describe('Answered turns of those answered or failed; without fallback those that its primary answered.'),
    firstTry: rate().describe('Answered turns in which no request failed, of those answered or failed.'),
    fallbacks: rate().describe('Turns that another model than the primary took on: the share that ended in an answer.'),
    attempts: Count,
    failures: Count,
    retries: Count.describe('Requests that went to the same model again after it failed.'),
    waitedMs: Count.describe(
      'Time after failed requests in which nobody was asked, until the next request of the turn.',
    ),
    successes: Count.optional().describe(
      'Requests that were answered; this and what follows is absent in older documents.',
    ),
    successRate: rate().optional(),
    avgResponseTimeMs: Ms.nullable().optional(),
    p50Ms: Ms.nullable().optional(),
    p95Ms: Ms.nullable().optional(),
    failureReasons: z.partialRecord(z.enum(FAILURE_KINDS), Count).optional(),
  }),
);
export type AgentFigures = z.infer<typeof AgentFigures>;

export type Metric = keyof ReturnType<typeof figures>;
export const METRICS = [
  'totalCalls',
  'outcomes',
  'successes',
  'failures',
  'successRate',
  'avgResponseTimeMs',
  'p50Ms',
  'p95Ms',
  'firstToken',
  'tokens',
  'cost',
  'circuitBreakerActivations',
  'networkActivations',
  'failureReasons',
  'fallbacksIn',
  'fallbacksOut',
  'switchesFailed',
  'retries',
  'waits',
  'turns',
  'time',
  'availability',
  'quality',
  'errors',
  'abandoned',
] as const satisfies readonly Metric[];

/** Without prompts, paths and keys. */
export const ScorecardDocument = z.lazy(() =>
  z.object({
    schema: z.literal('scorecard/1'),
    app: z.object({ name: z.literal('Understudy'), version: z.string() }),
    generatedAt: Instant,
    tz: z.literal('UTC'),
    session: z.string().nullable().describe('The conversation it is about, its sub-agents included; null for all.'),
    range: z
      .object({ since: Instant.nullable(), until: Instant.nullable() })
      .describe('The whole hours covered; null where a side is open.'),
    totals: z.object(figures()),
    models: z
      .array(z.object({ rank: z.int().positive(), model: z.string(), provider: z.string(), ...figures() }))
      .describe('Best first: by the lower bound of success, then p50, then cost.'),
    agents: z
      .array(AgentFigures)
      .optional()
      .describe('By name, in exports: attempts that are still kept one by one. Absent where they are not kept.'),
    agentsSince: Instant.optional().describe(
      'Since when attempts are kept one by one, where the range begins before: agents have no figures of then.',
    ),
    switches: z.array(z.object({ from: z.string(), to: z.string(), count: z.int().positive() })),
    transitions: z
      .array(z.object({ at: Instant, model: z.string(), state: z.string(), kind: z.enum(FAILURE_KINDS).nullable() }))
      .describe('Changes of the states of models in the range, oldest first.'),
    advice: z.array(
      z.object({
        code: z.string(),
        text: z.string(),
        confidence: z.enum(['high', 'medium', 'low']),
        n: Count,
        provider: z.string().nullable().describe('The provider to act on; null where a model is meant.'),
        models: z.array(z.string()).describe('The models it is about, the one to act on first.'),
      }),
    ),
    alert: z
      .object({ since: Instant, until: Instant })
      .nullable()
      .describe(
        'Ten failures within five minutes: the alert that was on when this was made; null while all was quiet.',
      ),
    quality: z
      .object({ unpricedShare: Share, keptSince: Instant.nullable() })
      .describe('What the figures do not know: reports without a price, and what lies before the first kept hour.'),
    methods: z.record(z.string(), z.string()).describe('How each figure that is no plain count is made.'),
  }),
);
export type ScorecardDocument = z.infer<typeof ScorecardDocument>;

export const EXPORT_FORMATS = ['json', 'csv', 'md', 'html', 'svg'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Dates have four-digit years. */
export const YEAR_9999_MS = 253_402_300_799_999;
const WallMs = z.number().nonnegative().max(YEAR_9999_MS);

/** Unix ms, end exclusive. */
export const ScorecardRange = z.lazy(() =>
  z.object({
    session: z.string().max(200).optional(),
    sinceMs: WallMs.optional(),
    untilMs: WallMs.optional(),
  }),
);
export type ScorecardRange = z.infer<typeof ScorecardRange>;
