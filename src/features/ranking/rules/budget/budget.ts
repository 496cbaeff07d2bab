import * as z from 'zod';
import type { Price } from '../base/price';

const Percent = z.number().min(0).max(100).nullable();

/**
 * What is left of a subscription, in percent of each of its windows: entered by hand, or read from what its provider
 * sends.
 */
export const Headroom = z.object({
  /** Whose models it concerns: those asked under this account, and no others. */
  account: z.string().min(1).max(300),
  /** Null where it is not known: then it decides nothing. */
  fiveHourPercent: Percent,
  weekPercent: Percent,
  /** When it was so, in Unix ms. */
  at: z.number().nonnegative(),
});
export type Headroom = z.infer<typeof Headroom>;

/** How much is left, from enough to almost nothing. */
export const STAGES = ['healthy', 'medium', 'low', 'critical'] as const;
export type Stage = (typeof STAGES)[number];

/** What little is left of an account makes of one of its models. */
export type BudgetEffect = Readonly<{
  stage: Stage;
  multiplier: number;
  /** It costs more than may be proposed in this stage. */
  isOverCap: boolean;
  /** What decided: nothing had to, the stage alone, the stage for a dear model, or the cap on its price. */
  reason: 'budget.healthy' | 'budget.stage' | 'budget.dear' | 'budget.cap';
}>;

/**
 * The stages in which something is done, the worst first. Source: `health_thresholds_pct` of the published
 * `openai_budget_policy.json`.
 */
const THRESHOLDS = [
  { stage: 'critical', fiveHourPercent: 10, weekPercent: 10 },
  { stage: 'low', fiveHourPercent: 25, weekPercent: 20 },
  { stage: 'medium', fiveHourPercent: 50, weekPercent: 30 },
] as const;

/** What a score is multiplied by. Source: `stage_multipliers` of the same policy. */
const MULTIPLIERS: Readonly<Record<Stage, Readonly<{ usual: number; dear: number }>>> = {
  healthy: { usual: 1, dear: 1 },
  medium: { usual: 0.95, dear: 0.85 },
  low: { usual: 0.7, dear: 0.45 },
  critical: { usual: 0.35, dear: 0.08 },
};

/**
 * From this price on a model is dear. Source: `high_cost_input_per_1m_usd` and `high_cost_output_per_1m_usd` of the
 * same policy.
 */
const DEAR_FROM: Price = { in: 10, out: 30 };

/** The most a model may cost to be proposed in a stage; null is no limit. Source: the caps of the same policy. */
const CAPS: Readonly<Record<Stage, Price | null>> = {
  healthy: null,
  medium: { in: 10, out: 40 },
  low: { in: 8, out: 32 },
  critical: { in: 2, out: 8 },
};

/** The windows of a subscription, after which its share is another. */
const FIVE_HOURS_MS = 5 * 60 * 60 * 1000;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** The stage of a subscription by the window that is worse; null where neither share is known. */
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
 * The same headroom without shares that are older than their window: by then that window has begun anew, and what is
 * left of it is not known.
 *
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
 * What the headroom of its account makes of a model. One whose price nobody says is neither dear nor over a cap.
 *
 * @returns null where nothing is known of the headroom: then nothing changes.
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
