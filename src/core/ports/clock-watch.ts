import { type ClockReading, JUMP_MS } from '../base/clock-reading';
import type { Clock } from './ports';

export type Parted = Readonly<{
  /** Sleep of the machine, which the monotonic clock does not count. */
  sleptMs: number;
  /** Negative for back. Does not affect waits. */
  setMs: number;
}>;

export type ClockWatch = Readonly<{
  /** In ms. Ignores small differences, so that a moment keeps its name. */
  offsetMs(): number;
  /** Null if the change since the last call is small. */
  parted(): Parted | null;
  /** Null for a clock without a machine. */
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
      // The wall clock is the finer of the two if both agree.
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
