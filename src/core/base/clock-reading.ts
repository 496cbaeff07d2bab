import * as z from 'zod';

/** Clocks that part by less than this, in ms, have only been set right. */
export const JUMP_MS = 5_000;

/** What the clocks of a machine said at one moment: how much time goes by between two of them can be told afterwards. */
export const ClockReading = z.object({
  /** Wall clock, Unix ms: anybody may set it. */
  wallMs: z.number(),
  /** How long the machine has been running, its sleep included, in ms: nobody sets that. */
  uptimeMs: z.number().nonnegative(),
  /** Which start of the machine it is counted from; null where the system does not say. */
  boot: z.string().max(100).nullable(),
});
export type ClockReading = z.infer<typeof ClockReading>;

/**
 * How much time has gone by between two readings, in ms, as far as it can be known: never less than 0. While the machine has
 * not been started again its uptime says it, whatever the wall clock was set to. After a start only the wall clock can say
 * it, and less than the machine has been running since then it cannot be.
 */
export function elapsedMs(then: ClockReading, now: ClockReading): number {
  const byWall = now.wallMs - then.wallMs;
  const byUptime = now.uptimeMs - then.uptimeMs;
  if (!isSameStart(then, now)) return Math.max(byWall, now.uptimeMs);
  // Some systems count it in whole seconds.
  return Math.max(0, Math.abs(byWall - byUptime) <= JUMP_MS ? byWall : byUptime);
}

/** Where no start has a name, the machine was started again if the wall clock leaves room for it. */
function isSameStart(then: ClockReading, now: ClockReading): boolean {
  if (then.boot !== null && now.boot !== null) return then.boot === now.boot;
  // Counted coarsely, the uptime of a moment ago may be the greater one.
  if (now.uptimeMs < then.uptimeMs - JUMP_MS) return false;
  return now.wallMs - then.wallMs < now.uptimeMs;
}

/** How far the wall clock has been set between two readings, in ms: less than 0 for back, 0 for next to nothing. */
export function setMs(then: ClockReading, now: ClockReading): number {
  const byHand = now.wallMs - then.wallMs - elapsedMs(then, now);
  return Math.abs(byHand) <= JUMP_MS ? 0 : byHand;
}
