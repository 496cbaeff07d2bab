/** More crashes would be a loop. */
const MOST = 3;
const WITHIN_MS = 600_000;

/** @returns whether a window may be recreated after the crash at `now`. */
export function createCrashGuard(): (now: number) => boolean {
  let crashes: readonly number[] = [];
  return (now) => {
    crashes = [...crashes.filter((at) => now - at < WITHIN_MS), now];
    return crashes.length <= MOST;
  };
}
