/** Retries a session may make, and when it is told that they run out. A retry asks the model that has just failed. */
export type RetryBudget = Readonly<{ perSession: number; warnAt: number }>;

/** The published defaults. Source: docs/failures.md, budgets. */
export const DEFAULT_RETRY_BUDGET: RetryBudget = { perSession: 30, warnAt: 20 };

/** Retries of one root session, its sub-agents' included. */
export type Spent = Readonly<{ retries: number; isWarned: boolean }>;
export const NOTHING_SPENT: Spent = { retries: 0, isWarned: false };

/** All requests of the last minutes, in minutes: what the ratio of retries is measured against. */
export type Traffic = readonly Readonly<{ minute: number; firsts: number; retries: number }>[];

/** Retries are at most this share of the other requests. Source: docs/failures.md, budgets. */
const RATIO = 0.2;
/** So many retries are always allowed: a share of nothing would forbid the first. */
const FLOOR = 3;
/** Minutes the ratio looks back. */
const MINUTES_KEPT = 10;
const MINUTE_MS = 60_000;

/** Traffic with one more request at `now` (ms). */
export function counted(traffic: Traffic, what: 'firsts' | 'retries', now: number, by = 1): Traffic {
  const minute = Math.floor(now / MINUTE_MS);
  const recent = traffic.filter((entry) => minute - entry.minute < MINUTES_KEPT);
  const last = recent.at(-1)?.minute === minute ? recent.pop() : undefined;
  const firsts = (last?.firsts ?? 0) + (what === 'firsts' ? by : 0);
  const retries = (last?.retries ?? 0) + (what === 'retries' ? by : 0);
  recent.push({ minute, firsts: Math.max(0, firsts), retries: Math.max(0, retries) });
  return recent;
}

/** Which budget forbids a retry: that of the root session, or the share of all requests. */
export type RetryRefusal = 'budget.session' | 'budget.ratio';

/** Why a retry is not made; null when it may be. */
export function retryRefusal(
  spent: Spent,
  traffic: Traffic,
  asked: Readonly<{ now: number; budget: RetryBudget }>,
): RetryRefusal | null {
  if (spent.retries >= asked.budget.perSession) return 'budget.session';
  const minute = Math.floor(asked.now / MINUTE_MS);
  let firsts = 0;
  let retries = 0;
  for (const entry of traffic) {
    if (minute - entry.minute >= MINUTES_KEPT) continue;
    firsts += entry.firsts;
    retries += entry.retries;
  }
  return retries >= Math.max(FLOOR, Math.floor(firsts * RATIO)) ? 'budget.ratio' : null;
}

/** One more retry; `warns` once per session, at the configured number. */
export function spend(spent: Spent, budget: RetryBudget): Readonly<{ spent: Spent; warns: boolean }> {
  const retries = spent.retries + 1;
  const warns = !spent.isWarned && retries >= budget.warnAt;
  return { spent: { retries, isWarned: spent.isWarned || warns }, warns };
}

/** A retry handed back: it proved nothing about its model. */
export const refund = (spent: Spent): Spent => ({ ...spent, retries: Math.max(0, spent.retries - 1) });
