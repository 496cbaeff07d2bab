import type { FailureKind } from './kinds';
import type { PolicyStep } from './policy';

/** `failingTurns` is the size of a provider's token bucket. */
export type RetryBudget = Readonly<{ perSession: number; warnAt: number; failingTurns?: number | undefined }>;

/** Source: docs/failures.md, budgets. */
export const DEFAULT_RETRY_BUDGET = { perSession: 30, warnAt: 20, failingTurns: 10 } as const;

/** Retries of one root session since its last response. */
export type Spent = Readonly<{ retries: number; isWarned: boolean }>;
export const NOTHING_SPENT: Spent = { retries: 0, isWarned: false };

/** Failures of a provider since its last response; `used` is what they took from its bucket by `at`. */
export type Streak = Readonly<{ kind: FailureKind; used: number; at: number }>;

/** An empty bucket refills in this time. Source: docs/failures.md, budgets. */
const REFILL_MS = 600_000;
/** Sums of thirds are not exact. */
const EPSILON = 1e-9;

export type Retry = Readonly<{ now: number; budget: RetryBudget; cost: number }>;

export type RetryRefusal = 'budget.session' | 'budget.provider';

export function retryRefusal(spent: Spent, streak: Streak | undefined, retry: Retry): RetryRefusal | null {
  const { budget, cost } = retry;
  if (spent.retries >= budget.perSession) return 'budget.session';
  return usedOf(streak, retry) + cost > sizeOf(budget) + EPSILON ? 'budget.provider' : null;
}

const sizeOf = ({ failingTurns = DEFAULT_RETRY_BUDGET.failingTurns }: RetryBudget): number => failingTurns;

const usedOf = (streak: Streak | undefined, { now, budget }: Pick<Retry, 'now' | 'budget'>): number =>
  streak ? Math.max(0, streak.used - (sizeOf(budget) * (now - streak.at)) / REFILL_MS) : 0;

export const withUse = (streak: Streak, retry: Retry): Streak => ({
  ...streak,
  used: Math.max(0, usedOf(streak, retry) + retry.cost),
  at: retry.now,
});

/** `warns` is true once until the next response. */
export function spend(spent: Spent, budget: RetryBudget): Readonly<{ spent: Spent; warns: boolean }> {
  const retries = spent.retries + 1;
  const warns = !spent.isWarned && retries >= budget.warnAt;
  return { spent: { retries, isWarned: spent.isWarned || warns }, warns };
}

export const refund = (spent: Spent): Spent => ({ ...spent, retries: Math.max(0, spent.retries - 1) });

/** Most retries of one model in any row; at least 1. */
export function retriesIn(rows: readonly (readonly PolicyStep[])[], maxRetries = Number.POSITIVE_INFINITY): number {
  return Math.max(1, ...rows.map((row) => row.reduce((sum, step) => sum + timesOf(step, maxRetries), 0)));
}

function timesOf(step: PolicyStep, maxRetries: number): number {
  if ('n' in step) return step.step === 'retry' ? Math.min(step.n, maxRetries) : step.n;
  return step.step === 'waitHint' ? 1 : 0;
}
