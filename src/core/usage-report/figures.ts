import type { UsageFigures } from '../../contract/usage';
import { type Figures, NANOS } from '../../engine/scorecard';
import type { SplitSum } from '../base/store-rows';
import { money, plain, short } from '../scorecard/document';

export type Sums = { -readonly [Key in Exclude<keyof SplitSum, 'hour' | 'name'>]: number };

export const noSums = (): Sums => ({
  attempts: 0,
  answered: 0,
  failed: 0,
  past: 0,
  placed: 0,
  input: 0,
  output: 0,
  reasoning: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reports: 0,
  priced: 0,
  costNanos: 0,
});

const FIELDS = Object.keys(noSums()) as readonly (keyof Sums)[];

export function addSums(to: Sums, more: Sums | SplitSum): void {
  for (const field of FIELDS) to[field] += more[field];
}

/** Dollars; null without any price. */
export const costOf = ({ priced, costNanos }: Sums): string | null => (priced > 0 ? money(costNanos / NANOS) : null);

export function figuresOfSums(sums: Sums): UsageFigures {
  const { attempts, answered, failed, reports, priced, input, output, reasoning, cacheRead, cacheWrite } = sums;
  return {
    attempts,
    answered,
    failed,
    fallback: fallbackOf(sums),
    tokens: reports > 0 ? { input, output, reasoning, cacheRead, cacheWrite } : null,
    cost: { total: costOf(sums), pricedShare: reports > 0 ? short(priced / reports) : null },
    answer: null,
    firstToken: null,
  };
}

/** `sums` give the positions; null without a store. */
export function figuresOfCells(figures: Figures, sums: Sums | null): UsageFigures {
  const { totalCalls, successes, failures, tokens, cost, p50Ms, p95Ms, firstToken } = plain(figures);
  return {
    attempts: totalCalls,
    answered: successes,
    failed: failures,
    fallback: sums && fallbackOf(sums),
    tokens: cost.pricedShare === null ? null : tokens,
    cost: { total: cost.total, pricedShare: cost.pricedShare },
    answer: { p50Ms, p95Ms },
    firstToken,
  };
}

const fallbackOf = ({ past, placed }: Sums): UsageFigures['fallback'] => ({ past, of: placed });
