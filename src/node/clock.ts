import type { Clock } from '../core/ports';

/** Longest delay Node's timers take, in ms; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** This machine's time: engine milliseconds start at the wall clock and then run monotonically. */
export function nodeClock(): Clock {
  const offsetMs = Date.now() - performance.now();
  return {
    now: () => offsetMs + performance.now(),
    wall: () => Date.now(),
    schedule(delayMs, callback) {
      const timer = setTimeout(callback, Math.min(delayMs, TIMER_MAX_MS));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
