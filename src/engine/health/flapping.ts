import type { ModelState } from '../base/kinds';

/** So many changes between usable and not, within the window, make a model flap. Source: docs/failures.md, health. */
const CHANGES = 4;
/** Both the window and the time a flapping model is held open, in ms. */
export const FLAP_WINDOW_MS = 600_000;

/** The changes that still count, with one more at `now`. A change exactly one window old has left. */
export function withFlap(changes: readonly number[], now: number): readonly number[] {
  return [...changes.filter((at) => now - at < FLAP_WINDOW_MS), now].slice(-CHANGES);
}

/** Whether so many changes mean flapping. */
export const isFlapping = (changes: readonly number[]): boolean => changes.length >= CHANGES;

export const isOut = (state: ModelState): boolean => state === 'cooling' || state === 'open' || state === 'blocked';

/** A probe is a question, not a change; a hold is a person's, or the answer to flapping itself. */
const UNCOUNTED: readonly ModelState[] = ['probing', 'held'];

/** Whether going from one state to another counts: between usable and not. */
export const isFlap = (from: ModelState, to: ModelState): boolean =>
  isOut(from) !== isOut(to) && !UNCOUNTED.includes(from) && !UNCOUNTED.includes(to);
