/** Token bucket. */
export type RateLimit = Readonly<{
  /** @returns 0 on success, else the wait in ms. */
  take(nowMs: number): number;
}>;

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
