/** A bucket of permissions that fills again with time. */
export type RateLimit = Readonly<{
  /** Takes one permission at `nowMs` (monotonic). @returns 0 when taken, else how long to wait in ms for the next. */
  take(nowMs: number): number;
}>;

/** `burst` at once after a quiet time, `perSecond` for good. */
export function createRateLimit(burst: number, perSecond: number): RateLimit {
  let left = burst;
  let at: number | null = null;
  return {
    take: (nowMs) => {
      left = Math.min(burst, left + ((nowMs - (at ?? nowMs)) * perSecond) / 1_000);
      at = nowMs;
      if (left >= 1) {
        left -= 1;
        return 0;
      }
      return Math.max(1, Math.ceil(((1 - left) * 1_000) / perSecond));
    },
  };
}
