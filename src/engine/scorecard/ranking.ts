import type { ModelRow } from './row';

/** Best first: by lower Wilson bound, p50, cost per report, name; no data comes last. */
export function ranked(rows: readonly ModelRow[]): readonly ModelRow[] {
  return [...rows].sort(
    (a, b) =>
      rising(negative(a.successRate.lower), negative(b.successRate.lower)) ||
      rising(a.p50Ms, b.p50Ms) ||
      rising(a.cost.perReport, b.cost.perReport) ||
      byText(a.model, b.model),
  );
}

const negative = (value: number | null): number | null => (value === null ? null : -value);

function rising(a: number | null, b: number | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a - b;
}

/** The same on every machine. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
