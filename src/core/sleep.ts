import type { Clock } from './ports';

/** Clocks that part by less than this, in ms, have only been set right. */
const JUMP_MS = 5_000;

/**
 * Watches for a machine that slept: its wall clock went on while the monotonic one stood still.
 *
 * @returns how long it has slept since it was last asked, in ms; 0 while it was awake.
 */
export function watchSleep(clock: Clock): () => number {
  let offsetMs = clock.wall() - clock.now();
  return () => {
    const aheadMs = clock.wall() - clock.now() - offsetMs;
    if (Math.abs(aheadMs) <= JUMP_MS) return 0;
    offsetMs += aheadMs;
    // A clock that was set back has not slept.
    return Math.max(0, aheadMs);
  };
}
