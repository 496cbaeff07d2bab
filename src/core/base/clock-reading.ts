import * as z from 'zod';

/** In ms; a smaller difference is a time correction. */
export const JUMP_MS = 5_000;

export const ClockReading = z.object({
  /** Unix ms. */
  wallMs: z.number(),
  /** In ms, including sleep; cannot be set. */
  uptimeMs: z.number().nonnegative(),
  /** Identifies the machine's start; null if not reported. */
  boot: z.string().max(100).nullable(),
});
export type ClockReading = z.infer<typeof ClockReading>;

/** In ms, at least 0. By uptime unless the machine restarted; then by the wall clock. */
export function elapsedMs(then: ClockReading, now: ClockReading): number {
  const byWall = now.wallMs - then.wallMs;
  const byUptime = now.uptimeMs - then.uptimeMs;
  if (!isSameStart(then, now)) return Math.max(byWall, now.uptimeMs);
  return Math.max(0, Math.abs(byWall - byUptime) <= JUMP_MS ? byWall : byUptime);
}

/** Without boot ids a restart is assumed if the wall clock leaves room for one. */
function isSameStart(then: ClockReading, now: ClockReading): boolean {
  if (then.boot !== null && now.boot !== null) return then.boot === now.boot;
  // A coarse uptime can be smaller than a moment ago.
  if (now.uptimeMs < then.uptimeMs - JUMP_MS) return false;
  return now.wallMs - then.wallMs < now.uptimeMs;
}

/** In ms; negative if set back, 0 if below {@link JUMP_MS}. */
export function setMs(then: ClockReading, now: ClockReading): number {
  const byHand = now.wallMs - then.wallMs - elapsedMs(then, now);
  return Math.abs(byHand) <= JUMP_MS ? 0 : byHand;
}
