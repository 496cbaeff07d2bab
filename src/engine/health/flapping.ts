import { DEFAULT_FLAPPING, type HealthNumbers } from '../base/config';
import type { ModelState } from '../base/kinds';

export const flappingOf = ({ flapping = DEFAULT_FLAPPING }: HealthNumbers): typeof flapping => flapping;
type Numbers = ReturnType<typeof flappingOf>;

/** A change exactly one window old no longer counts. */
export function withFlap(changes: readonly number[], now: number, numbers: Numbers): readonly number[] {
  return [...changes.filter((at) => now - at < numbers.windowMs), now].slice(-numbers.changes);
}

export const isFlapping = (changes: readonly number[], numbers: Numbers): boolean =>
  numbers.holdMs > 0 && changes.length >= numbers.changes;

export const isOut = (state: ModelState): boolean => state === 'cooling' || state === 'open' || state === 'blocked';

/** A probe is a test, a hold is the user's or caused by flapping, and a limit has its own end. */
const UNCOUNTED: readonly ModelState[] = ['probing', 'held', 'cooling'];

export const isFlap = (from: ModelState, to: ModelState): boolean =>
  isOut(from) !== isOut(to) && !UNCOUNTED.includes(from) && !UNCOUNTED.includes(to);
