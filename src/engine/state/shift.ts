import { draftOf, type EngineState } from './state';

/** Fields with a point in time. */
const TIME = /^(at|asOf|before|since|until)$|(At|Since)$/;

/** Moves all times: fields with such a name, and numbers in lists. */
export const shifted = <T>(value: T, deltaMs: number): T => retimed(value, (at) => at + deltaMs);

export function retimed<T>(value: T, change: (at: number) => number): T {
  const moved = (each: unknown, isTime: boolean): unknown =>
    isTime && typeof each === 'number' ? change(each) : retimed(each, change);
  if (Array.isArray(value)) return value.map((each) => moved(each, true)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, moved(each, TIME.test(name))]);
  return Object.fromEntries(fields) as T;
}

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

export function shiftState(state: EngineState, deltaMs: number): EngineState {
  const timed = Object.entries(state).filter(([field]) => !UNTIMED.includes(field));
  return Object.assign(draftOf(state), shifted(Object.fromEntries(timed), deltaMs));
}
