/** Maximum number of windows recreated after crashes; more would be a loop. */
const MOST = 3;
const WITHIN_MS = 600_000;

/** Counts crashes. @returns whether a window may be made anew after the one that just happened, at `now` in ms. */
export function createCrashGuard(): (now: number) => boolean {
  let crashes: readonly number[] = [];
  return (now) => {
    crashes = [...crashes.filter((at) => now - at < WITHIN_MS), now];
    return crashes.length <= MOST;
  };
}
