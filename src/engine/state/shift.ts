import { draftOf, type EngineState } from './state';

/** What a point in time is called, wherever the engine keeps one. */
const TIMES = new Set([
  'at',
  'since',
  'until',
  'before',
  'preferAt',
  'putAt',
  'offlineSince',
  'hostSince',
  'calmSince',
  'resetAt',
  'asOf',
]);

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
  const fields = Object.entries(value).map(([name, each]) => [name, moved(each, TIMES.has(name))]);
  return Object.fromEntries(fields) as T;
}

/** Parts of the state that hold times; a configuration and a revision hold none. */
const TIMED = [
  'models',
  'providers',
  'attempts',
  'turns',
  'speakers',
  'sessions',
  'troubled',
  'manual',
  'flaps',
  'pins',
  'pause',
  'unreached',
  'offline',
  'questions',
  'windows',
  'counted',
  'money',
  'elsewhere',
  'drains',
  'streaks',
] as const satisfies readonly (keyof EngineState)[];

/** Moves every time in the state by `deltaMs`: to store it, to take it in again, or after the machine slept. */
export function shiftState(state: EngineState, deltaMs: number): EngineState {
  const next = draftOf(state);
  for (const field of TIMED) Object.assign(next, { [field]: shifted(state[field], deltaMs) });
  next.resumedAt = state.resumedAt === null ? null : state.resumedAt + deltaMs;
  return next;
}
