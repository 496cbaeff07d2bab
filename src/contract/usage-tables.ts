import type { UsageAnswer, UsageFigures, UsagePart } from './usage';

/** What the values of a column are. */
export type UsageUnit = 'name' | 'moment' | 'weekday' | 'count' | 'share' | 'ms' | 'dollars';
/** `series` is the place in the answer's series that a column is about. */
export type UsageColumn = Readonly<{ id: string; unit: UsageUnit; series?: number }>;
/** Values as they are, neither rounded nor worded; null is missing, not zero. */
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

const FIELDS = { attempts: ATTEMPTS, tokens: TOKENS, cost: COST, times: TIMES } as const;
/** Which of a part's figures each series has as well. */
const SPLIT = { attempts: ['count', 'attempts'], cost: ['dollars', 'cost'] } as const;

/** One part of an answer as a table: what its twin on the page shows, and what is exported. */
export function usageTable(usage: UsageAnswer, part: UsagePart): UsageTable {
  if (part === 'hours') return hoursTable(usage);
  if (part === 'split') return splitTable(usage);
  const fields = FIELDS[part];
  const split = part === 'attempts' || part === 'cost' ? SPLIT[part] : null;
  return {
    columns: [
      { id: 'from', unit: 'moment' },
      { id: 'until', unit: 'moment' },
      ...fields.map(([id, unit]) => ({ id, unit })),
      ...(split ? usage.series.map((_, series) => ({ id: split[1], unit: split[0], series })) : []),
    ],
    rows: usage.points.map(({ at, until, figures, parts }) => [
      at,
      until,
      ...fields.map(([, , read]) => figures && read(figures)),
      ...(split ? usage.series.map((_, series) => (figures ? (parts[series]?.[split[1]] ?? null) : null)) : []),
    ]),
  };
}

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
