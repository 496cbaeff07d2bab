import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Clock } from '../../core/ports/ports';

/** Longest delay of Node's timers, in ms; a longer one would fire immediately. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Linux has an id for each start of the machine; other systems are identified by their uptime. */
function nameOfBoot(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 100) || null;
  } catch {
    // silent: only Linux has this file
    return null;
  }
}

let boot: string | null | undefined;

/** Returns the machine's uptime, including sleep. */
export function machineUptime(): ReturnType<Clock['uptime']> {
  boot ??= nameOfBoot();
  return { ms: uptime() * 1_000, boot };
}

/** This machine's time: engine milliseconds start at the wall clock and then run monotonically. */
export function nodeClock(): Clock {
  const offsetMs = Date.now() - performance.now();
  return {
    now: () => offsetMs + performance.now(),
    wall: () => Date.now(),
    uptime: machineUptime,
    schedule(delayMs, callback) {
      const timer = setTimeout(callback, Math.min(delayMs, TIMER_MAX_MS));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
