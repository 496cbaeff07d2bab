import * as z from 'zod';
import type { Price } from '../base/price';

const Percent = z.number().min(0).max(100).nullable();

/** Remaining percent of a subscription. */
export const Headroom = z.object({
  account: z.string().min(1).max(300),
  fiveHourPercent: Percent,
  weekPercent: Percent,
  /** Unix ms of the report. */
  at: z.number().nonnegative(),
});
export type Headroom = z.infer<typeof Headroom>;

export const STAGES = ['healthy', 'medium', 'low', 'critical'] as const;
export type Stage = (typeof STAGES)[number];

export type BudgetEffect = Readonly<{
  stage: Stage;
  multiplier: number;
  isOverCap: boolean;
  reason: 'budget.healthy' | 'budget.stage' | 'budget.dear' | 'budget.cap';
}>;

/** The worst first. Source: `health_thresholds_pct` of the published `openai_budget_policy.json`. */
const THRESHOLDS = [
  { stage: 'critical', fiveHourPercent: 10, weekPercent: 10 },
  { stage: 'low', fiveHourPercent: 25, weekPercent: 20 },
  { stage: 'medium', fiveHourPercent: 50, weekPercent: 30 },
] as const;

/** Source: `stage_multipliers` of the same policy. */
const MULTIPLIERS: Readonly<Record<Stage, Readonly<{ usual: number; dear: number }>>> = {
  healthy: { usual: 1, dear: 1 },
  medium: { usual: 0.95, dear: 0.85 },
  low: { usual: 0.7, dear: 0.45 },
  critical: { usual: 0.35, dear: 0.08 },
};

/**
 * Price of an expensive model. Source: `high_cost_input_per_1m_usd` and `high_cost_output_per_1m_usd` of the same
 * policy.
 */
const DEAR_FROM: Price = { in: 10, out: 30 };

/** Highest price of a proposed model; null is no limit. Source: the caps of the same policy. */
const CAPS: Readonly<Record<Stage, Price | null>> = {
  healthy: null,
  medium: { in: 10, out: 40 },
  low: { in: 8, out: 32 },
  critical: { in: 2, out: 8 },
};

/** A share expires after its window. */
const FIVE_HOURS_MS = 5 * 60 * 60 * 1000;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** Null if both are unknown. */
export function stageOf({ fiveHourPercent, weekPercent }: Omit<Headroom, 'account' | 'at'>): Stage | null {
  if (fiveHourPercent === null && weekPercent === null) return null;
  const reached = THRESHOLDS.find(
    (most) =>
      (fiveHourPercent !== null && fiveHourPercent <= most.fiveHourPercent) ||
      (weekPercent !== null && weekPercent <= most.weekPercent),
  );
  return reached?.stage ?? 'healthy';
}

/**
 * Removes shares whose window has restarted since.
 * @param now Unix ms.
 */
export function headroomAt(headroom: Headroom, now: number): Headroom {
  const ageMs = now - headroom.at;
  return {
    ...headroom,
    fiveHourPercent: ageMs < FIVE_HOURS_MS ? headroom.fiveHourPercent : null,
    weekPercent: ageMs < WEEK_MS ? headroom.weekPercent : null,
  };
}

/**
 * A model without a price is neither expensive nor over a cap.
 * @returns null if the headroom is unknown.
 */
export function budgetFor(price: Price | null, headroom: Headroom): BudgetEffect | null {
  const stage = stageOf(headroom);
  if (stage === null) return null;
  const isDear = price !== null && (price.in >= DEAR_FROM.in || price.out >= DEAR_FROM.out);
  const cap = CAPS[stage];
  const isOverCap = price !== null && cap !== null && (price.in > cap.in || price.out > cap.out);
  const multiplier = MULTIPLIERS[stage][isDear ? 'dear' : 'usual'];
  return { stage, multiplier, isOverCap, reason: reasonOf(stage, isDear, isOverCap) };
}

function reasonOf(stage: Stage, isDear: boolean, isOverCap: boolean): BudgetEffect['reason'] {
  if (stage === 'healthy') return 'budget.healthy';
  if (isOverCap) return 'budget.cap';
  return isDear ? 'budget.dear' : 'budget.stage';
}
