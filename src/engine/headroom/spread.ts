import type { ModelId } from '../base/ids';
import type { Window } from '../base/window';
import { counts, isPlan, type Level, levelAt } from './window';

export type Filled = Readonly<{ window: Window; level: Level; fullness: number }>;

/** Only reported plans count. */
export function fullestOf(windows: readonly Window[], model: ModelId, now: number): Filled | null {
  let fullest: Filled | null = null;
  for (const window of windows) {
    if (!isPlan(window) || window.source !== 'provider' || window.isShownOnly || !counts(window, model)) continue;
    const level = levelAt(window, now);
    if (level === null) continue;
    // A paid overdraft ranks above any plan with something left.
    const fullness = window.isOverdrawable && level.used >= 1 ? Number.MAX_VALUE : level.used;
    if (fullest === null || fullness > fullest.fullness) fullest = { window, level, fullness };
  }
  return fullest;
}
