import type { ModelId } from '../base/ids';
import { byText } from './ranking';
import type { ModelRow } from './row';
import { type Rate, rateOf } from './wilson';

export type Advice = Readonly<{ n: number; confidence: 'high' | 'medium' | 'low' }> &
  (
    | Readonly<{ code: 'key.rejected'; provider: string }>
    | Readonly<{ code: 'model.missing'; model: ModelId }>
    | Readonly<{ code: 'chain.reorder'; model: ModelId; above: ModelId; rate: Rate; aboveRate: Rate }>
    | Readonly<{
        code: 'provider.prefer';
        provider: string;
        over: string;
        rate: Rate;
        overRate: Rate;
        models: number;
        share: number;
      }>
    | Readonly<{ code: 'breaker.often'; model: ModelId; rate: Rate }>
  );

export type SwitchPattern = Readonly<{ from: ModelId; to: ModelId; count: number }>;

const ADVICE_MAX = 3;
/** Fewer repeats are no pattern. */
const REPEATS_MIN = 3;
/** Attempts per side before rates are compared. */
const SAMPLE_MIN = 5;
/** Failures, and their share, that make a provider the cause. */
const PROVIDER_FAILURES_MIN = 10;
const PROVIDER_SHARE_MIN = 0.7;

const confidenceOf = (n: number): Advice['confidence'] => (n >= 30 ? 'high' : n >= 10 ? 'medium' : 'low');

/** At most three, the most certain cause first; then the larger sample, then the name. */
export function adviceFrom(models: readonly ModelRow[], patterns: readonly SwitchPattern[]): readonly Advice[] {
  const keys = rejectedKeys(models);
  const missing = missingModels(models);
  // An explained failure needs no second advice.
  const isExplained = (row: ModelRow): boolean =>
    keys.some((key) => 'provider' in key && key.provider === row.provider) ||
    missing.some((advice) => 'model' in advice && advice.model === row.model);
  const open = models.filter((row) => !isExplained(row));
  const orders = reorders(open, patterns);
  const moved = new Set(orders.map((order) => ('above' in order ? order.above : '')));
  const trips = openOften(open.filter((row) => !moved.has(row.model)));
  return [...keys, ...missing, ...orders, ...preferences(open), ...trips].slice(0, ADVICE_MAX);
}

const bySample = (a: Advice, b: Advice): number => b.n - a.n || byText(nameOf(a), nameOf(b));
const nameOf = (advice: Advice): string => ('model' in advice ? advice.model : advice.provider);

function groups(models: readonly ModelRow[]): ReadonlyMap<string, readonly ModelRow[]> {
  const byProvider = new Map<string, ModelRow[]>();
  for (const row of models) byProvider.set(row.provider, [...(byProvider.get(row.provider) ?? []), row]);
  return byProvider;
}

const total = (rows: readonly ModelRow[], of: (row: ModelRow) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

function rejectedKeys(models: readonly ModelRow[]): Advice[] {
  const found: Advice[] = [];
  for (const [provider, rows] of groups(models)) {
    const n = total(rows, (row) => row.failureReasons.auth ?? 0);
    if (n >= REPEATS_MIN) found.push({ code: 'key.rejected', provider, n, confidence: confidenceOf(n) });
  }
  return found.sort(bySample);
}

function missingModels(models: readonly ModelRow[]): Advice[] {
  return models
    .flatMap((row): Advice[] => {
      const n = row.failureReasons.model_not_found ?? 0;
      return n < REPEATS_MIN ? [] : [{ code: 'model.missing', model: row.model, n, confidence: confidenceOf(n) }];
    })
    .sort(bySample);
}

function isAbove(rate: Rate, other: Rate): boolean {
  return rate.lower !== null && other.upper !== null && rate.lower > other.upper;
}

/** A fallback model clearly better than its primary: their bounds do not overlap. */
function reorders(models: readonly ModelRow[], patterns: readonly SwitchPattern[]): Advice[] {
  const rows = new Map(models.map((row) => [row.model, row]));
  const found: Advice[] = [];
  for (const worse of models) {
    if (worse.successRate.n < SAMPLE_MIN) continue;
    const better = patterns
      .filter((pattern) => pattern.from === worse.model)
      .flatMap((pattern) => rows.get(pattern.to) ?? [])
      .filter((row) => row.successRate.n >= SAMPLE_MIN && isAbove(row.successRate, worse.successRate))
      .sort((a, b) => (b.successRate.lower ?? 0) - (a.successRate.lower ?? 0) || byText(a.model, b.model))[0];
    if (!better) continue;
    const rates = { rate: better.successRate, aboveRate: worse.successRate };
    const n = better.successRate.n + worse.successRate.n;
    const confidence = confidenceOf(Math.min(better.successRate.n, worse.successRate.n));
    found.push({ code: 'chain.reorder', model: better.model, above: worse.model, ...rates, n, confidence });
  }
  return found.sort(bySample);
}

/** A clearly better provider, if most failures share one and affect two of its models. */
function preferences(models: readonly ModelRow[]): Advice[] {
  const failures = total(models, (row) => row.failures);
  const rates = [...groups(models)].map(([provider, rows]) => ({ provider, rows, rate: providerRate(rows) }));
  const worst = rates.find(({ rows }) => total(rows, (row) => row.failures) >= failures * PROVIDER_SHARE_MIN);
  if (!worst || failures < PROVIDER_FAILURES_MIN) return [];
  const failing = worst.rows.filter((row) => row.failures > 0).length;
  const best = rates
    .filter(({ rate }) => rate.n >= SAMPLE_MIN && isAbove(rate, worst.rate))
    .sort((a, b) => (b.rate.lower ?? 0) - (a.rate.lower ?? 0) || byText(a.provider, b.provider))[0];
  if (!best || failing < 2) return [];
  const own = total(worst.rows, (row) => row.failures);
  if (own < PROVIDER_FAILURES_MIN) return [];
  const evidence = { rate: best.rate, overRate: worst.rate, models: failing, share: own / failures };
  const confidence = confidenceOf(Math.min(best.rate.n, worst.rate.n));
  return [{ code: 'provider.prefer', provider: best.provider, over: worst.provider, ...evidence, n: own, confidence }];
}

function providerRate(rows: readonly ModelRow[]): Rate {
  const successes = total(rows, (row) => row.successes);
  return rateOf(successes, successes + total(rows, (row) => row.failures));
}

function openOften(models: readonly ModelRow[]): Advice[] {
  return models
    .flatMap((row): Advice[] => {
      const n = row.circuitBreakerActivations;
      const { model, successRate: rate } = row;
      return n < REPEATS_MIN ? [] : [{ code: 'breaker.often', model, rate, n, confidence: confidenceOf(n) }];
    })
    .sort(bySample);
}
