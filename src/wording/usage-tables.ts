import type { ModelUse, UsageAnswer, UsageFigures, UsagePart, UsagePoint } from '../contract/usage';

/** The unit of a column; `reasons` are kinds of failures with counts: "rate_limit 4, timeout 2". */
export type UsageUnit = 'name' | 'model' | 'moment' | 'weekday' | 'count' | 'share' | 'ms' | 'dollars' | 'reasons';
/** `series` and `cost` are indexes into the answer's series and costs. */
export type UsageColumn = Readonly<{ id: string; unit: UsageUnit; series?: number; cost?: number }>;
/** Raw values without rounding; null is missing, not zero. */
export type UsageTable = Readonly<{
  columns: readonly UsageColumn[];
  rows: readonly (readonly (string | number | null)[])[];
}>;

type Value = string | number | null;
type Field = readonly [id: string, unit: UsageUnit, read: (figures: UsageFigures) => Value];

const share = ({ fallback }: UsageFigures): number | null =>
  fallback && fallback.of > 0 ? fallback.past / fallback.of : null;

const ATTEMPTS: readonly Field[] = [
  ['attempts', 'count', (of) => of.attempts],
  ['answered', 'count', (of) => of.answered],
  ['failed', 'count', (of) => of.failed],
  ['pastPrimary', 'count', (of) => of.fallback?.past ?? null],
  ['fallbackShare', 'share', share],
];
const TOKENS: readonly Field[] = [
  ['input', 'count', (of) => of.tokens?.input ?? null],
  ['output', 'count', (of) => of.tokens?.output ?? null],
  ['reasoning', 'count', (of) => of.tokens?.reasoning ?? null],
  ['cacheRead', 'count', (of) => of.tokens?.cacheRead ?? null],
  ['cacheWrite', 'count', (of) => of.tokens?.cacheWrite ?? null],
];
const COST: readonly Field[] = [
  ['cost', 'dollars', (of) => of.cost.total],
  ['pricedShare', 'share', (of) => of.cost.pricedShare],
];
const TIMES: readonly Field[] = [
  ['answerP50', 'ms', (of) => of.answer?.p50Ms ?? null],
  ['answerP95', 'ms', (of) => of.answer?.p95Ms ?? null],
  ['firstTokenP50', 'ms', (of) => of.firstToken?.p50Ms ?? null],
  ['firstTokenP95', 'ms', (of) => of.firstToken?.p95Ms ?? null],
];

/** Requests to models of a chain, and those to fallback models. */
const FALLBACK: readonly Field[] = [
  ['placed', 'count', (of) => of.fallback?.of ?? null],
  ['pastPrimary', 'count', (of) => of.fallback?.past ?? null],
  ['fallbackShare', 'share', share],
];

const FIELDS = {
  attempts: ATTEMPTS.slice(0, 3),
  fallback: FALLBACK,
  tokens: TOKENS,
  cost: COST,
  times: TIMES,
} as const;

/** Further columns of a part, and their values. */
type More = readonly (readonly [UsageColumn, (point: UsagePoint) => Value])[];

function moreOf({ series, costs }: UsageAnswer, part: UsagePart): More {
  if (part === 'cost')
    return costs.map((_, cost) => [{ id: 'cost', unit: 'dollars', cost }, (point) => point.costs[cost] ?? null]);
  if (part !== 'attempts') return [];
  return [
    [{ id: 'switches', unit: 'count' }, (point) => point.switches],
    [{ id: 'resets', unit: 'count' }, (point) => point.resets],
    ...series.map((_, series) => {
      const column: UsageColumn = { id: 'attempts', unit: 'count', series };
      return [column, (point: UsagePoint) => point.parts[series] ?? null] as const;
    }),
  ];
}

/** One part of an answer as a table, for the page and the export. */
export function usageTable(usage: UsageAnswer, part: UsagePart): UsageTable {
  if (part === 'hours') return hoursTable(usage);
  if (part === 'split') return splitTable(usage);
  if (part === 'models') return modelsTable(usage.models);
  if (part === 'standIns') return standInsTable(usage);
  const fields = FIELDS[part];
  const more = moreOf(usage, part);
  return {
    columns: [
      { id: 'from', unit: 'moment' },
      { id: 'until', unit: 'moment' },
      ...fields.map(([id, unit]) => ({ id, unit })),
      ...more.map(([column]) => column),
    ],
    rows: usage.points.map((point) => [
      point.at,
      point.until,
      ...fields.map(([, , read]) => point.figures && read(point.figures)),
      ...more.map(([, read]) => (point.figures ? read(point) : null)),
    ]),
  };
}

type ModelField = readonly [id: string, unit: UsageUnit, read: (use: ModelUse) => Value];

/** The seven reliability figures of a model, and the outcomes of its bar. */
const MODELS: readonly ModelField[] = [
  ['model', 'model', (of) => of.model],
  ['totalCalls', 'count', (of) => of.totalCalls],
  ['successes', 'count', (of) => of.successes],
  ['failures', 'count', (of) => of.failures],
  ['successRate', 'share', (of) => of.successRate.value],
  ['avgResponseTimeMs', 'ms', (of) => of.avgResponseTimeMs],
  ['circuitBreakerActivations', 'count', (of) => of.circuitBreakerActivations],
  ['failureReasons', 'reasons', (of) => reasonsOf(of)],
  ['slow', 'count', (of) => of.outcomes.slow],
  ['skipped', 'count', (of) => of.outcomes.skipped],
  ['p50Ms', 'ms', (of) => of.p50Ms],
  ['p95Ms', 'ms', (of) => of.p95Ms],
];

/** The reasons of failures, the most frequent first: "rate_limit 4, timeout 2"; null for none. */
export function reasonsOf({ failureReasons }: Readonly<{ failureReasons: ModelUse['failureReasons'] }>): string | null {
  const counts = Object.entries(failureReasons).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return counts.map(([kind, count]) => `${kind} ${count}`).join(', ') || null;
}

const modelsTable = (models: readonly ModelUse[]): UsageTable => ({
  columns: MODELS.map(([id, unit]) => ({ id, unit })),
  rows: models.map((use) => MODELS.map(([, , read]) => read(use))),
});

const standInsTable = ({ standIns }: UsageAnswer): UsageTable => ({
  columns: [
    { id: 'leaver', unit: 'model' },
    { id: 'standIn', unit: 'model' },
    { id: 'count', unit: 'count' },
  ],
  rows: standIns.map(({ from, to, count }) => [from, to, count]),
});

function splitTable({ rows }: UsageAnswer): UsageTable {
  const fields = [...ATTEMPTS, ...TOKENS, ...COST, ...TIMES];
  return {
    columns: [{ id: 'name', unit: 'name' }, ...fields.map(([id, unit]) => ({ id, unit }))],
    rows: rows.map((row) => [row.name, ...fields.map(([, , read]) => read(row))]),
  };
}

function hoursTable({ hours }: UsageAnswer): UsageTable {
  return {
    columns: [
      { id: 'weekday', unit: 'weekday' },
      ...Array.from({ length: 24 }, (_, hour) => ({ id: `${hour}`, unit: 'count' as const })),
    ],
    rows: hours.map((counts, day) => [day + 1, ...counts]),
  };
}
