import { type ClockReading, elapsedMs, JUMP_MS } from './clock-reading';
import type { LogRecord } from './record';

/** How the engine times of a log stand to the clocks of the machine: each life of the app has an engine clock of its own. */
export type LogTime = Readonly<{
  /** Takes in the next record. */
  hear(record: Pick<LogRecord, 'at' | 'event'>): void;
  /** What the wall clock was ahead of the engine's in the life that wrote the last record, in ms. */
  offsetMs(): number;
  /**
   * What is to be added to the times of that life in a new one whose clocks say `clock` at `now`, in engine ms: a wait is
   * then as much shorter as time has gone by, whatever the wall clock was set to meanwhile. 0 for next to nothing.
   */
  movedMs(now: number, clock: ClockReading): number;
}>;

/** For a log that is about to be played from its beginning. */
export function createLogTime(): LogTime {
  let read: Readonly<{ at: number; clock: ClockReading }> | null = null;
  let lastAt: number | null = null;

  /** What the clocks said when the last record was written. An older log has not written any down. */
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
