import * as z from 'zod';
import { FAILURE_KINDS } from '../engine';
import { TOOL_REASONS } from '../engine/scorecard';
import { Count, Money, Ms, Percentiles, Share, Tokens } from './figures';

const rate = () =>
  z
    .object({ value: Share, lower: Share, upper: Share, n: Count })
    .describe('A share with its 95 % Wilson bounds and its sample size; null without data.');
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
      .describe('How often a model was instructed to continue; null if no host reports it, absent in older documents.'),
    continuedPerAnswer: z.number().nonnegative().nullable(),
    badArgumentsPerAnswer: z.number().nonnegative().nullable(),
    flawedShare: Share,
  }),
  errors: z
    .object({
      tool: Count.nullable(),
      toolReasons: z.record(z.enum(TOOL_REASONS), Count).nullable(),
      toolRepeats: Count.nullable().describe('The previous call of the same model and session failed in the same way.'),
      provider: Count,
      providerRepeats: Count.optional().describe(
        'Same kind as the previous failure of that provider; absent if there are none.',
      ),
    })
    .describe('Failed tools; null if no OpenCode reports them.'),
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
      failed: Count.describe('Includes turns that found no model available and sent no request.'),
      neutral: Count.describe('Stopped by the user, or never answered.'),
      firstTry: Count,
      byLead: Count,
      saved: Count,
      spared: Count,
    }),
    availability: z
      .object({ withFallback: rate(), withoutFallback: rate() })
      .describe(
        'Answered turns as a share of answered and failed turns; without fallback, only those that the primary answered.',
      ),
    firstTry: rate().describe('Answered turns without a failed request, as a share of answered and failed turns.'),
    fallbacks: rate().describe('Turns that a fallback model took over: the share that was answered.'),
    attempts: Count,
    failures: Count,
    retries: Count.describe('Requests sent to the same model again after it failed.'),
    waitedMs: Count.describe(
      'Time after failed requests in which no model was called, until the next request of the turn.',
    ),
    successes: Count.optional().describe(
      'Answered requests; this field and the following ones are absent in older documents.',
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
    session: z.string().nullable().describe('The conversation, including its sub-agents; null for all.'),
    range: z
      .object({ since: Instant.nullable(), until: Instant.nullable() })
      .describe('The whole hours covered; null for an open side.'),
    totals: z.object(figures()),
    models: z
      .array(z.object({ rank: z.int().positive(), model: z.string(), provider: z.string(), ...figures() }))
      .describe('Best first: by the lower bound of success, then p50, then cost.'),
    agents: z
      .array(AgentFigures)
      .optional()
      .describe('By name, in exports: from the attempts that are stored individually. Absent if none are stored.'),
    agentsSince: Instant.optional().describe(
      'Start of the individually stored attempts, if the range begins earlier: agents have no figures before it.',
    ),
    switches: z.array(z.object({ from: z.string(), to: z.string(), count: z.int().positive() })),
    transitions: z
      .array(z.object({ at: Instant, model: z.string(), state: z.string(), kind: z.enum(FAILURE_KINDS).nullable() }))
      .describe('State changes of models in the range, oldest first.'),
    advice: z.array(
      z.object({
        code: z.string(),
        text: z.string(),
        confidence: z.enum(['high', 'medium', 'low']),
        n: Count,
        provider: z.string().nullable().describe('The provider to act on; null if the advice is about models.'),
        models: z.array(z.string()).describe('The models concerned; act on the first one first.'),
      }),
    ),
    alert: z
      .object({ since: Instant, until: Instant })
      .nullable()
      .describe('The alert that was active at export (ten failures within five minutes); null without an alert.'),
    quality: z
      .object({ unpricedShare: Share, keptSince: Instant.nullable() })
      .describe('Missing data: the share of reports without a price, and the start of the stored hours.'),
    methods: z.record(z.string(), z.string()).describe('How each figure other than a plain count is computed.'),
  }),
);
export type ScorecardDocument = z.infer<typeof ScorecardDocument>;

export const EXPORT_FORMATS = ['json', 'csv', 'md', 'html', 'svg'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A scorecard's dates have four-digit years. */
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
