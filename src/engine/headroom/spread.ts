import type { ModelId } from '../base/ids';
import type { Window } from '../base/window';
import { counts, isPlan, type Level, levelAt } from './window';

/** A plan, and how full it is. */
export type Filled = Readonly<{ window: Window; level: Level }>;

/** The plan that is the fullest of those that count a model, as its provider has said; null where nothing is known of any. */
export function fullestOf(windows: readonly Window[], model: ModelId, now: number): Filled | null {
  let fullest: Filled | null = null;
  for (const window of windows) {
    if (!isPlan(window) || window.source !== 'provider' || window.isShownOnly || !counts(window, model)) continue;
    const level = levelAt(window, now);
    if (level && (fullest === null || level.used > fullest.level.used)) fullest = { window, level };
  }
  return fullest;
}
