import { METRICS, type Metric, type ScorecardDocument } from '../../contract/scorecard';
import { FAILURE_KINDS } from '../../engine';
import { moneyPhrase } from '../../wording/usage-words';
import { kindPhrase, measured } from '../../wording/wording';
import { tokensOf } from '../base/tokens';
import { duration, rate, share, toolErrors } from './figure-text';

export type SheetTable = Readonly<{
  title: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  empty: string;
}>;

type Row = ScorecardDocument['models'][number];
type Column = Readonly<{ head: string; cell: (row: Row) => string }>;

const COLUMNS: Readonly<Record<Metric, Column>> = {
  totalCalls: { head: 'Attempts', cell: ({ totalCalls }) => String(totalCalls) },
  successRate: { head: 'Success', cell: ({ successRate }) => rate(successRate) },
  p50Ms: { head: 'p50', cell: ({ p50Ms }) => duration(p50Ms) },
  p95Ms: { head: 'p95', cell: ({ p95Ms }) => duration(p95Ms) },
  firstToken: { head: 'First token', cell: ({ firstToken }) => duration(firstToken.p50Ms) },
  circuitBreakerActivations: { head: 'Circuit opened', cell: (row) => String(row.circuitBreakerActivations) },
  fallbacksIn: { head: 'Fallbacks to it', cell: ({ fallbacksIn }) => String(fallbacksIn) },
  fallbacksOut: { head: 'Fallbacks from it', cell: ({ fallbacksOut }) => String(fallbacksOut) },
  cost: { head: 'Cost', cell: ({ cost }) => (cost.total === null ? '–' : moneyPhrase(Number(cost.total))) },
  successes: { head: 'Answered', cell: ({ successes }) => String(successes) },
  failures: { head: 'Failed', cell: ({ failures }) => String(failures) },
  avgResponseTimeMs: { head: 'Average', cell: ({ avgResponseTimeMs }) => duration(avgResponseTimeMs) },
  failureReasons: { head: 'Why it failed', cell: ({ failureReasons }) => reasonsText(failureReasons) },
  networkActivations: { head: 'Network opened', cell: ({ networkActivations }) => String(networkActivations) },
  switchesFailed: { head: 'Switches failed', cell: ({ switchesFailed }) => String(switchesFailed) },
  retries: { head: 'Retries', cell: ({ retries }) => String(retries) },
  waits: { head: 'Waited', cell: ({ waits }) => `${waits.count} times, ${measured(waits.totalMs)}` },
  outcomes: { head: 'Limited', cell: ({ outcomes }) => String(outcomes.limited) },
  tokens: { head: 'Tokens', cell: ({ tokens }) => String(tokensOf(tokens)) },
  turns: { head: 'Turns answered', cell: ({ turns }) => `${turns.answered} of ${turns.total}` },
  time: { head: 'Time lost', cell: ({ time }) => duration(time.lostMs) },
  availability: { head: 'Availability', cell: ({ availability }) => rate(availability.withFallback) },
  quality: { head: 'Flawed', cell: ({ quality }) => share(quality.flawedShare) },
  errors: { head: 'Tool errors', cell: ({ errors }) => toolErrors(errors) },
  abandoned: { head: 'Abandoned', cell: ({ abandoned }) => String(abandoned) },
};

const USUAL: readonly Metric[] = [
  'totalCalls',
  'successRate',
  'p50Ms',
  'p95Ms',
  'firstToken',
  'circuitBreakerActivations',
  'fallbacksIn',
  'fallbacksOut',
  'cost',
];

export function modelsTable({ models }: ScorecardDocument, metrics: readonly Metric[] | null): SheetTable {
  const columns = (metrics ?? USUAL).map((metric) => COLUMNS[metric]);
  return {
    title: 'Models, best first',
    head: ['Model', ...columns.map(({ head }) => head)],
    rows: models.map((row) => [row.model, ...columns.map(({ cell }) => cell(row))]),
    empty: 'No model was called.',
  };
}

function reasonsText(reasons: Row['failureReasons']): string {
  const counts = FAILURE_KINDS.flatMap((kind) => {
    const count = reasons[kind];
    return count === undefined ? [] : [`${kindPhrase(kind, null)} ${count}`];
  });
  return counts.join(', ') || '–';
}

/** The document with only these metrics, for each model and in total. */
export function withMetrics(document: ScorecardDocument, metrics: readonly Metric[]): object {
  const left: readonly string[] = METRICS.filter((metric) => !metrics.includes(metric));
  const only = (row: object): object => Object.fromEntries(Object.entries(row).filter(([key]) => !left.includes(key)));
  return { ...document, totals: only(document.totals), models: document.models.map(only) };
}
