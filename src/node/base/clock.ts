import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Clock } from '../../core/ports/ports';

/** Node's limit; a longer delay would fire immediately. */
const TIMER_MAX_MS = 2 ** 31 - 1;

function nameOfBoot(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 100) || null;
  } catch {
    // silent: only Linux has this file
    return null;
  }
}

let boot: string | null | undefined;

/** Includes sleep. */
export function machineUptime(): ReturnType<Clock['uptime']> {
  boot ??= nameOfBoot();
  return { ms: uptime() * 1_000, boot };
}

/** Engine milliseconds start at the wall clock and then run monotonically. */
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
