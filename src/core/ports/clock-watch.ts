import { type ClockReading, JUMP_MS } from '../base/clock-reading';
import type { Clock } from './ports';

/** What has come between the wall clock and the monotonic one, in ms. */
export type Parted = Readonly<{
  /** The machine slept for so long, as its uptime says: the monotonic clock did not count it. */
  sleptMs: number;
  /** Somebody has set the wall clock by so much; less than 0 for back. No wait ends sooner or later for that. */
  setMs: number;
}>;

/** How the wall clock stands to the monotonic one. */
export type ClockWatch = Readonly<{
  /** What the wall clock is ahead, in ms: small differences are left alone, so that a moment keeps its name. */
  offsetMs(): number;
  /** What has come between the two since it was last asked; null as long as that is little. */
  parted(): Parted | null;
  /** What the clocks say now, the wall clock as {@link ClockWatch.offsetMs} has it; null for a clock of no machine. */
  read(): ClockReading | null;
}>;

export function watchClock(clock: Pick<Clock, 'now' | 'wall' | 'uptime'>): ClockWatch {
  let offsetMs = clock.wall() - clock.now();
  const aheadOf = (): number => (clock.uptime()?.ms ?? clock.now()) - clock.now();
  let uptimeAheadMs = aheadOf();
  return {
    offsetMs: () => offsetMs,
    parted() {
      const partedMs = clock.wall() - clock.now() - offsetMs;
      if (Math.abs(partedMs) <= JUMP_MS) return null;
      offsetMs += partedMs;
      const asleepMs = Math.max(0, aheadOf() - uptimeAheadMs);
      uptimeAheadMs = aheadOf();
      // The wall clock is the finer of the two where both say the same.
      if (Math.abs(partedMs - asleepMs) <= JUMP_MS) return { sleptMs: Math.max(0, partedMs), setMs: 0 };
      const sleptMs = asleepMs <= JUMP_MS ? 0 : asleepMs;
      return { sleptMs, setMs: partedMs - sleptMs };
    },
    read() {
      const uptime = clock.uptime();
      return uptime && { wallMs: clock.now() + offsetMs, uptimeMs: uptime.ms, boot: uptime.boot };
    },
  };
}
