import type { ModelId } from '../base/ids';
import { FAILURE_KINDS, type FailureKind } from '../base/kinds';
import { type Cell, figure, NANOS } from './cell';
import { percentileOf, sizeOf } from './histogram';
import { TOOL_REASONS, type Tokens, type ToolReason } from './input';
import { type Rate, rateOf } from './wilson';

/** The sum is always `totalCalls`. */
export type Outcomes = Readonly<{
  success: number;
  slow: number;
  failure: number;
  limited: number;
  neutral: number;
  inFlight: number;
}>;

/** `answered` is `byLead + saved + spared`. */
export type TurnFigures = Readonly<{
  total: number;
  open: number;
  answered: number;
  failed: number;
  neutral: number;
  firstTry: number;
  firstTryRate: number | null;
  byLead: number;
  /** The primary failed and a fallback model finished. */
  saved: number;
  /** The primary was unavailable and not called. */
  spared: number;
  /** Turns of other primaries that this model finished. */
  rescues: number;
  exhausted: number;
}>;

/** Null without responses. */
export type QualityFigures = Readonly<{
  answers: number;
  emptyShare: number | null;
  cutShare: number | null;
  /** Counts continuations within a response too; null if no host reports them. */
  continued: number | null;
  /** Null if no host reports flaws, like the next two. */
  continuedPerAnswer: number | null;
  badArgumentsPerAnswer: number | null;
  /** An upper bound if a response has several flaws. */
  flawedShare: number | null;
}>;

/** `tool` figures are null if no host reports them. */
export type ErrorFigures = Readonly<{
  tool: number | null;
  toolReasons: Readonly<Record<ToolReason, number>> | null;
  /** Same reason as the model's previous call in the session. */
  toolRepeats: number | null;
  provider: number;
  /** Same kind as the provider's previous failure, with no response since. */
  providerRepeats?: number;
}>;

/** Ms; null means no data. */
export type Figures = Readonly<{
  totalCalls: number;
  outcomes: Outcomes;
  successes: number;
  failures: number;
  successRate: Rate;
  avgResponseTimeMs: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  firstToken: Readonly<{ p50Ms: number | null; p95Ms: number | null }>;
  tokens: Tokens;
  /** `pricedShare`: reports with a price. */
  cost: Readonly<{ total: number | null; perReport: number | null; pricedShare: number | null }>;
  circuitBreakerActivations: number;
  networkActivations: number;
  failureReasons: Readonly<Partial<Record<FailureKind, number>>>;
  fallbacksIn: number;
  fallbacksOut: number;
  switchesFailed: number;
  retries: number;
  waits: Readonly<{ count: number; totalMs: number; p50Ms: number | null; p95Ms: number | null }>;
  turns: TurnFigures;
  /** `savedStatedMs`: based on times from providers. */
  time: Readonly<{ lostMs: number; savedMs: number; savedStatedMs: number; turnsWithoutClock: number }>;
  availability: Readonly<{ withFallback: Rate; withoutFallback: Rate }>;
  quality: QualityFigures;
  errors: ErrorFigures;
  /** Sessions ended without a response; included in `outcomes.neutral`. */
  abandoned: number;
}>;

export type ModelRow = Figures & Readonly<{ model: ModelId; provider: string }>;

const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

export function figuresOf(cell: Cell): Figures {
  const of = (counter: Parameters<typeof figure>[1]): number => figure(cell, counter);
  const successes = of('success') + of('slow');
  const failures = of('failure') + of('limited');
  const priced = of('priced');
  const cost = of('costNanos') / NANOS;
  return {
    totalCalls: of('attempts'),
    outcomes: outcomesOf(cell),
    successes,
    failures,
    successRate: rateOf(successes, successes + failures),
    avgResponseTimeMs: share(of('answeredMs'), sizeOf(cell.answers)),
    ...percentiles(cell.answers),
    firstToken: percentiles(cell.firstTokens),
    tokens: tokensOf(cell),
    cost: { total: priced > 0 ? cost : null, perReport: share(cost, priced), pricedShare: share(priced, of('usages')) },
    circuitBreakerActivations: of('breakerTrips'),
    networkActivations: of('networkTrips'),
    failureReasons: reasonsOf(cell),
    fallbacksIn: of('fallbacksIn'),
    fallbacksOut: of('fallbacksOut'),
    switchesFailed: of('switchesFailed'),
    retries: of('retries'),
    waits: { count: sizeOf(cell.waits), totalMs: of('waitedMs'), ...percentiles(cell.waits) },
    turns: turnsOf(cell),
    time: timeOf(cell),
    availability: availabilityOf(cell),
    quality: qualityOf(cell, successes),
    errors: errorsOf(cell, failures),
    abandoned: of('abandoned'),
  };
}

