import type { ModelUse, UsageAnswer } from '../../contract/usage';
import { type CellRow, createFiguresSum, type Figures, type FiguresSum } from '../../engine/scorecard';
import { plain } from '../scorecard/document';
import type { Hours } from './range';
import type { Slots } from './slots';

export function modelUse(model: string, slot: number | null, figures: Figures): ModelUse {
  const { outcomes, turns } = figures;
  const { totalCalls, successes, failures, successRate, avgResponseTimeMs, p50Ms, p95Ms } = plain(figures);
  return {
    model,
    slot,
    outcomes: {
      answered: outcomes.success,
      slow: outcomes.slow,
      failed: outcomes.failure + outcomes.limited,
      skipped: turns.spared,
    },
    totalCalls,
    successes,
    failures,
    successRate,
    avgResponseTimeMs,
    p50Ms,
    p95Ms,
    circuitBreakerActivations: figures.circuitBreakerActivations,
    failureReasons: { ...figures.failureReasons },
  };
}

export const modelsIn = (rows: readonly CellRow[]): ReadonlySet<string> => new Set(rows.map(({ model }) => model));

export function modelUses(rows: readonly CellRow[], { since, until }: Hours, slots: Slots): ModelUse[] {
  const sums = new Map<string, FiguresSum>();
  for (const { hour, model, cell } of rows) {
    if (hour < since || hour >= until) continue;
    const sum = sums.get(model) ?? createFiguresSum();
    sum.add(cell);
    sums.set(model, sum);
  }
  const slotOf = slots(modelsIn(rows));
  return [...sums].map(([model, sum]) => modelUse(model, slotOf.get(model) ?? null, sum.figures())).sort(byCalls);
}

export const byCalls = (a: ModelUse, b: ModelUse): number =>
  b.totalCalls - a.totalCalls || (a.model < b.model ? -1 : 1);

export function createStandIns() {
  const counts = new Map<string, Map<string, number>>();
  return {
    add({ model, cell }: Pick<CellRow, 'model' | 'cell'>): void {
      if (cell.switches.length === 0) return;
      const from = counts.get(model) ?? new Map<string, number>();
      counts.set(model, from);
      for (const [to, count] of cell.switches) from.set(to, (from.get(to) ?? 0) + count);
    },
    rows: (): UsageAnswer['standIns'] =>
      [...counts]
        .flatMap(([from, all]) => [...all].map(([to, count]) => ({ from, to, count })))
        .sort((a, b) => b.count - a.count || (`${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1)),
  };
}
