import type { Clock } from './ports';

/** Clocks that part by less than this, in ms, have only been set right. */
const JUMP_MS = 5_000;

/** How the wall clock stands to the monotonic one. */
export type ClockWatch = Readonly<{
  /** What the wall clock is ahead, in ms: small differences are left alone, so that a moment keeps its name. */
  offsetMs(): number;
  /**
   * How far the two have parted since it was last asked, in ms; 0 as long as that is little. A machine that slept has its wall
   * clock go on while the monotonic one stands still; less than 0 was set back by hand.
   */
  partedMs(): number;
}>;

/** Watches a clock from now on. */
export function watchClock(clock: Pick<Clock, 'now' | 'wall'>): ClockWatch {
  let offsetMs = clock.wall() - clock.now();
  return {
    offsetMs: () => offsetMs,
    partedMs() {
      const partedMs = clock.wall() - clock.now() - offsetMs;
      if (Math.abs(partedMs) <= JUMP_MS) return 0;
      offsetMs += partedMs;
      return partedMs;
    },
  };
}
