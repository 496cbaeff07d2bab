import { vi } from 'vitest';

const HOUR_MS = 3_600_000;

/** Wall clock changes by a person, a time zone or a time server, in ms. */
export const CLOCK_JUMPS: readonly (readonly [string, number])[] = [
  ['a day back', -24 * HOUR_MS],
  ['five hours back', -5 * HOUR_MS],
  ['five hours ahead', 5 * HOUR_MS],
  ['a day ahead', 24 * HOUR_MS],
];

/** Moves the wall clock, which continues from there; `vi.unstubAllGlobals` restores it. */
export function setWallClock(byMs: number): void {
  const Machine = Date;
  const now = (): number => Machine.now() + byMs;
  const moved = new Proxy(Machine, {
    construct: (target, given: []) => (given.length === 0 ? new target(now()) : new target(...given)),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
  vi.stubGlobal('Date', moved);
}