function percentiles(histogram: Cell['answers']): Readonly<{ p50Ms: number | null; p95Ms: number | null }> {
  return { p50Ms: percentileOf(histogram, 50), p95Ms: percentileOf(histogram, 95) };
}

function outcomesOf(cell: Cell): Outcomes {
  return {
    success: figure(cell, 'success'),
    slow: figure(cell, 'slow'),
    failure: figure(cell, 'failure'),
    limited: figure(cell, 'limited'),
    neutral: figure(cell, 'neutral'),
    inFlight: figure(cell, 'inFlight'),
  };
}

function tokensOf(cell: Cell): Tokens {
  return {
    input: figure(cell, 'tokensInput'),
    output: figure(cell, 'tokensOutput'),
    reasoning: figure(cell, 'tokensReasoning'),
    cacheRead: figure(cell, 'tokensCacheRead'),
    cacheWrite: figure(cell, 'tokensCacheWrite'),
  };
}

function reasonsOf(cell: Cell): Partial<Record<FailureKind, number>> {
  const reasons: Partial<Record<FailureKind, number>> = {};
  for (const kind of FAILURE_KINDS) {
    const count = figure(cell, `kind.${kind}`);
    if (count > 0) reasons[kind] = count;
  }
  return reasons;
}

function turnsOf(cell: Cell): TurnFigures {
  const answered = figure(cell, 'turnsAnswered');
  const failed = figure(cell, 'turnsFailed');
  const firstTry = figure(cell, 'turnsFirstTry');
  return {
    total: figure(cell, 'turns'),
    open: figure(cell, 'turnsOpen'),
    answered,
    failed,
    neutral: figure(cell, 'turnsNeutral'),
    firstTry,
    firstTryRate: share(firstTry, answered + failed),
    byLead: figure(cell, 'turnsByLead'),
    saved: figure(cell, 'turnsSaved'),
    spared: figure(cell, 'turnsSpared'),
    rescues: figure(cell, 'rescues'),
    exhausted: figure(cell, 'exhausted'),
  };
}

function timeOf(cell: Cell): Figures['time'] {
  return {
    lostMs: figure(cell, 'lostMs'),
    savedMs: figure(cell, 'savedMs'),
    savedStatedMs: figure(cell, 'savedStatedMs'),
    turnsWithoutClock: figure(cell, 'turnsWithoutClock'),
  };
}

function availabilityOf(cell: Cell): Figures['availability'] {
  const answered = figure(cell, 'turnsAnswered');
  const decided = answered + figure(cell, 'turnsFailed');
  return { withFallback: rateOf(answered, decided), withoutFallback: rateOf(figure(cell, 'turnsByLead'), decided) };
}

function qualityOf(cell: Cell, answered: number): QualityFigures {
  const empty = figure(cell, 'kind.empty_response');
  const cut = figure(cell, 'kind.early_termination') + figure(cell, 'kind.stream_interrupted');
  const answers = answered + empty + cut;
  const observed = figure(cell, 'heard');
  const continued = figure(cell, 'continued');
  const flawed = continued + figure(cell, 'tool.validation');
  return {
    answers,
    emptyShare: share(empty, answers),
    cutShare: share(cut, answers),
    continued: continued === 0 && observed === 0 ? null : continued,
    continuedPerAnswer: share(continued, observed),
    badArgumentsPerAnswer: share(figure(cell, 'tool.validation'), observed),
    flawedShare: observed > 0 ? Math.min(1, (empty + cut) / answers + flawed / observed) : null,
  };
}

function errorsOf(cell: Cell, provider: number): ErrorFigures {
  const providerRepeats = figure(cell, 'providerRepeats');
  const own = { provider, ...(providerRepeats > 0 ? { providerRepeats } : {}) };
  const tool = figure(cell, 'toolErrors') + figure(cell, 'kind.tool_error');
  // A tool may fail before its response ends.
  if (tool === 0 && figure(cell, 'heard') === 0) return { tool: null, toolReasons: null, toolRepeats: null, ...own };
  const counts = TOOL_REASONS.map((reason) => [reason, figure(cell, `tool.${reason}`)] as const);
  const toolReasons = Object.fromEntries(counts) as Record<ToolReason, number>;
  return { tool, toolReasons, toolRepeats: figure(cell, 'toolRepeats'), ...own };
}
