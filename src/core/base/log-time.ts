import { type ClockReading, elapsedMs, JUMP_MS } from './clock-reading';
import type { LogRecord } from './record';

/** Each run of the app has its own engine clock. */
export type LogTime = Readonly<{
  hear(record: Pick<LogRecord, 'at' | 'event'>): void;
  /** Wall time minus engine time of the last record, in ms. */
  offsetMs(): number;
  /**
   * Shift of earlier engine times in a new run, in ms: waits shrink by the elapsed time even if the wall clock was
   * set. 0 if below {@link JUMP_MS}.
   */
  movedMs(now: number, clock: ClockReading): number;
}>;

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
