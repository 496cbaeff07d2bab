import type { ModelId } from '../base/ids';
import type { Window } from '../base/window';
import { counts, isPlan, type Level, levelAt } from './window';

/** A plan, how full it is, and what that is compared by. */
export type Filled = Readonly<{ window: Window; level: Level; fullness: number }>;

/** The plan that is the fullest of those that count a model, as its provider has said; null where nothing is known of any. */
export function fullestOf(windows: readonly Window[], model: ModelId, now: number): Filled | null {
  let fullest: Filled | null = null;
  for (const window of windows) {
    if (!isPlan(window) || window.source !== 'provider' || window.isShownOnly || !counts(window, model)) continue;
    const level = levelAt(window, now);
    if (level === null) continue;
    // What goes on for money once it is used up is fuller than any plan that has something left.
    const fullness = window.isOverdrawable && level.used >= 1 ? Number.MAX_VALUE : level.used;
    if (fullest === null || fullness > fullest.fullness) fullest = { window, level, fullness };
  }
  return fullest;
}
