import { draftOf, type EngineState } from './state';

/** Names of the fields that hold a point in time. */
const TIME = /^(at|asOf|before|since|until)$|(At|Since)$/;

/**
 * The same with every point in time moved by `deltaMs`: how health travels between hosts whose clocks differ, and a state
 * through a file. A time is told by its name; a number that stands in a list is one as well.
 */
export const shifted = <T>(value: T, deltaMs: number): T => retimed(value, (at) => at + deltaMs);

/** The same with every point in time changed. */
export function retimed<T>(value: T, change: (at: number) => number): T {
  const moved = (each: unknown, isTime: boolean): unknown =>
    isTime && typeof each === 'number' ? change(each) : retimed(each, change);
  if (Array.isArray(value)) return value.map((each) => moved(each, true)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, moved(each, TIME.test(name))]);
  return Object.fromEntries(fields) as T;
}

/** Parts of the state that hold no time, or none that `shifted` knows. */
const UNTIMED: readonly string[] = [
  'v',
  'scopes',
  'strict',
  'shown',
  'revisions',
  'budgets',
  'grants',
  'budgetMarks',
] satisfies readonly (keyof EngineState)[];

/** Moves every time in the state by `deltaMs`: to store it, to take it in again, or after the machine slept. */
export function shiftState(state: EngineState, deltaMs: number): EngineState {
  const timed = Object.entries(state).filter(([field]) => !UNTIMED.includes(field));
  return Object.assign(draftOf(state), shifted(Object.fromEntries(timed), deltaMs));
}
