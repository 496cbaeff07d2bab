import { DEFAULT_FLAPPING, type HealthNumbers } from '../base/config';
import type { ModelState } from '../base/kinds';

/** The numbers of flapping in force where these numbers are. */
export const flappingOf = ({ flapping = DEFAULT_FLAPPING }: HealthNumbers): typeof flapping => flapping;
type Numbers = ReturnType<typeof flappingOf>;

/** The changes that still count, with one more at `now`. A change exactly one window old has left. */
export function withFlap(changes: readonly number[], now: number, numbers: Numbers): readonly number[] {
  return [...changes.filter((at) => now - at < numbers.windowMs), now].slice(-numbers.changes);
}

/** Whether so many changes mean flapping. */
export const isFlapping = (changes: readonly number[], numbers: Numbers): boolean =>
  numbers.holdMs > 0 && changes.length >= numbers.changes;

export const isOut = (state: ModelState): boolean => state === 'cooling' || state === 'open' || state === 'blocked';

/** A probe is a question, not a change; a hold is a person's, or the answer to flapping itself; a limit has an end of its own. */
const UNCOUNTED: readonly ModelState[] = ['probing', 'held', 'cooling'];

/** Whether going from one state to another counts: between usable and not. */
export const isFlap = (from: ModelState, to: ModelState): boolean =>
  isOut(from) !== isOut(to) && !UNCOUNTED.includes(from) && !UNCOUNTED.includes(to);
