import { type ClockReading, elapsedMs, JUMP_MS } from './clock-reading';
import type { LogRecord } from './record';

/** Maps engine times of a log to the machine's clocks: each run of the app has its own engine clock. */
export type LogTime = Readonly<{
  hear(record: Pick<LogRecord, 'at' | 'event'>): void;
  /** Lead of the wall clock over the engine clock in the run that wrote the last record, in ms. */
  offsetMs(): number;
  /**
   * Returns the shift for that run's engine times in a new run, given `clock` at engine time `now`, in ms. Waits
   * shrink by the elapsed time even if the wall clock was set meanwhile. 0 if below {@link JUMP_MS}.
   */
  movedMs(now: number, clock: ClockReading): number;
}>;

/** Expects the records of a log from its beginning. */
export function createLogTime(): LogTime {
  let read: Readonly<{ at: number; clock: ClockReading }> | null = null;
  let lastAt: number | null = null;

  /** Older logs contain no clock readings. */
  const elapsedSince = (last: number, now: number, clock: ClockReading): number => {
    if (read === null) return Math.max(0, now - last);
    const sinceMs = last - read.at;
    const { wallMs, uptimeMs, boot } = read.clock;
    return elapsedMs({ wallMs: wallMs + sinceMs, uptimeMs: uptimeMs + sinceMs, boot }, clock);
  };

  return {
    hear({ at, event }) {
      const clock = 'clock' in event ? event.clock : undefined;
      if (clock) {
        read = { at, clock };
        lastAt = at;
        return;
      }
      lastAt = Math.max(at, lastAt ?? at);
      if (event.type !== 'host.resumed' || read === null) return;
      const { wallMs, uptimeMs, boot } = read.clock;
      const { asleepMs } = event;
      read = { at: read.at, clock: { wallMs: wallMs + asleepMs, uptimeMs: uptimeMs + asleepMs, boot } };
    },
    offsetMs: () => (read === null ? 0 : read.clock.wallMs - read.at),
    movedMs(now, clock) {
      if (lastAt === null) return 0;
      const moved = now - lastAt - elapsedSince(lastAt, now, clock);
      return Math.abs(moved) <= JUMP_MS ? 0 : moved;
    },
  };
}
